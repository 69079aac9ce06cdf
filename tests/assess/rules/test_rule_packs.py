"""The packs that are shipped: they load, keep their own examples and meet no advice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path

import pytest
from rule_calls import bash, verdict

from signoff.actions.action import Action, Json
from signoff.actions.facts import Facts
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.understand import understand
from signoff.assess.rules.engine import evaluate
from signoff.assess.rules.explain import run_examples
from signoff.assess.rules.lint import lint
from signoff.assess.rules.load import load_rules, merge_pack
from signoff.assess.rules.rule import RuleAction, RuleSet

PACKS = Path(str(files("signoff.assess.rules"))) / "packs"
FACTS = Facts(home="/home/dev", project="/home/dev/project")
each_pack = pytest.mark.parametrize("path", sorted(PACKS.rglob("*.yaml")), ids=lambda p: p.stem)


def pack(name: str) -> RuleSet:
    """A pack by its file name."""
    return load_rules((PACKS / name).read_text(encoding="utf-8"), file=name)


def judge_with(rules: RuleSet) -> Callable[[Mapping[str, Json]], RuleAction | None]:
    """Judge payloads as they really are understood."""

    def judge(payload: Mapping[str, Json]) -> RuleAction | None:
        arguments = payload["tool_input"]
        action = Action(
            tool=str(payload["tool_name"]),
            arguments=arguments if isinstance(arguments, Mapping) else {},
            cwd="/home/dev/project",
        )
        seen = understand(action, FACTS)
        match = evaluate(rules, action, seen.operations, seen.commands)
        return None if match is None else match.action

    return judge


@each_pack
def test_a_pack_keeps_its_examples(path: Path) -> None:
    """Every `expect` holds for the call as it is really understood."""
    rules = load_rules(path.read_text(encoding="utf-8"), file=path.name)

    wrong = [r for r in run_examples(rules, judge_with(rules)) if not r.is_right]

    assert wrong == []


@each_pack
def test_a_pack_meets_no_advice(path: Path) -> None:
    """Reasons, examples, nothing shadowed, nothing too wide."""
    assert lint(load_rules(path.read_text(encoding="utf-8"), file=path.name)) == ()


def test_there_are_packs() -> None:
    """None has been lost on the way."""
    found = {path.relative_to(PACKS).as_posix() for path in PACKS.rglob("*.yaml")}

    assert found == {
        "default.yaml",
        "examples/ci.yaml",
        "examples/git-team.yaml",
        "examples/production.yaml",
    }


@pytest.mark.parametrize("verb", [verb for verb in Verb if verb not in (Verb.READ, Verb.INERT)])
def test_the_default_pack_guards_signoff(verb: Verb) -> None:
    """Whatever is done to signoff but looking."""
    operation = Operation(verb=verb, thing=ResourceType.GUARD, reach=Reach.GUARD)

    assert verdict(evaluate(pack("default.yaml"), bash("x"), (operation,))) == "deny"


def test_the_default_pack_refuses_self_approval() -> None:
    """An agent that answers its own question."""
    operation = Operation(verb=Verb.INERT, traits=frozenset((Trait.SELF_APPROVAL,)))

    assert verdict(evaluate(pack("default.yaml"), bash("x"), (operation,))) == "deny"


def test_the_default_pack_allows_nothing_a_shell_does() -> None:
    """What a line does is left to the user's rules and the scores."""
    rules = pack("default.yaml")

    assert judge_with(rules)({"tool_name": "Bash", "tool_input": {"command": "echo hi"}}) is None


def test_the_default_pack_stands_behind_the_users_rules() -> None:
    """An allow of the user holds, the guard too."""
    user = load_rules("version: 1\nrules:\n- {name: all, action: allow}\n", file="user")
    judge = judge_with(merge_pack(pack("default.yaml"), user))

    found = [
        judge({"tool_name": "Bash", "tool_input": {"command": command}})
        for command in ("make", "rm -rf ~/.config/signoff")
    ]

    assert found == [RuleAction.ALLOW, RuleAction.DENY]


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        (Operation(verb=Verb.DELETE, reach=Reach.PRODUCTION), "deny"),
        (Operation(verb=Verb.CONTROL, reach=Reach.PRODUCTION), "escalate"),
        (Operation(verb=Verb.READ, reach=Reach.PRODUCTION), "none"),
        (Operation(verb=Verb.DELETE, thing=ResourceType.BACKUP), "deny"),
        (Operation(verb=Verb.DELETE, traits=frozenset((Trait.WHOLE_STORE,))), "deny"),
        (Operation(verb=Verb.SPEND, thing=ResourceType.MONEY), "escalate"),
    ],
)
def test_the_production_pack_speaks_of_operations(operation: Operation, expected: str) -> None:
    """However the call is written."""
    rules = pack("examples/production.yaml")

    assert expected == verdict(evaluate(rules, bash("x"), (operation,)))
