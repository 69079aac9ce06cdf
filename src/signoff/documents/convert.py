"""Nodes to structs: a frozen `msgspec.Struct` says which fields there are, and what each may be.

    class Limits(msgspec.Struct, frozen=True, kw_only=True):
        files: Annotated[int, msgspec.Meta(ge=0, le=256)] = 64

    convert(node, Limits)      # signoff.yaml:3:10: files: 300 is not between 0 and 256

Types of fields: structs, `str`, `int`, `float`, `bool`, `StrEnum`, `tuple`, `Mapping`, `T | None`
(None = not said), a class with `parse(text)`, and `Node`, which is passed on as it stands. `Meta`
gives `ge` and `le` of numbers (both are needed), `max_length` of texts, lists and mappings,
`min_length=0` for texts and lists that may be empty, `pattern` of texts, and `description`: what
messages say was expected.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from types import NoneType, UnionType
from typing import Annotated, TypeVar, Union, cast, get_args, get_origin

import msgspec

from signoff.documents.node import Node
from signoff.errors import SignoffError

TEXT_LIMIT = 200  # characters, where nothing else is said
NUMBER_LIMIT = 30
ITEMS_LIMIT = 100
PLAIN = msgspec.Meta()
FormatVersion = Annotated[int, msgspec.Meta(ge=1, le=1, description="1")]

S = TypeVar("S", bound=msgspec.Struct)


def convert(node: Node, struct: type[S]) -> S:
    """Convert a mapping to a msgspec struct, with its names, types and ranges checked.

    Raises:
        BadFile: a field is missing, unknown, or of the wrong type or range.
    """
    infos = msgspec.structs.fields(struct)
    fields = node.fields(allowed=[info.encode_name for info in infos])
    said: dict[str, object] = {}
    for info in infos:
        if info.required:
            node.needed(info.encode_name, fields)
        if info.encode_name in fields:
            said[info.name] = _value(fields[info.encode_name], info.type)
    return struct(**said)


def names_of(struct: type[msgspec.Struct]) -> tuple[str, ...]:
    """Return the names that a struct's fields have in files."""
    return tuple(info.encode_name for info in msgspec.structs.fields(struct))


def _value(node: Node, kind: object, meta: msgspec.Meta = PLAIN) -> object:
    """Convert a node to a type."""
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _value(node, args[0], args[1])
    if origin in (Union, UnionType):
        [inner] = [arg for arg in args if arg is not NoneType]
        return _value(node, inner, meta)
    if origin is tuple:
        return _items(node, args[0], meta)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _entries(node, args[0], args[1], meta)
    return _single(node, cast(type, kind), meta)


def _single(node: Node, kind: type, meta: msgspec.Meta) -> object:
    if kind is Node:
        return node
    if kind in (str, int, float):
        return _text(node, meta) if kind is str else _number(node, kind, meta)
    if kind is bool:
        return node.flag()
    if issubclass(kind, StrEnum):
        return kind(node.word([member.value for member in kind]))
    # A class that reads its own text may be a struct as well.
    if issubclass(kind, msgspec.Struct) and not hasattr(kind, "parse"):
        return convert(node, kind)
    return _parsed(node, kind)


def _items(node: Node, kind: object, meta: msgspec.Meta) -> tuple[object, ...]:
    if node.is_list and meta.min_length == 0 and not node.items():
        return ()
    items = node.one_or_more(limit=meta.max_length or ITEMS_LIMIT)
    for item in items:
        item.name = _singular(item.name)
    return tuple(_value(item, kind) for item in items)


def _singular(name: str) -> str:
    """Name one item of a list: `users` are a list of what is called `user`."""
    return f"{name[:-3]}y" if name.endswith("ies") else name.removesuffix("s")


def _entries(node: Node, key: type[str], kind: object, meta: msgspec.Meta) -> dict[str, object]:
    names = [member.value for member in key] if issubclass(key, StrEnum) else None
    fields, limit = node.fields(allowed=names), meta.max_length or ITEMS_LIMIT
    if len(fields) > limit:
        raise node.refuse(f"{node.name}: {len(fields)} entries (at most {limit})")
    return {key(name): _value(value, kind) for name, value in fields.items()}


def _text(node: Node, meta: msgspec.Meta) -> str:
    # Empty texts are refused where nothing else is said: a blank value is nearly always a slip.
    if meta.min_length == 0 and node.is_blank:
        return node.written
    text = node.text(limit=meta.max_length or TEXT_LIMIT)
    if meta.pattern is not None and not re.search(meta.pattern, text):
        raise node.expected(f"{meta.description}")
    return text


def _number(node: Node, kind: type, meta: msgspec.Meta) -> float:
    what = meta.description or ("a whole number" if kind is int else "a number")
    # Python refuses integers of thousands of digits with an error of its own.
    if not node.may_be_number or len(node.written) > NUMBER_LIMIT:
        raise node.expected(what)
    text = node.written
    number = _figure(text)
    # `nan` passes every comparison with a bound, and `inf` cannot be an integer.
    if not math.isfinite(number) or (kind is int and number != int(number)):
        raise node.refuse(f"{node.name}: expected {what}, got `{text}`")
    if not cast(float, meta.ge) <= number <= cast(float, meta.le):
        if meta.description:
            raise node.refuse(f"{node.name}: expected {what}, got `{text}`")
        raise node.refuse(f"{node.name}: {text} is not between {meta.ge} and {meta.le}")
    return int(number) if kind is int else float(number)


def _figure(text: str) -> float:
    """Read a number, a whole one exactly; what is none is not a number."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return math.nan


def _parsed(node: Node, kind: type) -> object:
    """Read a text by the class that knows what it means."""
    parse = cast(Callable[[str], object], kind.parse)  # type: ignore[attr-defined]  # see the module
    text = node.text(limit=1_000)
    try:
        return parse(text)
    except (SignoffError, ValueError) as error:
        raise node.refuse(f"{node.name}: {error}") from error
