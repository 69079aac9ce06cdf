"""Canonical JSON bytes (RFC 8785): one value, one spelling, whoever writes it.

What the encoder of the standard library spells the same way goes through it, as it is twenty
times faster; everything else (unusual numbers, keys beyond ASCII) goes through `rfc8785`.

    canonical({"b": 1.0, "a": [True]})  ->  b'{"a":[true],"b":1}'
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"

SAFE_INTEGER = 2**53 - 1
SAME_IN_BOTH = frozenset({str, bool, type(None)})
_encode = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode


def canonical(value: Json) -> bytes:
    """Return the canonical bytes of a JSON value.

    Raises:
        ValueError: a number or text in it has no canonical form, or it is nested too deeply.
    """
    try:
        if _is_plain(value):
            return _encode(value).encode("utf-8")
        import rfc8785  # noqa: PLC0415 - `import signoff` loads the standard library only

        return rfc8785.dumps(value)
    except RecursionError as error:
        raise ValueError("nested too deeply for a canonical form") from error


def _is_plain(value: Json) -> bool:
    """Tell whether both encoders spell the value alike."""
    waiting: list[object] = [value]
    while waiting:
        item = waiting.pop()
        if type(item) is dict:
            if not _are_plain_keys(item):
                return False
            items: Iterable[object] = item.values()
        elif type(item) is list or type(item) is tuple:
            items = item
        elif type(item) in SAME_IN_BOTH or _is_plain_number(item):
            continue
        else:
            return False
        waiting += [one for one in items if type(one) not in SAME_IN_BOTH]
    return True


def _are_plain_keys(keys: Iterable[str]) -> bool:
    """Tell whether both encoders sort the keys alike."""
    try:
        return "".join(keys).isascii()
    except TypeError:  # a key that is no text
        return False


def _is_plain_number(item: object) -> bool:
    """Tell whether both encoders spell the number alike: small integers, everyday fractions."""
    if type(item) is int:
        return -SAFE_INTEGER <= item <= SAFE_INTEGER
    if type(item) is float:
        return 1e-4 <= abs(item) < 1e16 and not item.is_integer()
    return False
