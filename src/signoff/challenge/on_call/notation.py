"""Rotas in the settings: `rotas` of the section `approval`, by the name of the group.

approval:
  groups: {first: ops}
  rotas:
    ops:
      people: [ada, bob, cy]
      first_day: 2026-11-23
      at: "09:00"
      time_zone: Europe/Berlin
      second_line_after_s: 900
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import date, time
from enum import StrEnum
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta

from signoff.actions.vocabulary import lazy_re
from signoff.challenge.on_call.rota import DAY, WEEK, Rota, zone_of
from signoff.documents.convert import convert
from signoff.documents.node import Node

PersonId = Annotated[str, Meta(min_length=1, max_length=200)]
Seconds = Annotated[float, Meta(ge=0, le=86_400)]
CLOCK = lazy_re(r"\A\d\d:\d\d\Z", re.ASCII)
DATE = lazy_re(r"\A\d{4}-\d\d-\d\d\Z", re.ASCII)

Value = TypeVar("Value", date, time)


class TurnLength(StrEnum):
    """Length of an on-call turn."""

    DAY = "day"
    WEEK = "week"


class OtherApprovals(StrEnum):
    """Whether group members who are not on call may approve; everybody may deny."""

    APPROVE = "approve"
    REFUSE = "refuse"


class RotaSection(msgspec.Struct, frozen=True, kw_only=True):
    """One on-call rota as written in the settings file."""

    people: Annotated[tuple[PersonId, ...], Meta(max_length=100)]
    first_day: str
    at: str
    time_zone: str
    turns: TurnLength = TurnLength.WEEK
    second_line_after_s: Seconds = 0.0
    others: OtherApprovals = OtherApprovals.APPROVE


def read_rotas(node: Node | None, *, asked: Collection[str]) -> Mapping[str, Rota]:
    """Read the on-call rotas, by group.

    Args:
        node: the section; None = no rotas.
        asked: the groups that are asked; a rota for another group would have no effect.

    Raises:
        BadFile: a field is not valid; the message names its place.
    """
    found = {}
    for name, one in (node.fields() if node else {}).items():
        if name not in asked:
            said = f"rotas: `{name}` has no effect: `groups` does not name it"
            raise (one.key or one).refuse(said)
        one.name = f"rota `{name}`"
        found[name] = _rota(one)
    return found


def _rota(node: Node) -> Rota:
    said, given = convert(node, RotaSection), node.fields()
    people = given["people"]
    if len(set(said.people)) < len(said.people):
        raise people.refuse(f"{node.name}: a person stands in it twice")
    if said.second_line_after_s and len(said.people) == 1:
        late = given["second_line_after_s"]
        raise late.refuse(f"{node.name}: a second line needs two people at least")
    return Rota(
        people=said.people,
        first_day=_read(given["first_day"], said.first_day, DATE, date, "a date as 2026-11-23"),
        at=_read(given["at"], said.at, CLOCK, time, 'a time as "09:00"'),
        zone=_zone(given["time_zone"], said.time_zone),
        days=DAY if said.turns is TurnLength.DAY else WEEK,
        second_after_s=said.second_line_after_s,
        others_may_approve=said.others is OtherApprovals.APPROVE,
    )


def _read(node: Node, text: str, form: re.Pattern[str], kind: type[Value], expected: str) -> Value:
    """Parse a date or time of day."""
    try:
        if form.match(text):
            return kind.fromisoformat(text)
    except ValueError:
        pass
    raise node.refuse(f"{node.name}: expected {expected}, got `{text}`")


def _zone(node: Node, name: str) -> str:
    """Return the name of a time zone that this machine knows."""
    try:
        zone_of(name)
    # Names that lead out of the folder of zones raise ValueError, others are not found or read.
    except (OSError, ValueError, LookupError):
        raise node.refuse(
            f"{node.name}: expected a time zone as Europe/Berlin or UTC, got `{name}`"
        ) from None
    return name
