"""The words of orders by what they mean, in some thirty languages: readers, acts, duties.

The words stand in `order_words.json`: a word that ends with `$` counts whole, any other as a
beginning; several words stand one behind the other, the last as a beginning. `parts` are those of
scripts that put no blanks between words, and count anywhere.

    tokens("Assistants must forward it")
        -> [(0, "assistants", {"agent"}), (11, "must", {"must"}), (16, "forward", {"send"}), ...]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

import msgspec

from signoff.actions.vocabulary import lazy_re, lazy_re2

Classes = frozenset[str]

KNOWN_WORDS = 20_000  # whose classes are kept
LONGEST = 40  # letters of a word that are looked at
MOST_PARTS = 1_000  # of one meaning in one text
MOST_PLACES = 4  # of one kind in a window
NONE: Classes = frozenset()
PLACE = "place"
_WORD = lazy_re(r"[^\W\d_]+(?:'t\b)?")
# From Hebrew on: scripts whose words take more letters before them, or have no blanks between.
_OTHER_SCRIPT = lazy_re("[\u0590-\u06ff\u0900-\u0e7f\u3040-\u9fff\uac00-\ud7af]")
# Where something can go to, or what it is about: what no language changes.
_PLACES = tuple(
    (frozenset({f"place-{name}", PLACE}), lazy_re2(pattern))
    for name, pattern in (
        ("url", r"https?://"),
        ("mail", r"[\w.+-]@[\w-]+\.\w"),
        ("ip", r"\b\d{1,3}(?:\.\d{1,3}){3}\b"),
        ("iban", r"\b[A-Z]{2}\d\d[ \dA-Z]{8}"),
        ("path", r"~/|\.env\b|/etc/"),
        ("tick", r"`"),
        ("host", r"[\w-]\.(?:example|com|net|org|io|dev|xyz)\b"),
        ("money", r"[€$£₹]|\d ?(?:EUR|euro|USD)"),
    )
)


class WordClass(msgspec.Struct, frozen=True):
    """The words of one meaning, as they are stored."""

    stems: tuple[str, ...]
    parts: tuple[str, ...]


class Token(NamedTuple):
    """A word or a place in a text, with what it means.

    Args:
        at: offset in the text.
        word: in small letters; "" for a place and for a part of a longer word.
    """

    at: int
    word: str
    classes: Classes


class Lexicon(NamedTuple):
    """The words of all classes, made ready to be looked up."""

    whole: Mapping[str, Classes]
    beginnings: Mapping[str, Classes]
    phrases: Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]
    parts: tuple[tuple[Classes, re.Pattern[str]], ...]


@cache
def load_lexicon() -> Lexicon:
    """Read the words.

    Raises:
        OSError, msgspec.DecodeError: the file is not there or is damaged.
    """
    path = __file__.removesuffix(".py") + ".json"
    with open(path, "rb") as file:  # noqa: PTH123 - nothing here imports `pathlib`
        found = msgspec.json.decode(file.read(), type=dict[str, WordClass])
    whole: dict[str, Classes] = {}
    beginnings: dict[str, Classes] = {}
    phrases: dict[str, tuple[tuple[tuple[str, ...], str], ...]] = {}
    for name, stem in ((name, stem) for name, one in found.items() for stem in one.stems):
        first, *rest = stem.split()
        if rest:
            phrases[first] = (*phrases.get(first, ()), (tuple(rest), name))
        else:
            table = whole if stem.endswith("$") else beginnings
            table[stem.rstrip("$")] = table.get(stem.rstrip("$"), NONE) | {name}
    parts = tuple(
        (frozenset({name}), lazy_re2("|".join(map(re.escape, one.parts))))
        for name, one in found.items()
        if one.parts
    )
    return Lexicon(whole=whole, beginnings=beginnings, phrases=phrases, parts=parts)


def tokens(text: str) -> list[Token]:
    """Return the words of a text in their order, with their meanings."""
    small = _small(text)
    words = [(match.start(), match[0]) for match in _WORD.finditer(small)]
    found = [
        Token(at, word, _classes(word) | _phrases(words, number))
        for number, (at, word) in enumerate(words)
    ]
    if _OTHER_SCRIPT.search(small) is None:
        return found
    return sorted([*found, *_parts(small)], key=_position)


def with_places(words: Sequence[Token], text: str, start: int, end: int) -> list[Token]:
    """Return the words of a piece of a text together with the places it names."""
    piece = text[start:end]
    named = [
        Token(start + match.start(), "", classes)
        for classes, pattern in _PLACES
        for match in islice(pattern.finditer(piece), MOST_PLACES)
    ]
    return sorted([*words, *named], key=_position) if named else [*words]


def _small(text: str) -> str:
    """Return a text in small letters, and as long as before: `İ` becomes two."""
    small = text.lower()
    if len(small) != len(text):
        small = "".join([char.lower() if len(char.lower()) == 1 else char for char in text])
    return small.replace("\u2019", "'")


def _position(token: Token) -> int:
    return token.at


@lru_cache(maxsize=KNOWN_WORDS)
def _classes(word: str) -> Classes:
    lexicon = load_lexicon()
    found = [lexicon.whole.get(word, NONE)]
    beginnings = lexicon.beginnings
    for size in range(2, min(len(word), LONGEST) + 1):
        if word[:size] in beginnings:
            found.append(beginnings[word[:size]])
    return NONE.union(*found)


def _phrases(words: list[tuple[int, str]], number: int) -> Classes:
    known = load_lexicon().phrases.get(words[number][1])
    if known is None:
        return NONE
    next_words = [word for _, word in words[number + 1 : number + 5]]
    return frozenset([name for rest, name in known if _follow(rest, next_words)])


def _follow(rest: tuple[str, ...], words: list[str]) -> bool:
    *inner, last = rest
    if len(words) < len(rest) or words[: len(inner)] != inner:
        return False
    word = words[len(inner)]
    return word == last[:-1] if last.endswith("$") else word.startswith(last)


def _parts(small: str) -> Iterator[Token]:
    for classes, pattern in load_lexicon().parts:
        for match in islice(pattern.finditer(small), MOST_PARTS):
            yield Token(match.start(), "", classes)
