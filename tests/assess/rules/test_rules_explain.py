"""Why rules say what they say, and their examples."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from rule_calls import bash, call, line, reads, rules_of, under

from signoff.actions.action import Json
from signoff.actions.operation import Operation, Trait, Verb
from signoff.assess.rules.explain import explain, run_examples
from signoff.assess.rules.load import merge
from signoff.assess.rules.rule import RuleAction


def why(rule: str, text: str, operation: Operation | None = None) -> str:
    """What is said of the only rule."""
    commands = line(text)
    operations = reads(commands) if operation is None else (operation,)
    return explain(rules_of(rule), bash(text), operations, commands)[0].why


def test_steps_come_in_the_order_rules_are_weighed() -> None:
    """Deny, allow, escalate, each with its place."""
    rules = rules_of(
        "- {name: e, action: escalate}\n"
        "- {name: a, action: allow, tool: Write}\n"
        "- {name: d, action: deny, match: {command: rm}}\n"
    )
    commands = line("ls")

    steps = explain(rules, bash("ls"), reads(commands), commands)

    assert [(s.rule, s.is_match, s.why, s.line) for s in steps] == [
        ("d", False, "no pattern matches", 5),
        ("a", False, "is about Write, not `Bash`", 4),
        ("e", True, "matches every use", 3),
    ]


def test_an_escalate_of_a_project_comes_before_allow() -> None:
    """As it is weighed."""
    user = rules_of("- {name: a, action: allow}\n")
    rules = merge(user, rules_of("- {name: e, action: escalate}\n"))

    assert [s.rule for s in explain(rules, bash("ls"), ())] == ["e", "a"]


@pytest.mark.parametrize(
    ("match", "text", "expected"),
    [
        ("{command: git status}", "git status", "covers everything: command `git status`"),
        ("{command: git status}", "git status; ls", "covers only a part of it; not `ls`"),
        ("{command: git status}", "rm x", "covers nothing of it; not `rm x`"),
        ("{command: git status}", "git status $X", "a word of it is not known before it runs"),
        ("{command: git status}", "git status > x", "it writes to a file by redirection"),
        ("{command: git status}", "PAGER=x git status", "variables or input around it"),
    ],
)
def test_an_allow_says_what_it_leaves_uncovered(match: str, text: str, expected: str) -> None:
    """And what is in its way."""
    assert expected in why(f"- {{name: a, action: allow, match: {match}}}\n", text)


def test_an_allow_says_that_something_was_not_understood() -> None:
    """With the words that would cover it."""
    opaque = Operation(verb=Verb.EXECUTE, understood=False, program="x", why="unknown program")

    said = why("- {name: a, action: allow, match: {command: x}}\n", "x", opaque)

    assert "not understood (unknown program)" in said
    assert "`operation: {program: ..., understood: false}`" in said


def test_an_allow_says_what_is_alarming() -> None:
    """By the names a rule would use."""
    operation = Operation(verb=Verb.READ, traits=frozenset((Trait.READS_SECRET,)))

    said = why("- {name: a, action: allow, match: {command: cat}}\n", "cat x", operation)

    assert "must name what is alarming in it (reads-secret)" in said


def test_an_allow_says_what_carries_the_command() -> None:
    """`sudo` is not named by `git status`."""
    commands = under("sudo", "git status")
    rules = rules_of("- {name: a, action: allow, match: {command: git status}}\n")

    step = explain(rules, bash("x"), (), commands)[0]

    assert not step.is_match
    assert "it runs under `sudo`" in step.why


def test_a_missing_field_is_named() -> None:
    """The likeliest reason for a rule that never matches."""
    rules = rules_of("- {name: d, action: deny, match: {file: x, path: y}}\n")

    step = explain(rules, call("Write", {"path": "z"}), ())[0]

    assert step.why == "no pattern matches; field `file` is missing"


def test_a_match_names_its_pattern() -> None:
    """In the words of the file."""
    assert why("- {name: d, action: deny, match: {operation: {verb: read}}}\n", "ls") == (
        "matches operation {verb: read}"
    )


def test_examples_are_judged_one_by_one() -> None:
    """Each with the verdict the rules really give."""
    rules = rules_of(
        "- name: d\n  action: deny\n  expect:\n"
        "  - {call: rm x, verdict: deny}\n"
        "  - {tool: Write, input: {path: x}, verdict: allow}\n"
        "  - {call: ls, verdict: none}\n"
    )
    seen: list[Mapping[str, Json]] = []

    def judge(payload: Mapping[str, Json]) -> RuleAction | None:
        seen.append(payload)
        return RuleAction.DENY if payload["tool_name"] == "Bash" else RuleAction.ALLOW

    results = run_examples(rules, judge)

    assert [(r.actual, r.is_right, r.where) for r in results] == [
        ("deny", True, "rules.yaml:6"),
        ("allow", True, "rules.yaml:7"),
        ("deny", False, "rules.yaml:8"),
    ]
    assert seen[0] == {"tool_name": "Bash", "tool_input": {"command": "rm x"}}
