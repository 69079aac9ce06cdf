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

import yaml

from signoff.assess.level import Level
from signoff.assess.rules.notation.document import RuleFileErrors, text_of
from signoff.assess.rules.notation.values import nodes_of, number_of, said_or, word_of
from signoff.challenge.terms.mode import Mode
from signoff.challenge.terms.plan import (
    LEVEL_REVIEW_S,
    ApprovalPlan,
    ChannelTerms,
    TeachBackBy,
    TooFast,
)

NAME_LIMIT = 100
FIGURES: Mapping[str, tuple[float, float]] = {
    "use_s": (5, 600),
    "join_s": (0, 3_600),
    "parties": (2, 3),
    "tries": (1, 20),
}
GROUP_KEYS = ("first", "second", "after_s")
GROUP_NEEDS = {"second": "first", "after_s": "second"}
CHANNEL_KEYS = ("from", "up_to", "timeout_s")
SWITCHES = ("recheck",)
APPROVAL_KEYS = (
    *FIGURES,
    *SWITCHES,
    "mode",
    "too_fast",
    "teach_back",
    "groups",
    "review_s",
    "channels",
)
SECONDS = (0.0, 86_400.0)
REVIEW_SECONDS = (0.0, 600.0)


def read_plan(
    node: yaml.Node | None, place: RuleFileErrors, *, channels: Sequence[str]
) -> ApprovalPlan:
    """Read the section; without it the plan is that of spec 3, 5 and 6.

    Args:
        channels: the names of all channels there are.

    Raises:
        BadRules: something in it is refused, with its place.
    """
    nodes = nodes_of(node, place, APPROVAL_KEYS, what="approval")
    groups = nodes_of(nodes.get("groups"), place, GROUP_KEYS, what="groups")
    for name, needed in GROUP_NEEDS.items():
        if name in groups and needed not in groups:
            raise place.refuse(f"groups: `{name}` has no effect without `{needed}`", groups[name])
    plain = ApprovalPlan()
    figure = {
        name: number_of(nodes.get(name), place, name, bounds) for name, bounds in FIGURES.items()
    }
    return ApprovalPlan(
        channels=_channels(nodes.get("channels"), place, channels),
        use_s=said_or(figure["use_s"], plain.use_s),
        join_s=said_or(figure["join_s"], plain.join_s),
        parties=int(said_or(figure["parties"], plain.parties)),
        tries=int(said_or(figure["tries"], plain.tries)),
        first_group=_name(groups.get("first"), place, "first"),
        second_group=_name(groups.get("second"), place, "second"),
        escalate_s=said_or(number_of(groups.get("after_s"), place, "after_s", SECONDS), 0.0),
        mode=word_of(nodes.get("mode"), place, Mode) or plain.mode,
        too_fast=word_of(nodes.get("too_fast"), place, TooFast) or plain.too_fast,
        review_s=_review(nodes.get("review_s"), place),
        teach_back=word_of(nodes.get("teach_back"), place, TeachBackBy) or plain.teach_back,
        is_rechecked=_switch(nodes.get("recheck"), place, "recheck"),
    )


def _channels(
    node: yaml.Node | None, place: RuleFileErrors, names: Sequence[str]
) -> tuple[ChannelTerms, ...]:
    """Read what holds for single channels."""
    nodes = nodes_of(node, place, names, what="channels")
    return tuple(_terms(name, value, place) for name, value in nodes.items())


def _terms(name: str, node: yaml.Node, place: RuleFileErrors) -> ChannelTerms:
    nodes = nodes_of(node, place, CHANNEL_KEYS, what=f"channel `{name[:NAME_LIMIT]}`")
    return ChannelTerms(
        name=name,
        asked_from=word_of(nodes.get("from"), place, Level, what="level") or Level.LOW,
        settles_up_to=word_of(nodes.get("up_to"), place, Level, what="level") or Level.CRITICAL,
        timeout_s=said_or(number_of(nodes.get("timeout_s"), place, "timeout_s", SECONDS), 0.0),
    )


def _review(node: yaml.Node | None, place: RuleFileErrors) -> dict[Level, float]:
    """Read the least seconds of reading by level; what is not said stays as it is."""
    names = [level.value for level in Level]
    nodes = nodes_of(node, place, names, what="review_s")
    return {
        level: said_or(
            number_of(nodes.get(level.value), place, level.value, REVIEW_SECONDS),
            LEVEL_REVIEW_S[level],
        )
        for level in Level
    }


def _switch(node: yaml.Node | None, place: RuleFileErrors, what: str) -> bool:
    """Read true or false; what is not said is false."""
    if node is None:
        return False
    word = text_of(node, place, what=what, limit=10)
    if word not in ("true", "false"):
        raise place.refuse(f"{what}: expected true or false, got `{word}`", node)
    return word == "true"


def _name(node: yaml.Node | None, place: RuleFileErrors, what: str) -> str:
    return "" if node is None else text_of(node, place, what=what, limit=NAME_LIMIT)
