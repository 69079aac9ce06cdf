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

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TypeVar

import yaml

from signoff.assess.level import Level
from signoff.assess.rules.notation.document import Place, fields_of, suggest, text_of
from signoff.challenge.terms.mode import Mode
from signoff.challenge.terms.plan import LEVEL_REVIEW_S, ChannelTerms, Plan, TooFast

NAME_LIMIT = 100
FIGURES: Mapping[str, tuple[float, float]] = {
    "use_s": (5, 600),
    "join_s": (0, 3_600),
    "parties": (2, 3),
    "tries": (1, 20),
}
GROUP_KEYS = ("first", "second", "after_s")
CHANNEL_KEYS = ("from", "up_to", "timeout_s")
APPROVAL_KEYS = (*FIGURES, "mode", "too_fast", "groups", "review_s", "channels")
SECONDS = (0.0, 86_400.0)
REVIEW_SECONDS = (0.0, 600.0)

Nodes = Mapping[str, yaml.Node]


def read_plan(node: yaml.Node | None, place: Place) -> Plan:
    """Read the section; without it the plan is that of spec 3, 5 and 6.

    Raises:
        BadRules: something in it is refused, with its place.
    """
    nodes = _nodes(node, place, APPROVAL_KEYS, what="approval")
    groups = _nodes(nodes.get("groups"), place, GROUP_KEYS, what="groups")
    plain = Plan()
    figure = {
        name: _number(nodes.get(name), place, name, bounds) for name, bounds in FIGURES.items()
    }
    return Plan(
        channels=_channels(nodes.get("channels"), place),
        use_s=_or(figure["use_s"], plain.use_s),
        join_s=_or(figure["join_s"], plain.join_s),
        parties=int(_or(figure["parties"], plain.parties)),
        tries=int(_or(figure["tries"], plain.tries)),
        first_group=_name(groups.get("first"), place, "first"),
        second_group=_name(groups.get("second"), place, "second"),
        escalate_s=_or(_number(groups.get("after_s"), place, "after_s", SECONDS), 0.0),
        mode=_word(nodes.get("mode"), place, Mode, plain.mode),
        too_fast=_word(nodes.get("too_fast"), place, TooFast, plain.too_fast),
        review_s=_review(nodes.get("review_s"), place),
    )


def _channels(node: yaml.Node | None, place: Place) -> tuple[ChannelTerms, ...]:
    """Read what holds for single channels."""
    found = () if node is None else fields_of(node, place, what="channels").items()
    return tuple(_terms(name, value, place) for name, (_, value) in found)


def _terms(name: str, node: yaml.Node, place: Place) -> ChannelTerms:
    nodes = _nodes(node, place, CHANNEL_KEYS, what=f"channel `{name[:NAME_LIMIT]}`")
    return ChannelTerms(
        name=name,
        asked_from=_level(nodes.get("from"), place, Level.LOW),
        settles_up_to=_level(nodes.get("up_to"), place, Level.CRITICAL),
        timeout_s=_or(_number(nodes.get("timeout_s"), place, "timeout_s", SECONDS), 0.0),
    )


def _review(node: yaml.Node | None, place: Place) -> dict[Level, float]:
    """Read the least seconds of reading by level; what is not said stays as it is."""
    names = [level.value for level in Level]
    nodes = _nodes(node, place, names, what="review_s")
    return {
        level: _or(
            _number(nodes.get(level.value), place, level.value, REVIEW_SECONDS),
            LEVEL_REVIEW_S[level],
        )
        for level in Level
    }


def _nodes(node: yaml.Node | None, place: Place, allowed: Iterable[str], *, what: str) -> Nodes:
    if node is None:
        return {}
    found = fields_of(node, place, what=what, allowed=tuple(allowed))
    return {name: value for name, (_, value) in found.items()}


def _name(node: yaml.Node | None, place: Place, what: str) -> str:
    return "" if node is None else text_of(node, place, what=what, limit=NAME_LIMIT)


def _level(node: yaml.Node | None, place: Place, default: Level) -> Level:
    if node is None:
        return default
    said = text_of(node, place, what="level", limit=NAME_LIMIT)
    names = [level.value for level in Level]
    if said not in names:
        raise place.refuse(f"unknown level `{said}`{suggest(said, names)}", node)
    return Level(said)


Word = TypeVar("Word", bound=StrEnum)


def _word(node: yaml.Node | None, place: Place, words: type[Word], default: Word) -> Word:
    if node is None:
        return default
    said = text_of(node, place, what="word", limit=NAME_LIMIT)
    names = [word.value for word in words]
    if said not in names:
        raise place.refuse(f"unknown word `{said}`{suggest(said, names)}", node)
    return words(said)


def _number(
    node: yaml.Node | None, place: Place, name: str, bounds: tuple[float, float]
) -> float | None:
    if node is None:
        return None
    text = text_of(node, place, what=name, limit=30)
    low, high = bounds
    try:
        number = float(text)
    except ValueError:
        raise place.refuse(f"{name}: expected a number, got `{text}`", node) from None
    if not low <= number <= high:
        raise place.refuse(f"{name}: {text} is not between {low:g} and {high:g}", node)
    return number


def _or(number: float | None, default: float) -> float:
    return default if number is None else number
