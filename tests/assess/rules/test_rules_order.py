"""T-21: the order of rules inside an action never changes allow or deny."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from rule_calls import bash, line, verdict

from signoff.actions.operation import Operation, Operations, Reach, Trait, Verb
from signoff.assess.rules.command_pattern import CommandPattern
from signoff.assess.rules.engine import evaluate, weigh
from signoff.assess.rules.operation_pattern import OperationPattern
from signoff.assess.rules.pattern import Glob, Literal, Regex
from signoff.assess.rules.rule import FieldMatch, Rule, RuleAction, RuleSet

COMMANDS = (
    "git status",
    "git push",
    "git push --force",
    "rm",
    "rm -rf x $",
    "ls",
    "* x",
    "sudo ls",
)
LINES = ("git status", "git push -f", "git push origin", "rm -rf x", "ls x", "sudo ls x", "echo x")

actions = st.sampled_from(RuleAction)
verbs = st.frozensets(st.sampled_from((Verb.READ, Verb.WRITE, Verb.DELETE)), max_size=2)
reaches = st.frozensets(st.sampled_from((Reach.PROJECT, Reach.HOME)), max_size=1)
traits = st.frozensets(st.sampled_from((Trait.BROAD, Trait.AS_ROOT)), max_size=1)

patterns = st.one_of(
    st.builds(CommandPattern, st.sampled_from(COMMANDS)),
    st.builds(
        OperationPattern,
        verbs=verbs,
        reaches=reaches,
        traits=traits,
        understood=st.sampled_from((None, True, False)),
    ),
    st.builds(Regex, st.sampled_from(("^git", "push", "x$"))),
    st.builds(Glob, st.sampled_from(("git *", "rm*"))),
    st.builds(Literal, st.sampled_from(LINES)),
)


def field_match(pattern: CommandPattern | OperationPattern | Regex | Glob | Literal) -> FieldMatch:
    """Put a pattern where a file would put it."""
    is_fieldless = isinstance(pattern, CommandPattern | OperationPattern)
    return FieldMatch(field="" if is_fieldless else "command", patterns=(pattern,))


matches = st.lists(patterns.map(field_match), min_size=1, max_size=3).map(tuple)
rule_lists = st.lists(
    st.builds(
        Rule,
        name=st.text("abc", min_size=1, max_size=3),
        action=actions,
        tools=st.sampled_from(((), ("Bash",), ("Write",), ("B*",))),
        match=st.one_of(matches, matches, matches, st.just(())),
        is_tightening=st.booleans(),
    ),
    min_size=1,
    max_size=8,
)
lines = st.lists(st.sampled_from(LINES), min_size=1, max_size=3).map("; ".join)
operation_lists = st.lists(
    st.builds(
        Operation,
        verb=st.sampled_from((Verb.READ, Verb.WRITE, Verb.DELETE)),
        reach=st.sampled_from((Reach.PROJECT, Reach.HOME)),
        traits=traits,
        understood=st.sampled_from((True, True, False)),
        group=st.integers(0, 2),
    ),
    max_size=4,
).map(tuple)


def outcome(rules: RuleSet, text: str, operations: Operations) -> str:
    """What the rules say of a line."""
    return verdict(evaluate(rules, bash(text), operations, line(text)))


@settings(max_examples=2_000)
@given(rules=rule_lists, text=lines, operations=operation_lists, data=st.data())
def test_order_does_not_change_the_verdict(
    rules: list[Rule], text: str, operations: Operations, data: st.DataObject
) -> None:
    """Any order of the whole file gives the verdict of file order."""
    shuffled = data.draw(st.permutations(rules))

    assert outcome(RuleSet(rules=tuple(rules)), text, operations) == outcome(
        RuleSet(rules=tuple(shuffled)), text, operations
    )


@settings(max_examples=200)
@given(rules=rule_lists, text=lines, operations=operation_lists, more=rule_lists)
def test_another_deny_never_lets_more_through(
    rules: list[Rule], text: str, operations: Operations, more: list[Rule]
) -> None:
    """Adding deny rules can only turn an outcome into deny."""
    denies = [rule for rule in more if rule.action is RuleAction.DENY]
    before = outcome(RuleSet(rules=tuple(rules)), text, operations)

    assert outcome(RuleSet(rules=(*rules, *denies)), text, operations) in (before, "deny")


@settings(max_examples=200)
@given(rules=rule_lists, first=lines, second=lines)
def test_a_longer_line_is_never_covered_more(rules: list[Rule], first: str, second: str) -> None:
    """What is allowed with something behind it is allowed alone."""
    allows = RuleSet(rules=tuple(rule for rule in rules if rule.action is RuleAction.ALLOW))
    longer = f"{first}; {second}"

    if weigh(allows, bash(longer), (), line(longer)).coverage.is_complete:
        assert weigh(allows, bash(first), (), line(first)).coverage.is_complete
