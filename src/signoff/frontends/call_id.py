"""The `id` of a call that cannot be read: found without judging the rest of its text.

Whoever sent many calls must know which one was refused. The text is walked from its start, string
by string, and the value of `id` in the outermost object is taken. An id is echoed only if it is a
string or a number and is there once; all else is no id.

    find_id(b'{"id": 7, "tool_name": "\\u0000"}')  ->  7
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator

from signoff.actions.action import Json
from signoff.frontends.strict_json import MAX_BYTES, MAX_PARTS

ID = "id"
MAX_ID = 256  # characters of a string, digits of a number
MAX_STEPS = 4 * MAX_PARTS  # a text within the limits of strict JSON takes no more
_PLAIN = re.compile(r'[^"{}\[\]]*')  # one class: nothing to go back over, whatever the text

_LENIENT = json.JSONDecoder(strict=False)  # control characters in strings are no obstacle here


def find_id(raw: bytes) -> Json:
    """Return the `id` of a call whose text could not be parsed, None if there is none."""
    text = raw[:MAX_BYTES].decode("utf-8", "replace").removeprefix("\ufeff")
    found: list[Json] = []
    for key, end in _outermost_strings(text):
        if key != ID:
            continue
        colon = _after_blanks(text, end)
        if text[colon : colon + 1] == ":":
            found.append(_scalar(text, _after_blanks(text, colon + 1)))
    return found[0] if len(found) == 1 else None


def _outermost_strings(text: str) -> Iterator[tuple[str, int]]:
    """Yield each string that is in the outermost object itself, and where it ends."""
    at, depth, opened = 0, 0, ""
    for _ in range(MAX_STEPS):
        plain = _PLAIN.match(text, at)
        at = plain.end() if plain else at
        if at == len(text):
            return
        mark = text[at]
        if mark == '"':
            try:
                string, at = _LENIENT.raw_decode(text, at)
            except ValueError:
                return  # it has no end: what follows cannot be distinguished
            if depth == 1 and opened == "{":
                yield string, at
            continue
        if depth == 0:
            opened = mark
        depth += 1 if mark in "{[" else -1
        at += 1


def _after_blanks(text: str, at: int) -> int:
    """Return where the blanks from here end."""
    while text[at : at + 1] in {" ", "\t", "\r", "\n"}:
        at += 1
    return at


def _scalar(text: str, at: int) -> Json:
    """Return the string or number that is here, None if it is neither or too long."""
    try:
        # A piece is enough: a longer id is not echoed, and reading it would cost time.
        value, end = _LENIENT.raw_decode(text[at : at + 2 * MAX_ID])
    except (ValueError, RecursionError):
        return None
    if end > MAX_ID or isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    if isinstance(value, str):
        return value if value.isascii() or _is_utf8(value) else None
    return value if math.isfinite(value) else None


def _is_utf8(text: str) -> bool:
    """Tell whether a text can be written as UTF-8: lone surrogates cannot."""
    try:
        text.encode()
    except UnicodeError:
        return False
    return "\ufffd" not in text  # it stands where bytes could not be decoded
