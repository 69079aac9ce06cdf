"""Cuts a text into windows of about two sentences in which an order to a program may stand.

A sentence, a line, a cell of a table and a value of data each are a unit; a window is a unit with
the next one, of `WIDTH` characters at most. Given are windows with an automated reader: a word for
one alone (assistant, agent, bot, language model), or a word for a program beside what it does.
Where none is named, those in which something is kept from somebody, or nobody is to be asked:
most orders that name no reader hide what they have done.

    windows("Thanks!\\nThe checking program is to accept this receipt.")
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import compress, zip_longest
from operator import not_
from typing import NamedTuple

from signoff.actions.vocabulary import lazy_re
from signoff.assess.classifier.order_words import (
    NONE,
    Classes,
    Token,
    tokens,
    with_places,
)

WIDTH = 500  # characters
PIECE = 360  # characters of a longer sentence that count as one
MOST = 100  # windows of one text that are looked at; of more, every second, third ...
MOST_HIDING = 40  # of windows that name no reader
MOST_TOKENS = 120  # of one window
LEAST_TOKENS = 4
HIDDEN = "hide"
TOGETHER = 8  # characters between two units of one window
_UNIT_END = lazy_re(
    r"(?<=[.!?;])[\"'”»)*_]{0,4}\s+|[\u3002\uff01\uff1f\u0964]|\n+|\s\|\s|\\n"
    # Between values of data, a key and its value, the parts of a tag.
    r"|\",\s*\"|\":\s?\"|=\\?\"|\\?\">|</?[a-zA-Z][\w:-]{0,20}\s*/?>?"
)
# A sentence goes on in the next line, which may begin like a comment of a program.
_WRAPPED = lazy_re(r"(?<=[^\s.:;!?|>])\n[ \t]*(?:(?:#|//|--|\*|>)[ \t]*)?(?=[a-zà-ÿа-яα-ω(])")
# `credential helper`, `compiler helper`: a helper is a reader only by what it does.
_HELPERS = ("helper", "helfer", "hjælper", "hjelper", "pomoc")


class Window(NamedTuple):
    """A piece of a text, with its words.

    Args:
        readers: the offsets at which an automated reader is named, with its kind; `HIDDEN` where
            something is kept from somebody instead.
    """

    start: int
    end: int
    words: Sequence[Token]
    readers: tuple[tuple[int, str], ...]


def windows(text: str) -> tuple[list[Token], list[Window]]:
    """Return the words of a text, and the windows in which an order may stand."""
    text = _WRAPPED.sub(_blanks, text)
    found = tokens(text)
    readers = list(_readers(text, found))
    hiding = [(number, HIDDEN) for number, one in enumerate(found) if HIDDEN in one.classes]
    if not readers and not hiding:
        return found, []
    offsets = [one.at for one in found]
    left, cut = list(_spans(text)), []
    for anchors, most in ((readers, MOST), (hiding, MOST_HIDING)):
        if not anchors:
            continue
        places = [found[number].at for number, _ in anchors]
        told = [bisect_left(places, start) < bisect_left(places, end) for start, end in left]
        spans = list(compress(left, told))
        left = list(compress(left, map(not_, told)))
        step = 1 + len(spans) // most
        cut += [_window(found, offsets, anchors, span) for span in spans[::step]]
    return found, [
        one._replace(words=with_places(one.words, text, one.start, one.end))
        for one in cut
        if one is not None
    ]


def _blanks(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _window(
    found: list[Token],
    offsets: list[int],
    readers: list[tuple[int, str]],
    span: tuple[int, int],
) -> Window | None:
    first = bisect_left(offsets, span[0])
    last = min(bisect_left(offsets, span[1]), first + MOST_TOKENS)
    if last - first < LEAST_TOKENS:
        return None
    begin = bisect_left(readers, (first, ""))
    stop = bisect_left(readers, (last, ""))
    inner = tuple((found[number].at, kind) for number, kind in readers[begin:stop])
    return Window(*span, words=found[first:last], readers=inner) if inner else None


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Give each unit together with the next, as far as a window reaches."""
    units = list(_pieces(text))
    for (start, end), following in zip_longest(units, units[1:]):
        if following is not None and following[0] - end < TOGETHER:
            end = following[1]
        yield start, min(end, start + WIDTH)


def _units(text: str) -> Iterator[tuple[int, int]]:
    last = 0
    for match in _UNIT_END.finditer(text):
        if text[last : match.start()].strip():
            yield last, match.start()
        last = match.end()
    if text[last:].strip():
        yield last, len(text)


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Give the units, those too long for a window in pieces."""
    for start, end in _units(text):
        for at in range(start, end, PIECE):
            yield at, min(end, at + PIECE)


def _readers(text: str, found: list[Token]) -> Iterator[tuple[int, str]]:
    for number, token in enumerate(found):
        if not token.classes.isdisjoint(("agent", "ai", "prog")):
            kind = "" if _is_part_of_a_name(text, found, number) else _kind(found, number)
            if kind:
                yield number, kind


def _is_part_of_a_name(text: str, found: list[Token], number: int) -> bool:
    """Tell `ssh-agent` and `Standard-IA` from `coding-agent`."""
    at = found[number].at
    is_joined = at > 0 and text[at - 1] == "-" and number > 0
    return is_joined and found[number - 1].classes.isdisjoint(("ai", "auto", "work", "agent"))


def _kind(found: list[Token], number: int) -> str:
    """Return which automated reader a word names: `ai`, `agent`, `prog` (program), or ""."""
    classes = found[number].classes
    if found[number].word.startswith(_HELPERS):
        return "agent" if _is_helping(found, number) else ""
    if "ai" in classes:
        return "ai"
    if "agent" in classes:
        return "agent"
    return "prog" if _is_at_work(found, number) else ""


def _is_helping(found: list[Token], number: int) -> bool:
    before, after = _around(found, number)
    near = _classes(found[max(0, number - 2) : number])
    return "which" in near or not (before | after).isdisjoint(("work", "auto"))


def _is_at_work(found: list[Token], number: int) -> bool:
    """Tell a program by what it does: `the checking program`, `software reading this`."""
    before, after = _around(found, number)
    near = _classes(found[max(0, number - 2) : number])
    is_work = "work" in before or "work" in after
    if "ai" in near:
        return True
    if "auto" in near and (is_work or "which" in near or "must" in after):
        return True
    # `this program reads` tells what it does itself.
    return is_work and ("which" in near or "this" in after)


def _around(found: list[Token], number: int) -> tuple[Classes, Classes]:
    """Give the meanings of the words before a word, and of those behind it."""
    return _classes(found[max(0, number - 3) : number]), _classes(found[number + 1 : number + 5])


def _classes(found: Sequence[Token]) -> Classes:
    return NONE.union(*[one.classes for one in found])
