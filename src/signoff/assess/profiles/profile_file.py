"""Reads a profile from YAML text; what it does not know it refuses, by file, line and column.

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

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from signoff.assess.profiles.profile import (
    EscalationRule,
    Profile,
    ProfileText,
    RiskPattern,
    Share,
    compile_pattern,
)
from signoff.documents.convert import convert
from signoff.documents.node import FileForm, Node
from signoff.documents.reading import read_yaml
from signoff.errors import BadSettings

FORM = FileForm(
    what="a profile", expected="names with values", error=BadSettings, bytes_limit=200_000
)
SOME = Meta(min_length=0, max_length=10_000)


class ProfileFile(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a profile file, as written."""

    name: ProfileText
    patterns: Annotated[tuple[Node, ...], SOME] = ()
    terms: Annotated[Mapping[str, Share], SOME] = msgspec.field(default_factory=dict)
    always_critical: Annotated[tuple[ProfileText, ...], SOME] = ()
    always_safe: Annotated[tuple[ProfileText, ...], SOME] = ()
    escalations: Annotated[tuple[EscalationRule, ...], SOME] = ()
    templates: Annotated[Mapping[str, ProfileText], SOME] = msgspec.field(default_factory=dict)
    floor: Share = 0.0
    production: Annotated[float, Meta(ge=1, le=10)] = 1.0
    staging: Annotated[float, Meta(ge=1, le=10)] = 1.0
    development: Annotated[float, Meta(ge=0.5, le=1)] = 1.0


def load_profile(text: str, *, file: str = "profile") -> Profile:
    """Parse one profile file.

    Raises:
        BadSettings: it is no YAML, has an unknown or missing field, or a value out of range.
    """
    said = convert(read_yaml(text, file=file, form=FORM), ProfileFile)
    return Profile(
        name=said.name,
        patterns=tuple(_pattern(node) for node in said.patterns),
        # As the text of a call is folded before it is searched for them.
        terms=tuple((word.casefold(), share) for word, share in said.terms.items()),
        always_critical=said.always_critical,
        always_safe=said.always_safe,
        escalations=said.escalations,
        templates=tuple(said.templates.items()),
        floor=said.floor,
        production=said.production,
        staging=said.staging,
        development=said.development,
    )


def _pattern(node: Node) -> RiskPattern:
    pattern = convert(node, RiskPattern)
    try:
        # Now, so that a bad one is refused by its line and not when a call meets it.
        compile_pattern(pattern.pattern)
    except ValueError as error:
        raise node.fields()["pattern"].refuse(f"pattern: {error}") from error
    return pattern
