"""Canonical JSON bytes (RFC 8785): one value, one spelling, whoever writes it.

What `msgspec` spells the same way goes through it, as it is a hundred times faster; everything
else (unusual numbers, keys beyond ASCII) goes through `rfc8785`. What comes again in many larger
values is kept as a `RawJson`, which is neither looked through nor rewritten.

    canonical({"b": 1.0, "a": [True]})         ->  b'{"a":[true],"b":1}'
    encode({"b": 1.0, "a": piece([True])})     ->  the same
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import TypeAlias

import msgspec

from signoff.values import Json as Json

RawJsonTree: TypeAlias = "Json | RawJson | Sequence[RawJsonTree] | Mapping[str, RawJsonTree]"

SAFE_INTEGER = 2**53 - 1
# Counted, as Python 3.12 and later let encoders go deeper than 3.11, and 3.14 as deep as the stack.
MAX_DEPTH = 200
TOO_DEEP = f"nested too deeply for a canonical form (at most {MAX_DEPTH} levels)"

_encode = msgspec.json.Encoder(order="sorted", enc_hook=attrgetter("raw")).encode


class RawJson:
    """A JSON value already serialised canonically, to embed in a larger one; made by `piece`."""

    __slots__ = ("raw", "size")

    def __init__(self, raw: bytes) -> None:
        self.raw = msgspec.Raw(raw)
        self.size = len(raw)

    def holds(self, text: bytes) -> bool:
        """Return whether the canonical bytes contain these bytes."""
        return text in bytes(self.raw)


def piece(value: Json) -> RawJson:
    """Serialise a JSON value for embedding in a larger one.

    Raises:
        ValueError: a number or text in it has no canonical form, or it is nested too deeply.
    """
    return RawJson(canonical(value))


def quoted(text: str) -> bytes:
    """Return the canonical JSON string of a text.

    Raises:
        ValueError: it contains lone surrogates.
    """
    return _encode(text) if type(text) is str else canonical(text)


def json_array(items: Iterable[bytes]) -> RawJson:
    """Return a JSON array of items that are canonical bytes already."""
    return RawJson(b"[" + b",".join(items) + b"]")


def encode(value: RawJsonTree) -> bytes:
    """Return the canonical bytes of a value that may contain `RawJson`.

    Raises:
        ValueError: a number or text in it has no canonical form, or it is nested too deeply.
    """
    return _encode(value) if _is_plain(value) else canonical(_whole(value))


def canonical(value: Json) -> bytes:
    """Return the RFC 8785 bytes of a JSON value.

    Raises:
        ValueError: a number or text has no canonical form, or it is nested too deeply.
    """
    if _is_plain(value):
        return _encode(value)
    _is_shallow(value)
    import rfc8785  # noqa: PLC0415 - `import signoff` loads msgspec alone

    try:
        return rfc8785.dumps(value)
    except RecursionError as error:
        raise ValueError(TOO_DEEP) from error


def _is_plain(value: object) -> bool:
    """Tell whether both encoders spell the value alike.

    Raises:
        ValueError: it is nested too deeply.
    """
    waiting = [value]
    for item in waiting:  # grows on the way
        items: Iterable[object]
        if type(item) is dict:
            if not _are_plain_keys(item):
                return False
            items = item.values()
        else:
            items = item if type(item) is list or type(item) is tuple else (item,)
        for one in items:
            kind = type(one)
            if kind is str or kind is RawJson or (kind is int and abs(one) <= SAFE_INTEGER):
                continue
            if kind is dict or kind is list or kind is tuple:
                waiting.append(one)
            elif kind is not bool and not _is_plain_fraction(one):
                return False
    # What has fewer parts than levels are allowed is not too deep.
    return len(waiting) <= MAX_DEPTH or _is_shallow(value)


def _is_shallow(value: object) -> bool:
    """Return True for a value that is not nested too deeply.

    Raises:
        ValueError: it is.
    """
    level: list[object] = [value]
    for _ in range(MAX_DEPTH + 1):
        below: list[object] = []
        for one in level:
            if isinstance(one, dict):
                below.extend(one.values())
            elif isinstance(one, list | tuple):
                below.extend(one)
        if not below:
            return True
        level = below
    raise ValueError(TOO_DEEP)


def _whole(value: RawJsonTree) -> Json:
    """Return the value with each `RawJson` decoded, for an encoder that does not know it."""
    if isinstance(value, RawJson):
        # A large fraction has no point in its spelling, and no integer is as large.
        whole: Json = json.loads(_encode(value), parse_int=float)
        return whole
    if isinstance(value, dict):
        return {name: _whole(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_whole(member) for member in value]
    return value  # type: ignore[return-value]  # no encoder takes other sequences and mappings


def _are_plain_keys(keys: Iterable[str]) -> bool:
    """Tell whether both encoders sort the keys alike."""
    try:
        return "".join(keys).isascii()
    except TypeError:  # a key that is no text
        return False


def _is_plain_fraction(item: object) -> bool:
    """Tell whether both encoders spell what is left alike: everyday fractions, nothing."""
    if type(item) is float:
        return 1e-4 <= abs(item) < 1e16 and not item.is_integer()
    return item is None
