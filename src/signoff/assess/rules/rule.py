"""Rules as values: what a rules file means once it is read and checked.

A `RuleSet` is never changed: a reload or a merge makes a new one. Its digest is taken over what
decides (names, actions, tools, patterns, reasons, the default, in their order), not over layout,
comments or examples, so that two files that judge alike have one digest.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from msgspec import Struct

from signoff.actions.action import Json
from signoff.actions.vocabulary import Vocabulary
from signoff.assess.rules.command_pattern import CommandPattern
from signoff.assess.rules.operation_pattern import OperationPattern
from signoff.assess.rules.pattern import TextPattern

DIGEST_PREFIX = b"signoff-rules-v1\0"

Pattern = TextPattern | CommandPattern | OperationPattern


class RuleAction(Vocabulary):
    """What a rule does with a call it matches."""

    DENY = "deny"
    ALLOW = "allow"
    ESCALATE = "escalate"


class FieldMatch(Struct, frozen=True, kw_only=True):
    """A field and the patterns for it; "" for patterns that belong to no field."""

    field: str
    patterns: tuple[Pattern, ...]


class Expectation(Struct, frozen=True, kw_only=True):
    """An example beside a rule: a call, and the verdict the rules must give it."""

    tool: str
    input: Mapping[str, Json]
    verdict: str  # allow, ask, deny, none
    line: int = 0

    @property
    def payload(self) -> dict[str, Json]:
        """The call as the payload of a tool use."""
        return {"tool_name": self.tool, "tool_input": self.input}


class Rule(Struct, frozen=True, kw_only=True):
    """One rule of a rules file.

    Args:
        tools: tool names, in which `*` matches anything; () = every tool.
        match: at least one of these fields must match; () = every call of the tools.
        is_tightening: True for an escalate rule of a project. It is tested before allow rules,
            as a project may make the user's rules stricter.
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

    @property
    def where(self) -> str:
        """Where it is defined, as `file:line`."""
        return f"{self.file}:{self.line}"


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


class RuleMatch(Struct, frozen=True, kw_only=True, gc=False):
    """The rule that decided a call, and what it matched.

    Args:
        matched: the pattern in words; "every use" for a rule without `match`.
        evidence: the part of the call it matched, at most 200 characters.
        also: names of other allow rules needed to cover the whole call.
    """

    rule: Rule
    matched: str
    evidence: str = ""
    also: tuple[str, ...] = ()

    @property
    def action(self) -> RuleAction:
        """What the rule does with the call."""
        return self.rule.action


class Coverage(Struct, frozen=True, kw_only=True, gc=False):
    """How much of a call the allow rules cover, by `Operation.group`; never what deny rules say."""

    covered: tuple[int, ...] = ()
    uncovered: tuple[int, ...] = ()

    @property
    def is_complete(self) -> bool:
        """True where something is covered and nothing is left."""
        return bool(self.covered) and not self.uncovered


def digest_of(rules: tuple[Rule, ...], unmatched: RuleAction) -> str:
    """SHA-256 of the normalised content, 64 hex digits."""
    content = [
        [
            rule.name,
            rule.action,
            rule.tools,
            [[m.field, [_content(pattern) for pattern in m.patterns]] for m in rule.match],
            rule.reason,
            rule.is_tightening,
        ]
        for rule in rules
    ]
    text = json.dumps({"rules": content, "unmatched": unmatched}, separators=(",", ":"))
    return hashlib.sha256(DIGEST_PREFIX + text.encode()).hexdigest()


def _content(pattern: Pattern) -> Json:
    return pattern.content() if isinstance(pattern, OperationPattern) else pattern.describe()
