"""Why rules say what they say of a call, and whether their examples hold.

for step in explain(rules, action, operations, commands):
    step.rule, step.is_match, step.why   # "no-push", False, "no pattern matches"
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from signoff.actions.action import Action, Json
from signoff.actions.operation import Operation, Operations
from signoff.actions.shell.command import Command
from signoff.assess.rules.call import RuleInput
from signoff.assess.rules.command_pattern import CommandPattern, is_plain_call, writes_file
from signoff.assess.rules.coverage import Covering, cover
from signoff.assess.rules.engine import find
from signoff.assess.rules.index import arrange, speaks_of
from signoff.assess.rules.operation_pattern import is_unalarming
from signoff.assess.rules.rule import Expectation, Rule, RuleAction, RuleSet

VERDICT_ACTIONS: Mapping[str, RuleAction | None] = {
    "allow": RuleAction.ALLOW,
    "ask": RuleAction.ESCALATE,
    "deny": RuleAction.DENY,
    "none": None,
}
ACTION_VERDICTS = {action: verdict for verdict, action in VERDICT_ACTIONS.items()}


class ConsideredRule(Struct, frozen=True, kw_only=True):
    """One rule, whether it matches a call, and why not."""

    rule: str
    action: RuleAction
    is_match: bool
    why: str
    file: str = ""
    line: int = 0


class ExampleResult(Struct, frozen=True, kw_only=True):
    """One example of a rule, and the verdict the rules give it."""

    rule: str
    example: Expectation
    actual: str  # allow, ask, deny, none
    file: str = ""

    @property
    def is_right(self) -> bool:
        """True if the verdict is the expected one."""
        return self.actual == self.example.verdict

    @property
    def where(self) -> str:
        """The place of the example, as `file:line`."""
        return f"{self.file}:{self.example.line}"


def explain(
    rules: RuleSet, action: Action, operations: Operations, commands: tuple[Command, ...] = ()
) -> tuple[ConsideredRule, ...]:
    """Return for each rule, in order of evaluation, whether it matches and why not."""
    return tuple(
        _step(rule, RuleInput(action, operations=operations, commands=commands))
        for rule in sorted(rules.rules, key=_order)
    )


def run_examples(
    rules: RuleSet, judge: Callable[[Mapping[str, Json]], RuleAction | None]
) -> tuple[ExampleResult, ...]:
    """Judge every example of every rule; `judge` takes a payload (`tool_name`, `tool_input`)."""
    return tuple(
        ExampleResult(
            rule=rule.name,
            example=example,
            actual=ACTION_VERDICTS[judge(example.payload)],
            file=rule.file,
        )
        for rule in rules.rules
        for example in rule.expect
    )


def _order(rule: Rule) -> int:
    # Between deny and allow, as `engine._weigh` asks them.
    if rule.is_tightening:
        return 1
    return {RuleAction.DENY: 0, RuleAction.ALLOW: 2, RuleAction.ESCALATE: 3}[rule.action]


def _step(rule: Rule, call: RuleInput) -> ConsideredRule:
    is_match, why = _reading(rule, call)
    return ConsideredRule(
        rule=rule.name,
        action=rule.action,
        is_match=is_match,
        why=why,
        file=rule.file,
        line=rule.line,
    )


def _reading(rule: Rule, call: RuleInput) -> tuple[bool, str]:
    if not speaks_of(rule, call.action.tool):
        return False, f"is about {' or '.join(rule.tools)}, not `{call.action.tool}`"
    candidates = arrange([(0, rule)], {})
    if rule.action is RuleAction.ALLOW:
        covering = cover(candidates, call)
        if covering.rules and covering.coverage.is_complete:
            return True, f"covers everything: {covering.matched}"
        return False, _uncovered(rule, call, covering)
    hit = find(candidates, call)
    if hit is not None:
        return True, f"matches {hit.pattern.describe()}" if hit.pattern else "matches every use"
    return False, _unmatched(rule, call)


def _unmatched(rule: Rule, call: RuleInput) -> str:
    fields = [match.field for match in rule.match if match.field]
    missing = [name for name in fields if not call.values(tuple(name.split("."))).texts]
    if missing:
        return f"no pattern matches; field {', '.join(f'`{name}`' for name in missing)} is missing"
    return "no pattern matches"


def _uncovered(rule: Rule, call: RuleInput, covering: Covering) -> str:
    """Say what of the call an allow rule leaves uncovered, and what is in its way."""
    groups = covering.coverage.uncovered
    left = [o for o in call.operations if o.group in groups]
    command = next((c for c in call.commands if c.index in groups), None)
    source = command.source if command is not None else next((o.source for o in left), "")
    start = "covers nothing" if not covering.rules else "covers only a part"
    part = f" of it; not `{source}`" if source else ""
    why = _obstacle(rule, left, command)
    return f"{start}{part}{f': {why}' if why else ''}"


def _obstacle(rule: Rule, left: list[Operation], command: Command | None) -> str:
    patterns = [pattern for match in rule.match for pattern in match.patterns]
    by_command = [p for p in patterns if isinstance(p, CommandPattern)]
    if command is not None and not any(p.matches(command) for p in by_command):
        command = None if by_command else command
    if command is not None:
        around = _around(command)
        if around:
            return around
    for operation in left:
        if not operation.understood:
            return (
                f"what it does was not understood ({operation.why or operation.program}); an allow"
                " for that says `operation: {program: ..., understood: false}`"
            )
        if not is_unalarming(operation):
            names = ", ".join(sorted(operation.traits)) or f"reach {operation.reach}"
            return f"an allow must name what is alarming in it ({names})"
    return ""


def _around(command: Command) -> str:
    if command.carriers:
        return f"it runs under `{' '.join(command.carriers)}`, which the pattern does not name"
    if not all(word.is_known for word in command.words):
        return "a word of it is not known before it runs"
    if writes_file(command):
        return "it writes to a file by redirection; that takes an operation pattern as well"
    return "" if is_plain_call(command) else "variables or input around it could change it"
