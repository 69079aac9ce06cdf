"""Rules against one call: deny, then allow, then escalate, then nothing.

Rules kept here:
- A deny or escalate rule holds if any part of the call matches it.
- An allow rule holds only if allow rules together cover every part (`coverage.py`).
- A project's escalate rules are weighed before allow rules: a project may tighten.
- Inside an action the first rule in file order gives its name; the verdict is that of any order.
- A call too big to be read whole against the deny rules is never allowed.

    evaluate(rules, action, operations, commands)  -> RuleMatch(rule=no-force-push, ...) or None
"""

from __future__ import annotations

from typing import NamedTuple

from signoff.actions.action import Action
from signoff.actions.operation import Operations
from signoff.actions.shell.command import Command
from signoff.assess.rules.call import RuleInput
from signoff.assess.rules.coverage import Covering, cover
from signoff.assess.rules.index import (
    Candidates,
    FieldPlan,
    MatchPlan,
    globs_for,
    is_found,
    passes_gate,
    patterns_for,
    plan_for,
)
from signoff.assess.rules.pattern import is_normal
from signoff.assess.rules.rule import Coverage, Pattern, Rule, RuleAction, RuleMatch, RuleSet

EVIDENCE_LIMIT = 200

TOO_BIG = Rule(
    name="too-big-to-check",
    action=RuleAction.ESCALATE,
    reason="the call is too big to be checked against the rules",
    file="built-in",
)


class Weighing(NamedTuple):
    """The rule that decides a call, and how much of the call allow rules cover."""

    match: RuleMatch | None
    coverage: Coverage


class Hit(NamedTuple):
    """A pattern that matched; `pattern` is None for a rule without `match`."""

    at: int
    pattern: Pattern | None
    evidence: str


def evaluate(
    rules: RuleSet, action: Action, operations: Operations, commands: tuple[Command, ...] = ()
) -> RuleMatch | None:
    """Return the rule that decides a call; None leaves it to `rules.unmatched`."""
    call = RuleInput(action, operations=operations, commands=commands)
    return _weigh(rules, plan_for(rules, action.tool), call)[0]


def weigh(
    rules: RuleSet, action: Action, operations: Operations, commands: tuple[Command, ...] = ()
) -> Weighing:
    """Return the rule that decides a call, and what allow rules cover of it."""
    plan = plan_for(rules, action.tool)
    call = RuleInput(action, operations=operations, commands=commands)
    match, covering = _weigh(rules, plan, call)
    return Weighing(match, (covering or cover(plan.allow, call)).coverage)


def _weigh(
    rules: RuleSet, plan: MatchPlan, call: RuleInput
) -> tuple[RuleMatch | None, Covering | None]:
    """Find the rule that settles a call; without allow rules nothing is asked of coverage."""
    match = None if plan.deny.is_empty else _settle(rules, plan.deny, call)
    covering = None if plan.allow.is_empty else cover(plan.allow, call)
    # Not before: whether a call is too big shows while deny and allow rules read it.
    if match is None and call.is_incomplete:
        match = RuleMatch(rule=TOO_BIG, matched="the size of the call")
    if match is None and not plan.tighten.is_empty:
        match = _settle(rules, plan.tighten, call)
    if match is None and covering and covering.rules and covering.coverage.is_complete:
        first, *others = covering.rules
        match = RuleMatch(
            rule=rules.rules[first],
            matched=covering.matched,
            evidence=covering.evidence[:EVIDENCE_LIMIT],
            also=tuple(rules.rules[at].name for at in others),
            limits=tuple(
                one for at in covering.rules if (one := rules.rules[at].limits) is not None
            ),
        )
    if match is None and not plan.escalate.is_empty:
        match = _settle(rules, plan.escalate, call)
    return match, covering


def _settle(rules: RuleSet, candidates: Candidates, call: RuleInput) -> RuleMatch | None:
    hit = find(candidates, call)
    if hit is None:
        return None
    return RuleMatch(
        rule=rules.rules[hit.at],
        matched=hit.pattern.describe() if hit.pattern is not None else "every use",
        evidence=hit.evidence[:EVIDENCE_LIMIT],
    )


def find(candidates: Candidates, call: RuleInput) -> Hit | None:
    """Return the first rule that any part of the call matches loosely, None if none does."""
    hits = [Hit(candidates.always[0], None, "")] if candidates.always else []
    if candidates.commands:
        _find_commands(candidates, call, hits)
    if candidates.operations:
        _find_operations(candidates, call, hits)
    for plan in candidates.fields:
        _find_texts(plan, call, hits)
    return min(hits, key=lambda hit: hit.at) if hits else None


def _find_commands(candidates: Candidates, call: RuleInput, hits: list[Hit]) -> None:
    for spoken in (*call.spoken, *call.nested):
        for at, pattern in patterns_for(candidates, spoken):
            if pattern.matches(spoken.command):
                hits.append(Hit(at, pattern, spoken.command.source))


def _find_operations(candidates: Candidates, call: RuleInput, hits: list[Hit]) -> None:
    by_verb = candidates.operations
    for operation in call.operations:
        for at, pattern, prefixes in by_verb.get(operation.verb, ()):
            path = operation.path
            # A path with dots may lead below a prefix that it does not begin with.
            if prefixes and is_normal(path) and not f"{path}/".startswith(prefixes):
                continue
            if pattern.matches(operation):
                hits.append(Hit(at, pattern, operation.source or operation.target))


def _find_texts(plan: FieldPlan, call: RuleInput, hits: list[Hit]) -> None:
    for text in call.values(plan.path).texts:
        literal = plan.literals.get(text.value)
        if literal is not None:
            hits.append(Hit(*literal, text.value))
        hits.extend(Hit(at, glob, text.value) for at, glob in globs_for(plan, text, call))
        if plan.regexes and passes_gate(plan, text, call):
            hits.extend(
                Hit(at, regex, text.value)
                for at, regex in plan.regexes
                if is_found(regex, text, call)
            )
