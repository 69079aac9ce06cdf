"""The arguments of a Python call as JSON values: bound by name, defaults filled in, bounded.

A sign-off is bound to these values, so nothing is cut out of them: what is too large to be shown
in full is refused instead. Values of unknown types stand as their `repr`, without the addresses
that would make every call another one; of a `repr` too long the digest stands for the rest.
"""

from __future__ import annotations

import hashlib
import inspect
import math
import os
import re
from collections.abc import Mapping
from datetime import date, time
from decimal import Decimal
from enum import Enum
from uuid import UUID

from signoff.actions.action import Json
from signoff.actions.canonical import SAFE_INTEGER, canonical
from signoff.errors import BadPayload

DEPTH_LIMIT = 16
NODES_LIMIT = 10_000
TEXT_LIMIT = 1_000_000  # characters of all texts together
REPR_LIMIT = 2_000
COPIED = (list, tuple, set, frozenset)  # exactly these: what is made of them may do more
ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]{4,16}")


def bound_arguments(
    signature: inspect.Signature, args: tuple[object, ...], kwargs: Mapping[str, object]
) -> dict[str, Json]:
    """Return a call's arguments by parameter name, in JSON form.

    The caller leaves out `self` and `cls`.

    Raises:
        TypeError: they do not fit the function.
        BadPayload: they are too large or too deep to be signed off.
    """
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    budget = _Budget()
    return {name: budget.json_of(value, depth=0) for name, value in bound.arguments.items()}


def named_arguments(arguments: Mapping[str, object]) -> dict[str, Json]:
    """Return arguments that have names already, in JSON form.

    Raises:
        BadPayload: they are too large or too deep to be signed off.
    """
    budget = _Budget()
    return {str(name): budget.json_of(value, depth=0) for name, value in arguments.items()}


def kept_values(
    args: tuple[object, ...], kwargs: Mapping[str, object]
) -> tuple[tuple[object, ...], dict[str, object]]:
    """Copy the containers in arguments, so that the caller cannot change what is judged.

    Values of other types stay the same objects, as a copy of a connection is no connection.

    Raises:
        BadPayload: they are too deep to be signed off.
    """
    return (
        tuple(_kept(value, depth=0) for value in args),
        {name: _kept(value, depth=0) for name, value in kwargs.items()},
    )


def _kept(value: object, *, depth: int) -> object:
    """Return a copy of a plain container with copies of what it holds; anything else itself."""
    if depth > DEPTH_LIMIT:
        raise BadPayload(f"arguments too large to be signed off: over {DEPTH_LIMIT} levels")
    if type(value) is dict:
        return {key: _kept(item, depth=depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset) and type(value) in COPIED:
        return type(value)(_kept(item, depth=depth + 1) for item in value)
    return bytearray(value) if type(value) is bytearray else value


def changed_call(
    bound: inspect.BoundArguments, before: Mapping[str, Json], changed: Mapping[str, Json]
) -> inspect.BoundArguments:
    """Return a call with the arguments that a person changed.

    Args:
        bound: the call as it was made.
        before: its arguments as they were asked about; what is not in them stays.
        changed: the same as they were approved.

    Raises:
        BadPayload: the function cannot be given them.
    """
    if other := before.keys() ^ changed.keys():
        raise BadPayload(f"`{min(other)[:40]}` can be neither added nor taken away")
    for name, value in changed.items():
        # What nobody changed stays the object that was given, which may be more than its JSON.
        if canonical(before[name]) != canonical(value):
            bound.arguments[name] = _like(name, bound.arguments[name], value)
    return bound


def _like(name: str, given: object, value: Json) -> object:
    """Return a changed value as the type that the function was given."""
    match given, value:
        case tuple(), list() if all(map(_is_plain, given)):
            return tuple(value)
        # JSON has one kind of number, so 2.0 may come back as 2.
        case float(), int() if type(given) is float and type(value) is int:
            return float(value)
    if type(given) is type(value) and _is_plain(given):
        return value
    raise BadPayload(f"`{name[:40]}` cannot be changed: it is no plain value of that kind")


def _is_plain(value: object) -> bool:
    """Tell whether a value is exactly what JSON says of it."""
    if type(value) is list:
        return all(map(_is_plain, value))
    if type(value) is dict:
        return all(isinstance(key, str) and _is_plain(one) for key, one in value.items())
    return type(value) in (type(None), bool, int, float, str)


class _Budget:
    """Turns the values of one call into JSON while there is room."""

    def __init__(self) -> None:
        self.nodes_left = NODES_LIMIT
        self.text_left = TEXT_LIMIT

    def json_of(self, value: object, *, depth: int) -> Json:
        """Convert one value to JSON; raise if the budget is used up."""
        self.nodes_left -= 1
        if self.nodes_left < 0 or depth > DEPTH_LIMIT:
            raise BadPayload(
                f"arguments too large to be signed off: over {NODES_LIMIT} values or"
                f" {DEPTH_LIMIT} levels; pass a name or a path instead"
            )
        match value:
            case None | bool():
                return value
            case Mapping():
                return self._mapping(value, depth)
            case list() | tuple() | set() | frozenset():
                # A set has no order of its own: without one the digest would differ from run to
                # run.
                items = sorted(value, key=repr) if isinstance(value, set | frozenset) else value
                return [self.json_of(item, depth=depth + 1) for item in items]
        return self._plain(value)

    def _plain(self, value: object) -> Json:
        """Return a value that holds no others."""
        match value:
            case Enum() | date() | time() | Decimal() | UUID() | os.PathLike():
                return self._text(str(value))
            case int():
                # Larger ones lose digits where JSON numbers are doubles (RFC 8785), and two calls
                # would be one.
                return int(value) if abs(value) <= SAFE_INTEGER else self._text(hex(value))
            case float():
                return float(value) if math.isfinite(value) else repr(value)
            case str():
                return self._text(value)
            case bytes():
                return self._text(value.decode("utf-8", "backslashreplace"))
        return self._text(shown(value))

    def _text(self, text: str) -> str:
        """Return a text that has a canonical form, if there is room for it."""
        self.text_left -= len(text)
        if self.text_left < 0:
            raise BadPayload(
                f"arguments too large to be signed off: over {TEXT_LIMIT} characters;"
                " pass a name or a path instead"
            )
        return text.encode("utf-8", "backslashreplace").decode("utf-8")

    def _mapping(self, value: Mapping[object, object], depth: int) -> dict[str, Json]:
        """Return a mapping; two keys that read alike are refused."""
        found: dict[str, Json] = {}
        for key, item in value.items():
            name = self._text(key if isinstance(key, str) else shown(key))
            if name in found:
                raise BadPayload(f"two keys of one mapping read `{name[:60]}`")
            found[name] = self.json_of(item, depth=depth + 1)
        return found


def shown(value: object) -> str:
    """Return any value as text; equal values give equal text."""
    kind = f"{type(value).__module__}.{type(value).__qualname__}"
    # It says nothing but an address, which is another one in each run.
    if type(value).__repr__ is object.__repr__:
        return f"<{kind}>"
    try:
        text = ADDRESS.sub("", repr(value))
    except Exception as error:  # noqa: BLE001 - a foreign __repr__ may raise anything
        return f"<{kind}: no repr: {type(error).__name__}>"
    if len(text) <= REPR_LIMIT:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
    return f"{text[:REPR_LIMIT]}...[{len(text):,} characters, sha256 {digest}]"
