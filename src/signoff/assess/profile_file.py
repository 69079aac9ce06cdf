"""Reads a profile from YAML text; what it does not know it refuses, by file and field.

name: finance
floor: 0.1
production: 1.3
always_critical: ["*wire_transfer*"]
terms: {iban: 0.1}
patterns:
  - {field: name, pattern: "pay|transfer", adds: 0.2, reason: moves money}
escalations:
  - {from_risk: 0.8, approvers: 2, reason: two people for large sums}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

import yaml

from signoff.assess.profile import (
    EscalationRule,
    PatternField,
    Profile,
    RiskPattern,
    compile_pattern,
)
from signoff.errors import BadSettings

LONGEST_FILE = 200_000
T = TypeVar("T")

Node = Mapping[object, object]


def load_profile(text: str, *, file: str = "profile") -> Profile:
    """Read one profile.

    Raises:
        BadSettings: it is no YAML, has an unknown or missing field, or a value out of range.
    """
    if len(text) > LONGEST_FILE:
        raise BadSettings(f"{file}: longer than {LONGEST_FILE} characters")
    try:
        return _profile(yaml.safe_load(text))
    except (yaml.YAMLError, ValueError, RecursionError) as problem:
        raise BadSettings(f"{file}: {problem}") from problem


def _profile(node: object) -> Profile:
    top = _mapping(
        node,
        "name patterns terms always_critical always_safe escalations templates floor production",
    )
    name = _text(top.get("name"), "name")
    terms = _mapping(top.get("terms", {}), "")
    templates = _mapping(top.get("templates", {}), "")
    return Profile(
        name=name,
        patterns=_each(top, "patterns", _pattern),
        terms=tuple((_text(k, "terms").casefold(), _share(v, "terms")) for k, v in terms.items()),
        always_critical=_each(top, "always_critical", lambda item: _text(item, "always_critical")),
        always_safe=_each(top, "always_safe", lambda item: _text(item, "always_safe")),
        escalations=_each(top, "escalations", _escalation),
        templates=tuple((_text(k, "templates"), _text(v, k)) for k, v in templates.items()),
        floor=_share(top.get("floor", 0.0), "floor"),
        production=_number(top.get("production", 1.0), "production", 1.0, 10.0),
    )


def _pattern(node: object) -> RiskPattern:
    item = _mapping(node, "field pattern adds reason")
    pattern = _text(item.get("pattern"), "pattern")
    compile_pattern(pattern)
    return RiskPattern(
        field=PatternField(_text(item.get("field"), "field")),
        pattern=pattern,
        adds=_share(item.get("adds"), "adds"),
        reason=_text(item.get("reason", "matches a pattern"), "reason"),
    )


def _escalation(node: object) -> EscalationRule:
    item = _mapping(node, "from_risk approvers block reason")
    is_block = item.get("block", False)
    if not isinstance(is_block, bool):
        raise ValueError(f"`block`: `{is_block}`, expected true or false")
    return EscalationRule(
        from_risk=_share(item.get("from_risk"), "from_risk"),
        approvers=int(_number(item.get("approvers", 1), "approvers", 1, 20)),
        is_block=is_block,
        reason=_text(item.get("reason", "escalated"), "reason"),
    )


def _mapping(node: object, allowed: str) -> Node:
    """Take a mapping; with allowed names given, refuse others."""
    if not isinstance(node, Mapping):
        raise ValueError(f"`{str(node)[:60]}`, expected names with values")
    unknown = [str(key) for key in node if allowed and key not in allowed.split()]
    if unknown:
        raise ValueError(f"unknown field `{unknown[0][:60]}` ({allowed.replace(' ', ', ')})")
    return node


def _each(node: Node, field: str, read: Callable[[object], T]) -> tuple[T, ...]:
    items = node.get(field, [])
    if not isinstance(items, list):
        raise ValueError(f"`{field}`: expected a list")
    return tuple(read(item) for item in items)


def _text(value: object, field: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"`{field}`: `{str(value)[:60]}`, expected text")
    return value


def _share(value: object, field: str) -> float:
    return _number(value, field, 0.0, 1.0)


def _number(value: object, field: str, lowest: float, highest: float) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not isinstance(value, int | float) or not is_number or not lowest <= value <= highest:
        raise ValueError(f"`{field}`: `{str(value)[:60]}`, expected {lowest:g} to {highest:g}")
    return float(value)
