"""Rules as values: what a rules file means once it is read and checked.

A `RuleSet` is never changed: a reload or a merge makes a new one. Its digest is taken over what
decides (names, actions, tools, patterns, reasons, the default, in their order), not over layout,
comments or examples, so that two files that judge alike have one digest.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from msgspec import Struct

from signoff.actions.action import Json
from signoff.actions.operation import Operation, Operations, Verb
from signoff.actions.vocabulary import Vocabulary
from signoff.assess.finding import Finding
from signoff.assess.rules.command_pattern import CommandPattern
from signoff.assess.rules.operation_pattern import OperationPattern
from signoff.assess.rules.pattern import TextPattern

DIGEST_PREFIX = b"signoff-rules-v1\0"

Pattern = TextPattern | CommandPattern | OperationPattern


class RuleAction(Vocabulary):
    """What a rule does with a call that it matches."""

    DENY = "deny"
    ALLOW = "allow"
    ESCALATE = "escalate"


class FieldMatch(Struct, frozen=True, kw_only=True):
    """A field of a call and its patterns; "" for patterns that belong to no field."""

    field: str
    patterns: tuple[Pattern, ...]


LIMIT_LEVELS = ("low", "medium", "high")


class RuleLimits(Struct, frozen=True, kw_only=True):
    """The limits of an allow rule; a call beyond them is asked about.

    Args:
        level: the highest level it lets through; never CRITICAL.
        findings: categories of findings it lets through; None = any.
        effects: what calls may do, as `effect_of` says it; None = anything.
    """

    level: str = LIMIT_LEVELS[-1]
    findings: frozenset[str] | None = None
    effects: frozenset[str] | None = None

    def allows(self, level: str, findings: Iterable[Finding], operations: Operations) -> bool:
        """Return whether a call with this level, findings and operations is within the limits."""
        if level not in LIMIT_LEVELS[: LIMIT_LEVELS.index(self.level) + 1]:
            return False
        found = {one.category for one in findings if one.detected}
        if self.findings is not None and not found <= self.findings:
            return False
        return self.effects is None or all(
            one.understood and (one.verb is Verb.INERT or effect_of(one) in self.effects)
            for one in operations
        )

    def content(self) -> list[Json]:
        """Return the limits in a fixed order, for the digest of the rules."""
        return [
            self.level,
            None if self.findings is None else sorted(self.findings),
            None if self.effects is None else sorted(self.effects),
        ]


def effect_of(operation: Operation) -> str:
    """Return an operation's kind without its target: `publish repository remote forced`."""
    traits = sorted(trait.value for trait in operation.traits)
    kind = operation.file_kind.value
    what = (operation.verb.value, operation.thing.value, operation.reach.value)
    return " ".join((*what, *((kind,) if kind != "other" else ()), *traits))


class Expectation(Struct, frozen=True, kw_only=True):
    """An example of a rule: a call, and the verdict that the rules must give it."""

    tool: str
    input: Mapping[str, Json]
    verdict: str  # allow, ask, deny, none
    line: int = 0

    @property
    def payload(self) -> dict[str, Json]:
        """The call as a tool-use payload (`tool_name`, `tool_input`)."""
        return {"tool_name": self.tool, "tool_input": self.input}


class Rule(Struct, frozen=True, kw_only=True):
    """One rule of a rules file.

    Args:
        tools: tool names, in which `*` matches anything; () = every tool.
        match: at least one of these fields must match; () = every call of the tools.
        is_tightening: True for an escalate rule of a project. It is tested before allow rules,
            as a project may make the user's rules stricter.
        limits: how far an allow rule reaches; None = as far as its patterns.
        project: root of the project it holds in; "" = everywhere.
        expires_s: when it ends, in seconds since the epoch; 0 = never.
        origin: where a learned rule comes from; "" = a person wrote it.
    """

    name: str
    action: RuleAction
    tools: tuple[str, ...] = ()
    match: tuple[FieldMatch, ...] = ()
    reason: str = ""
    expect: tuple[Expectation, ...] = ()
    file: str = ""
    line: int = 0
    is_tightening: bool = False
    limits: RuleLimits | None = None
    project: str = ""
    expires_s: float = 0.0
    origin: str = ""

    @property
    def where(self) -> str:
        """Where it is defined, as `file:line`."""
        return f"{self.file}:{self.line}"

    def holds(self, project: str, now_s: float) -> bool:
        """Return whether it is in force in a project at a time (seconds since the epoch)."""
        is_over = self.expires_s and now_s >= self.expires_s
        return not is_over and self.project in ("", project)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """The rules in force, in file order, and the action for calls that none of them matches.

    Args:
        sources: paths of the files the rules came from.
        notes: for people: rules that were left out or made stricter, and why.
    """

    rules: tuple[Rule, ...] = ()
    unmatched: RuleAction = RuleAction.ESCALATE
    sources: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "digest", digest_of(self.rules, self.unmatched))

    def __hash__(self) -> int:
        """Hash by digest: compiled forms are kept by it."""
        return hash(self.digest)

    def holding(self, project: str, now_s: float) -> RuleSet:
        """Return the rules in force in a project at a time; the same object if all are."""
        rules = tuple(rule for rule in self.rules if rule.holds(project, now_s))
        if len(rules) == len(self.rules):
            return self
        return RuleSet(
            rules=rules, unmatched=self.unmatched, sources=self.sources, notes=self.notes
        )

    def next_end_s(self, now_s: float) -> float:
        """Return the next expiry after a time, seconds since the epoch; inf if there is none."""
        ends = (rule.expires_s for rule in self.rules if rule.expires_s > now_s)
        return min(ends, default=float("inf"))


class RuleMatch(Struct, frozen=True, kw_only=True, gc=False):
    """The rule that decided a call, and what it matched.

    Args:
        matched: the pattern in words; "every use" for a rule without `match`.
        evidence: the part of the call it matched, at most 200 characters.
        also: names of other allow rules needed to cover the whole call.
        limits: how far the allow rules reach that cover the call.
    """

    rule: Rule
    matched: str
    evidence: str = ""
    also: tuple[str, ...] = ()
    limits: tuple[RuleLimits, ...] = ()

    @property
    def action(self) -> RuleAction:
        """What the rule does with the call."""
        return self.rule.action


class Coverage(Struct, frozen=True, kw_only=True, gc=False):
    """How much of a call allow rules cover, by `Operation.group`."""

    covered: tuple[int, ...] = ()
    uncovered: tuple[int, ...] = ()

    @property
    def is_complete(self) -> bool:
        """True if something is covered and nothing is uncovered."""
        return bool(self.covered) and not self.uncovered


def digest_of(rules: tuple[Rule, ...], unmatched: RuleAction) -> str:
    """Return a SHA-256 of the rules' normalised content, 64 hex digits."""
    content = [
        [
            rule.name,
            rule.action,
            rule.tools,
            [[m.field, [_content(pattern) for pattern in m.patterns]] for m in rule.match],
            rule.reason,
            rule.is_tightening,
            *((rule.limits.content(),) if rule.limits else ()),
        ]
        for rule in rules
    ]
    # Neither the place nor the end of a rule: `holding` has left out what is not in force.
    text = json.dumps({"rules": content, "unmatched": unmatched}, separators=(",", ":"))
    return hashlib.sha256(DIGEST_PREFIX + text.encode()).hexdigest()


def _content(pattern: Pattern) -> Json:
    return pattern.content() if isinstance(pattern, OperationPattern) else pattern.describe()
