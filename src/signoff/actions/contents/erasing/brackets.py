"""Pieces of code between brackets, in any language: arguments, lists, the end of a statement.

inner("f(a, g(b, 1)) + 2", 2)       "a, g(b, 1)"
parts("a, g(b, 1)")                 ("a", "g(b, 1)")
"""

from __future__ import annotations

_LONGEST = 500  # characters of one statement
_MOST = 24
_OPENS, _CLOSES = "([{", ")]}"
_QUOTES = "\"'`"
_GOES_ON = (".", "|>", "->", "?.", "+", "/", "..", "&&", "||")
_OPEN_ENDED = (",", "+", "/", "..", "=", "(", "[", "{", "\\", "|>", "<-")


def inner(text: str, start: int) -> str:
    """Return what stands from `start` to the bracket that closes what is open there."""
    return text[start : _end(text, start, stops=")]}")]


def statement(text: str, start: int) -> str:
    """Return what stands from `start` to the end of its statement."""
    return text[start : _end(text, start, stops=")]};\n")]


def parts(text: str) -> tuple[str, ...]:
    """Return the pieces of a text between commas that stand in no bracket."""
    found: list[str] = []
    at = 0
    while at < len(text) and len(found) < _MOST:
        end = _end(text, at, stops=",")
        found.append(text[at:end].strip())
        at = end + 1
    return tuple([one for one in found if one])


def _end(text: str, start: int, *, stops: str) -> int:
    depth, at, last = 0, start, min(len(text), start + _LONGEST)
    while at < last:
        sign = text[at]
        if sign in _QUOTES:
            at = _behind_text(text, at, last)
            continue
        if depth == 0 and sign in stops and not (sign == "\n" and _goes_on(text, start, at)):
            return at
        depth += (sign in _OPENS) - (sign in _CLOSES)
        at += 1
    return last


def _goes_on(text: str, start: int, at: int) -> bool:
    """Whether the line behind a line's end belongs to the same statement."""
    before = text[start:at].rstrip()
    return not before or before.endswith(_OPEN_ENDED) or text[at:].lstrip().startswith(_GOES_ON)


def _behind_text(text: str, at: int, last: int) -> int:
    """The place behind a literal; a quote that is not closed on its line is none."""
    quote, end = text[at], at + 1
    while end < last and text[end] != quote and text[end] != "\n":
        end += 2 if text[end] == "\\" else 1
    return end + 1 if end < last and text[end] == quote else at + 1
