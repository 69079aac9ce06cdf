"""How people are asked: the section `approval` of the user's settings. A project cannot set it.

approval:
  parties: 3
  too_fast: mark
  groups: {first: team, second: leads, after_s: 120}
  channels:
    telegram: {timeout_s: 120}
    terminal: {up_to: high}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from signoff.assess.level import Level
from signoff.challenge.terms.mode import Mode
from signoff.challenge.terms.plan import (
    LEVEL_REVIEW_S,
    ApprovalPlan,
    ChannelTerms,
    TeachBackBy,
    TooFast,
)
from signoff.documents.convert import convert
from signoff.documents.node import Node

GROUP_NEEDS = {"second": "first", "after_s": "second"}

GroupName = Annotated[str, Meta(max_length=100)]
Seconds = Annotated[float, Meta(ge=0, le=86_400)]
ReviewSeconds = Annotated[float, Meta(ge=0, le=600)]


class GroupsSection(msgspec.Struct, frozen=True, kw_only=True):
    """Which groups of approvers are asked, and when the second one is."""

    first: GroupName = ""
    second: GroupName = ""
    after_s: Seconds = 0.0


class ChannelSection(msgspec.Struct, frozen=True, kw_only=True):
    """What holds for one channel."""

    asked_from: Level = msgspec.field(default=Level.LOW, name="from")
    up_to: Level = Level.CRITICAL
    timeout_s: Seconds = 0.0


class ApprovalSection(msgspec.Struct, frozen=True, kw_only=True):
    """The section as it is written; what is not said is as spec 3, 5 and 6 have it."""

    use_s: Annotated[float, Meta(ge=5, le=600)] = 60.0
    join_s: Annotated[float, Meta(ge=0, le=3_600)] = 60.0
    parties: Annotated[int, Meta(ge=2, le=3)] = 2
    tries: Annotated[int, Meta(ge=1, le=20)] = 3
    recheck: bool = False
    mode: Mode = Mode.REMOTE
    too_fast: TooFast = TooFast.REFUSE
    teach_back: TeachBackBy = TeachBackBy.WORDS
    groups: GroupsSection = GroupsSection()
    review_s: Mapping[Level, ReviewSeconds] = msgspec.field(default_factory=dict)
    channels: Node | None = None


def read_plan(node: Node, *, channels: Sequence[str]) -> ApprovalPlan:
    """Read the section.

    Args:
        channels: the names of all channels there are.

    Raises:
        BadFile: something in it is refused, with its place.
    """
    said, given = convert(node, ApprovalSection), node.fields()
    _check_groups(given.get("groups"))
    terms = said.channels.fields(allowed=channels) if said.channels else {}
    return ApprovalPlan(
        channels=tuple(_terms(name, one) for name, one in terms.items()),
        use_s=said.use_s,
        join_s=said.join_s,
        parties=said.parties,
        tries=said.tries,
        first_group=said.groups.first,
        second_group=said.groups.second,
        escalate_s=said.groups.after_s,
        mode=said.mode,
        too_fast=said.too_fast,
        review_s={**LEVEL_REVIEW_S, **said.review_s},
        teach_back=said.teach_back,
        is_rechecked=said.recheck,
    )


def _check_groups(node: Node | None) -> None:
    groups = node.fields() if node else {}
    for name, needed in GROUP_NEEDS.items():
        if name in groups and needed not in groups:
            raise groups[name].refuse(f"groups: `{name}` has no effect without `{needed}`")


def _terms(name: str, node: Node) -> ChannelTerms:
    node.name = f"channel `{name}`"
    said = convert(node, ChannelSection)
    return ChannelTerms(
        name=name,
        asked_from=said.asked_from,
        settles_up_to=said.up_to,
        timeout_s=said.timeout_s,
    )
