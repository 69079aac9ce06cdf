"""Values of settings as they stand in YAML nodes: the fields of a section, numbers, words of a set.

What is not there is no value, and its reader says what then holds.

    nodes = nodes_of(node, place, ("mode", "tries"), what="stops")
    tries = number_of(nodes.get("tries"), place, "tries", (0, 10))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TypeVar

import yaml

from signoff.assess.rules.notation.document import RuleFileErrors, fields_of, suggest, text_of

NUMBER_LIMIT = 30  # characters
WORD_LIMIT = 200

Word = TypeVar("Word", bound=StrEnum)


def nodes_of(
    node: yaml.Node | None, place: RuleFileErrors, allowed: Iterable[str], *, what: str
) -> Mapping[str, yaml.Node]:
    """Return the values of a section by name; none where nothing is said.

    Raises:
        BadRules: it is no mapping, or has a field that is not allowed.
    """
    if node is None:
        return {}
    found = fields_of(node, place, what=what, allowed=allowed)
    return {name: value for name, (_, value) in found.items()}


def number_of(
    node: yaml.Node | None, place: RuleFileErrors, name: str, bounds: tuple[float, float]
) -> float | None:
    """Return a number within its bounds, None where nothing is said.

    Raises:
        BadRules: it is none, or out of bounds.
    """
    if node is None:
        return None
    text = text_of(node, place, what=name, limit=NUMBER_LIMIT)
    low, high = bounds
    try:
        number = float(text)
    except ValueError:
        raise place.refuse(f"{name}: expected a number, got `{text}`", node) from None
    if not low <= number <= high:
        raise place.refuse(f"{name}: {text} is not between {low:g} and {high:g}", node)
    return number


def word_of(
    node: yaml.Node | None, place: RuleFileErrors, words: type[Word], *, what: str = "word"
) -> Word | None:
    """Return one word out of a closed set, None where nothing is said.

    Raises:
        BadRules: it is not in the set.
    """
    if node is None:
        return None
    return words(name_of(node, place, [word.value for word in words], what=what))


def name_of(node: yaml.Node, place: RuleFileErrors, names: Sequence[str], *, what: str) -> str:
    """Return one of these names.

    Raises:
        BadRules: it is none of them.
    """
    said = text_of(node, place, what=what, limit=WORD_LIMIT)
    if said not in names:
        raise place.refuse(f"unknown {what} `{said}`{suggest(said, names)}", node)
    return said


def said_or(number: float | None, default: float) -> float:
    """Return a number where one was said, else what holds then."""
    return default if number is None else number
