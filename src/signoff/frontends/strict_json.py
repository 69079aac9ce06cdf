"""Strict JSON for text from outside: one document, one meaning, bounded work.

Refused: text that is no UTF-8, a second document, a byte order mark, a name given twice in one
object, NaN and Infinity, numbers too big for a double, lone surrogates, NUL characters, nesting
deeper than 64, more than 20,000 objects and arrays, more than 1 MiB. What two parsers could read
in two ways is no call: what was judged would not be what is run.

    parse_json(b'{"a": 1, "a": 2}')  ->  BadPayload: name `a` is given twice in one object
"""

from __future__ import annotations

import json
import math
from typing import NoReturn

from signoff.actions.action import Json
from signoff.errors import BadPayload
from signoff.frontends.visible_text import visible

MAX_BYTES = 1 << 20
MAX_DEPTH = 64
MAX_CONTAINERS = 20_000
MAX_DIGITS = 400

_KEEP_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


def parse_json(raw: bytes | str) -> Json:
    """Read one JSON document.

    Raises:
        BadPayload: with a short reason that quotes at most 40 characters of the text.
    """
    text = _text(raw)
    _refuse_deep(text)
    try:
        value: Json = _DECODER.decode(text)
    except BadPayload:
        raise
    except (ValueError, RecursionError) as error:
        raise BadPayload(f"not one JSON document: {str(error)[:80]}") from error
    if "\\u" in text:
        _refuse_hidden(value)
    return value


def _text(raw: bytes | str) -> str:
    if len(raw) > MAX_BYTES:
        raise BadPayload(f"payload of {len(raw)} bytes is over the limit of {MAX_BYTES}")
    try:
        if isinstance(raw, str):
            raw.encode()  # a str may hold lone surrogates, which are no UTF-8
            return raw
        return raw.decode()
    except UnicodeError as error:
        raise BadPayload("payload is not UTF-8 text") from error


def _refuse_deep(text: str) -> None:
    """Refuse deep nesting and too many containers before any recursive reading.

    Brackets inside strings count only until the cheap count is over the limit.
    """
    opened = text.count("[") + text.count("{")
    if opened <= MAX_DEPTH:
        return
    # Take strings out (escapes first, so that quotes pair up), keep the brackets only, then peel
    # one level a round: what is left after 64 rounds is deeper than that or does not pair up.
    bare = text.replace("\\\\", "").replace('\\"', "")
    rest = "".join(bare.split('"')[::2]).encode().translate(None, _KEEP_BRACKETS)
    if rest.count(b"[") + rest.count(b"{") > MAX_CONTAINERS:
        raise BadPayload(f"payload has more than {MAX_CONTAINERS} objects and arrays")
    for _ in range(MAX_DEPTH):
        if not rest:
            return
        rest = rest.replace(b"[]", b"").replace(b"{}", b"")
    if rest:
        raise BadPayload(f"payload is nested deeper than {MAX_DEPTH} or its brackets do not pair")


def _refuse_hidden(value: Json) -> None:
    """Refuse what only an escape can bring in: lone surrogates and NUL."""
    plain = json.dumps(value, ensure_ascii=False)
    try:
        plain.encode()
    except UnicodeError as error:
        raise BadPayload("payload holds a lone surrogate") from error
    # json.dumps writes NUL as an escape; a backslash of the text itself comes out doubled.
    if "\\u0000" in plain.replace("\\\\", ""):
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
