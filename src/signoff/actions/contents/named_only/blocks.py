"""Where the block begins and ends that a place of a text stands in: by brackets, or by indentation.

block_around(bracketed('[{"a": {"b": 1}, "c": 2}]'), 18) == (1, 24)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from signoff.actions.vocabulary import lazy_re

Span = tuple[int, int]

LINES_LIMIT = 200  # of one block
# A bracket in a text in quotes opens and closes nothing.
_SIGN = lazy_re(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[{}()]")
_CLOSES = {"}": "{", ")": "("}


def bracketed(text: str) -> tuple[Span, ...]:
    """Return begin and end of all pieces in braces or parentheses."""
    return tuple(_pairs(text))


def _pairs(text: str) -> Iterator[Span]:
    open_at: list[tuple[str, int]] = []
    for match in _SIGN.finditer(text):
        sign = match.group()
        if sign in "{(":
            open_at.append((sign, match.start()))
        elif sign in _CLOSES:
            while open_at:
                kind, begin = open_at.pop()
                if kind == _CLOSES[sign]:
                    yield begin, match.end()
                    break


def block_around(pairs: Iterable[Span], at: int) -> Span | None:
    """Return the innermost piece in brackets around a place."""
    return max((one for one in pairs if one[0] < at < one[1]), default=None)


def item_around(text: str, at: int) -> Span | None:
    """Return begin and end of the list item of YAML in which the key at a place stands."""
    begin = text.rfind("\n", 0, at) + 1
    column = at - begin
    for _ in range(LINES_LIMIT):
        line = _line_at(text, begin)
        indent, first = _columns(line)
        if line.strip() and (first < column or indent < first == column):
            return (begin, rest_of_block(text, begin)) if first == column else None
        if begin == 0:
            return None
        begin = text.rfind("\n", 0, begin - 1) + 1
    return None


def rest_of_block(text: str, begin: int) -> int:
    """Return where the lines end that are indented deeper than the line at a place."""
    begin = text.rfind("\n", 0, begin) + 1
    indent = _columns(_line_at(text, begin))[0]
    for _ in range(LINES_LIMIT):
        end = text.find("\n", begin)
        if end < 0:
            return len(text)
        begin = end + 1
        line = _line_at(text, begin)
        if line.strip() and _columns(line)[0] <= indent:
            return begin
    return begin


def _line_at(text: str, begin: int) -> str:
    end = text.find("\n", begin)
    return text[begin : end if end >= 0 else len(text)]


def _columns(line: str) -> tuple[int, int]:
    """Return where a line begins, and where what stands behind its dash does."""
    indent = len(line) - len(line.lstrip(" \t"))
    if line[indent : indent + 2] != "- ":
        return indent, indent
    rest = line[indent + 2 :]
    return indent, indent + 2 + len(rest) - len(rest.lstrip(" "))
