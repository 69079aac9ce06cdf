"""Patterns that are searched only in texts with one of their words find what they find alone."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Collection, Iterable, Iterator
from functools import reduce
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from signoff.actions.vocabulary import keyed, lazy_re
from signoff.build.judge import shipped_rules

CORPUS = Path(__file__).parents[1] / "corpus"


TEXTS = 64  # that may stand in one place


def needs(tokens: Iterable[tuple[object, Any]], keys: Collection[str]) -> bool:
    """Return whether every text that these parts of a pattern match has one of the keys in it."""
    before = {""}
    for kind, value in tokens:
        if is_sure(str(kind), value, keys):
            return True
        texts = joined(before, texts_of(str(kind), value))
        if texts and all(any(key in text for key in keys) for text in texts):
            return True
        before = texts or {""}
    return False


def is_sure(kind: str, value: Any, keys: Collection[str]) -> bool:  # noqa: ANN401 - as parsed
    """Return whether each text of one part that consists of others has a key."""
    match kind:
        case "SUBPATTERN":
            return needs(value[-1], keys)
        case "BRANCH":
            return all(needs(way, keys) for way in value[1])
        case "MAX_REPEAT" | "MIN_REPEAT":
            return value[0] > 0 and needs(value[2], keys)
    return False


def texts_of(kind: str, value: Any) -> set[str]:  # noqa: ANN401 - as parsed
    """Return all texts of one part in lower case; none if they are not told."""
    match kind:
        case "LITERAL":
            return {chr(value).casefold()}
        case "AT":
            return {""}
        case "IN" if all(str(one) == "LITERAL" for one, _ in value):
            return {chr(letter).casefold() for _, letter in value}
        case "SUBPATTERN":
            return reduce(joined, [texts_of(str(one), of) for one, of in value[-1]], {""})
        case "BRANCH":
            ways = [texts_of("SUBPATTERN", (way,)) for way in value[1]]
            return set().union(*ways) if all(ways) else set()
    return set()


def joined(first: set[str], second: set[str]) -> set[str]:
    """Return each of one behind each of the other; none if they are too many to tell."""
    texts = {a + b for a, b in product(first, second)}
    return texts if len(texts) <= TEXTS else set()


def keyed_patterns() -> dict[str, re.Pattern[str]]:
    """Return every such pattern of the package by module and name."""
    shipped_rules()  # loads the detectors
    kind = type(keyed(lazy_re("a"), "a"))
    return {
        f"{module}.{name}": found
        for module, room in sorted(sys.modules.items())
        if module.startswith("signoff.")
        for name, found in vars(room).items()
        if isinstance(found, kind)
    }


def lines() -> Iterator[str]:
    """Yield the shell lines that are to be refused or asked about."""
    for file in sorted(CORPUS.glob("attacks-*.jsonl")):
        for row in file.read_text(encoding="utf-8").splitlines():
            command = json.loads(row).get("input", {}).get("command")
            if isinstance(command, str):
                yield command


def test_a_text_without_the_words_is_not_searched() -> None:
    """In any case of letters; one with them is."""
    pattern = keyed(lazy_re(r"(?i)\bxdotool\s+key"), "xdotool")

    assert pattern.search("sleep 1; XdoTool key Return") is not None
    assert pattern.search("xdotool type") is None
    assert pattern.search("ls -la") is None
    assert ["xdotool key"] == [found[0] for found in pattern.finditer("ls; xdotool key y")]
    assert [] == [*pattern.finditer("ls")]


def test_one_word_of_each_group_is_needed() -> None:
    """A text with those of one group alone is not searched."""
    pattern = keyed(lazy_re(r"(?i)\bpin\b.*=="), "pin", "== !=")

    assert pattern.search("PIN == 4") is not None
    assert pattern.search("pin = 4") is None
    assert pattern.search("a == 4") is None


@pytest.mark.parametrize(
    ("source", "keys", "expected"),
    [
        (r"\b(?:hash_?code|crc32)\(", "hash crc", True),
        (r"\b(?:hash_?code|crc32)\(", "hash", False),
        (r"(?:[!=]==?|\beq\b)", "== != eq", True),
        (r"(?:[!=]==?|\beq\b)", "== eq", False),
        (r"(?:pass)?word", "pass", False),
        (r"(?:pass){0,2}word", "pass", False),
        (r"(?:pass)+", "pass", True),
        (r"[^p]ass|pass", "pass", False),
    ],
)
def test_words_that_a_pattern_needs_are_told(source: str, keys: str, expected: bool) -> None:  # noqa: FBT001 - pytest gives it by position
    """By its parts: each of its ways has one of them."""
    parsed = import_module("re._parser").parse(source)

    assert expected is needs(parsed, keys.split())


def test_no_pattern_of_the_package_matches_without_its_words() -> None:
    """Whatever the text is: every way through each pattern has a word of each group."""
    parse = import_module("re._parser").parse
    loose = [
        (name, group)
        for name, pattern in keyed_patterns().items()
        for group in vars(pattern)["groups"]
        if not needs(parse(pattern.pattern), group)
    ]

    assert loose == []


def test_no_pattern_of_the_package_needs_other_words() -> None:
    """Each finds in every dangerous line of the corpus what it finds without its words."""
    patterns = keyed_patterns()
    texts = list(lines())
    missed = [
        (name, text)
        for name, pattern in patterns.items()
        for text in texts
        if pattern.search(text) is None and vars(pattern)["unkeyed"].search(text) is not None
    ]

    assert len(patterns) >= 7
    assert len(texts) > 1_000
    assert missed == []
