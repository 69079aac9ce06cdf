"""What was seen in a call is kept only where it would be seen again."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Denial, Facts, FileFact
from signoff.actions.programs.own import OwnPrograms
from signoff.assess.assessment import Judge
from signoff.assess.risk import DefaultRiskScorer, RiskContext, RiskScore
from signoff.assess.rules.load import load_rules
from signoff.assess.rules.rule import RuleAction, RuleSet
from signoff.assess.seen import COUNTED, NOT_IN_KEY, TEXT_LIMIT, SeenCalls, key_of
from signoff.assess.verdict import Verdict
from signoff.values import replace

CALL = Action(tool="Bash", arguments={"command": "rm a.txt"}, cwd="/home/dev/shop", session="s")
FACTS = Facts(home="/home/dev", project="/home/dev/shop")

OTHER_CALLS = {
    "tool": "Write",
    "arguments": {"command": "rm b.txt"},
    "kind": "function",
    "description": "d",
    "hints": {"h": True},
    "agent": "a",
    "session": "t",
    "cwd": "/",
    "environment": "production",
    "source": "mcp",
    "search_path": "/opt/bin",
    "schema_digest": "0" * 64,
    "least_risk": 0.5,
    "least_proofs": (("low", "quiz"),),
}
OTHER_FACTS = {
    "home": "/root",
    "project": "/",
    "under_version_control": False,
    "files": {"a.txt": FileFact(real_path="/etc/passwd")},
    "written": frozenset({"/a"}),
    "downloaded": frozenset({"/a"}),
    "built": frozenset({"/a"}),
    "created": frozenset({"/a"}),
    "moved": frozenset({"/a"}),
    "secrets_read": frozenset({"/a"}),
    "denials": (Denial(tool="Write", target="/home/dev/shop/a.txt", category="c"),),
    "guard_paths": ("/home/dev/shop",),
    "guard_ports": frozenset({9_999}),
    "guard_install": "/home/dev/shop/.venv",
    "guard_tree": "/srv/src/signoff",
    "guard_processes": frozenset({4_711}),
    "programs": OwnPrograms(described={}, added={}, digest="another"),
}


@pytest.mark.parametrize("name", Action.__struct_fields__)
def test_every_part_of_a_call_makes_it_another(name: str) -> None:
    """But for those that say only which call it is."""
    if name in ("request_id", "asked_at"):
        other = replace(CALL, request_id="7", asked_at=datetime.now(UTC))
        assert key_of(other, FACTS) == key_of(CALL, FACTS)
        return

    other = replace(CALL, **{name: OTHER_CALLS[name]})  # type: ignore[arg-type] # its own fields
    assert key_of(other, FACTS) != key_of(CALL, FACTS)


@pytest.mark.parametrize("name", Facts.__struct_fields__)
def test_everything_known_beforehand_counts(name: str) -> None:
    """But for the time, and how often a function was called, which only the risk looks at."""
    if name in COUNTED | (NOT_IN_KEY - {"files"}):
        other = replace(FACTS, prior_calls=7, now=datetime.now(UTC))
        assert key_of(CALL, other) == key_of(CALL, FACTS)
        return

    other = replace(FACTS, **{name: OTHER_FACTS[name]})  # type: ignore[arg-type] # its own fields
    assert key_of(CALL, other) != key_of(CALL, FACTS)


@pytest.mark.parametrize(("one", "other"), [(1, True), (1, 1.0), (0, False), ("1", 1), (None, "")])
def test_values_of_other_types_are_others(one: object, other: object) -> None:
    """To Python they are equal, to what is called they are not."""
    calls = [replace(CALL, arguments={"a": value}) for value in (one, other)]  # type: ignore[dict-item] # JSON values

    assert key_of(calls[0], FACTS) != key_of(calls[1], FACTS)


def test_what_is_long_or_nested_or_read_from_files_is_not_kept() -> None:
    """Its key would cost as much as reading it, or fill the memory."""
    long = replace(CALL, arguments={"command": "a" * (TEXT_LIMIT + 1)})
    nested = replace(CALL, arguments={"edits": [{"a": "b"}]})
    script = replace(FACTS, files={"a.sh": FileFact(real_path="/a.sh", text="ls")})

    assert key_of(long, FACTS) is key_of(nested, FACTS) is key_of(CALL, script) is None


def test_only_so_much_is_kept() -> None:
    """The oldest goes first."""
    judge = Judge(rules=RuleSet)
    calls = SeenCalls(limit=2)
    rules = RuleSet()
    seen = judge._see(CALL, FACTS, rules)
    for key in ("a", "b", "c"):
        calls.keep(key, seen)

    assert [calls.find(key, seen.rules) is seen for key in ("a", "b", "c")] == [False, True, True]


class CountingScorer:
    """A scorer of somebody else: the riskier, the more often it was asked."""

    name = "asked"

    def __init__(self) -> None:
        self.contexts: list[RiskContext] = []

    def score(self, context: RiskContext) -> float:
        self.contexts.append(context)
        return 0.2 * len(self.contexts)


class MadeFromOurs(DefaultRiskScorer):
    """A scorer that looks at what ours does not."""

    def assess(self, context: RiskContext) -> RiskScore:
        risk = super().assess(context)
        return RiskScore(value=0.9 if context.action.request_id else 0.1, factors=risk.factors)


def test_a_scorer_of_somebody_else_is_asked_each_time() -> None:
    """What it answers may depend on anything: each answer has its own level and its own reason."""
    scorer = CountingScorer()
    judge = Judge(rules=lambda: rules, scorer=scorer)
    rules = RuleSet()
    actions = [replace(CALL, request_id=str(number)) for number in range(4)]

    found = [judge(action, FACTS) for action in actions]

    assert actions == [context.action for context in scorer.contexts]
    assert [0.2, 0.4, 0.6, 0.8] == [round(one.risk.value, 1) for one in found]
    assert ["low", "medium", "high", "critical"] == [one.level.value for one in found]
    assert [
        "nothing found that needs asking",
        "Deletes `a.txt` [risk 0.400 is medium, mostly because of asked (score 0.4)]",
    ] == [one.reason for one in found[:2]]


def test_a_scorer_made_from_ours_is_asked_each_time() -> None:
    """It may look at what is no part of the key."""
    judge = Judge(rules=lambda: rules, scorer=MadeFromOurs())
    rules = RuleSet()

    risks = [judge(replace(CALL, request_id=id), FACTS).risk.value for id in ("", "7", "")]

    assert [0.1, 0.9, 0.1] == risks


@pytest.mark.parametrize("command", ["rm a.txt", "nohup ./run $X", "git push", "rm -rf ~"])
def test_the_risk_of_a_known_call_falls_with_the_calls_before(command: str) -> None:
    """Each time it is what a judge says that has not seen the call."""
    judge = Judge(rules=lambda: same)
    same = RuleSet()
    action = replace(CALL, arguments={"command": command})
    for prior_calls in (0, 1, 9, 700, 0):
        facts = replace(FACTS, prior_calls=prior_calls)
        assert Judge(rules=lambda: same)(action, facts) == judge(action, facts)


def test_a_second_look_says_the_same() -> None:
    """With the action and facts of the second call, and its own risk."""
    judge, rules = Judge(rules=lambda: same), None
    same = RuleSet()
    second = replace(FACTS, prior_calls=3, now=datetime.now(UTC))
    action = replace(CALL, request_id="2")

    judge(CALL, FACTS)
    again, fresh = judge(action, second), Judge(rules=lambda: same)(action, second)

    assert again == fresh
    assert (again.action, again.facts, rules) == (action, second, None)


def test_other_rules_look_anew() -> None:
    """A reload takes effect for calls that were seen before."""
    text = "version: 1\nrules: [{name: no-rm, action: deny, match: {command: rm}}]"
    in_force = [RuleSet()]
    judge = Judge(rules=lambda: in_force[0])
    before = judge(CALL, FACTS).preliminary
    in_force[0] = load_rules(text, file="rules.yaml")

    assert (before, judge(CALL, FACTS).preliminary) == (Verdict.ALLOW, Verdict.DENY)


def test_other_rules_conclude_anew() -> None:
    """What is concluded of calls in which nothing was found is that of the rules in force."""
    in_force = [RuleSet(), RuleSet(unmatched=RuleAction.DENY), RuleSet()]
    judge = Judge(rules=lambda: in_force[0])
    leanings = []
    while in_force:
        leanings.append(judge(replace(CALL, arguments={"command": f"ls {len(in_force)}"}), FACTS))
        in_force.pop(0)

    assert [Verdict.ALLOW, Verdict.DENY, Verdict.ALLOW] == [one.preliminary for one in leanings]


def test_quiet_calls_conclude_by_their_own_risk() -> None:
    """They share conclusions, each at the level of its risk."""
    judge = Judge(rules=lambda: same, scorer=CountingScorer())
    same = RuleSet()

    found = [judge(replace(CALL, arguments={"command": f"ls {n}"}), FACTS) for n in range(4)]

    assert ["low", "medium", "high", "critical"] == [one.level.value for one in found]
    assert ["allow", "ask", "ask", "ask"] == [one.preliminary.value for one in found]
