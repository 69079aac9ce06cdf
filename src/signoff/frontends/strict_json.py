"""Strict JSON for text from outside: one document, one meaning, bounded work.

Refused: text that is no UTF-8, a second document, a byte order mark, a name given twice in one
object, NaN and Infinity, numbers too big for a double, lone surrogates, NUL characters, nesting
deeper than 64, more than 20,000 parts, more than 1 MiB. What two parsers could read
in two ways is no call: what was judged would not be what is run.

    parse_json(b'{"a": 1, "a": 2}')  ->  BadPayload: name `a` is given twice in one object
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import NoReturn

from msgspec import Struct

from signoff.actions.action import Json
from signoff.challenge.visible import visible
from signoff.errors import BadPayload

MAX_BYTES = 1 << 20
MAX_DEPTH = 64
MAX_PARTS = 20_000  # elements, members, objects and arrays together
MAX_DIGITS = 400  # `int` takes time with the square of the digits

# Both kinds of brackets count as one: what does not pair up is refused by the reading itself.
_SQUARE = bytes.maketrans(b"{}", b"[]")
_NO_MARKS = bytes(set(range(256)) - set(b"[]{},"))


class JsonLimits(Struct, frozen=True, kw_only=True):
    """Limits of a JSON document.

    Args:
        bytes: of the text.
        parts: number of elements, members, objects and arrays.
        has_hidden: True allows NUL characters and lone surrogates in strings.
    """

    bytes: int = MAX_BYTES
    parts: int = MAX_PARTS
    has_hidden: bool = False


STRICT = JsonLimits()


def parse_json(raw: bytes | str, limits: JsonLimits = STRICT) -> Json:
    """Parse one JSON document within limits of size, depth and number of parts.

    Raises:
        BadPayload: with a short reason that quotes at most 40 characters of the text.
    """
    text = _text(raw, limits.bytes)
    _refuse_large(text, limits.parts)
    try:
        value = _decoded(text)
    except BadPayload:
        raise
    except (ValueError, RecursionError) as error:
        raise BadPayload(f"the input is no JSON document: {str(error)[:80]}") from error
    if "\\u" in text and not limits.has_hidden:
        _refuse_hidden(value)
    return value


def _text(raw: bytes | str, limit: int) -> str:
    if len(raw) > limit:
        raise BadPayload(f"payload of {len(raw)} bytes is over the limit of {limit}")
    try:
        if isinstance(raw, str):
            raw.encode()  # a str may hold lone surrogates, which are no UTF-8
            return raw
        return raw.decode()
    except UnicodeError as error:
        raise BadPayload("payload is not UTF-8 text") from error


def _decoded(text: str) -> Json:
    """Decode one document; what has space around it is looked at twice.

    Raises:
        ValueError, RecursionError, BadPayload: it is none.
    """
    value: Json
    if text.startswith("{"):
        value, end = _DECODER.raw_decode(text)
        if end == len(text):
            return value
    value = _DECODER.decode(text)
    return value


def _refuse_large(text: str, most_parts: int) -> None:
    """Refuse deep nesting and too many parts before any reading that costs by depth or part.

    What is inside strings counts only until the cheap counts are over a limit.
    """
    if text.count("[") + text.count("{") <= MAX_DEPTH and text.count(",") <= most_parts:
        return
    # Take strings out (escapes first, so that quotes pair up), keep brackets and commas only.
    bare = text.replace("\\\\", "").replace('\\"', "")
    marks = "".join(bare.split('"')[::2]).encode().translate(_SQUARE, _NO_MARKS)
    brackets = marks.replace(b",", b"")
    if len(marks) - len(brackets) // 2 > most_parts:
        raise BadPayload(f"payload has more than {most_parts} parts")
    # Peel one level a round: what is left after 64 rounds is deeper or does not pair up.
    for _ in range(MAX_DEPTH):
        if not brackets:
            return
        brackets = brackets.replace(b"[]", b"")
    if brackets:
        raise BadPayload(f"payload is nested deeper than {MAX_DEPTH} or its brackets do not pair")


def _refuse_hidden(value: Json) -> None:
    """Refuse what only an escape can bring in: lone surrogates, and NUL but in a web request."""
    plain = json.dumps(value, ensure_ascii=False)
    try:
        plain.encode()
    except UnicodeError as error:
        raise BadPayload("payload holds a lone surrogate") from error
    # json.dumps writes NUL as an escape; a backslash of the text itself comes out doubled.
    is_request = isinstance(value, Mapping) and value.get("hook_event_name") == "HttpRequest"
    if not is_request and "\\u0000" in plain.replace("\\\\", ""):
        raise BadPayload("payload holds a NUL character")


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise BadPayload(f"name `{visible(name[:40])}` is given twice in one object")
            seen.add(name)
    return found


def _constant(name: str) -> NoReturn:
    raise BadPayload(f"number `{name}` is not JSON")


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise BadPayload(f"number of {len(digits)} digits is over the limit of {MAX_DIGITS}")
    return int(digits)


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise BadPayload(f"number `{digits[:40]}` is too big")
    return number


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_constant, parse_int=_integer, parse_float=_float
)
