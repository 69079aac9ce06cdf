"""Values, how to change one, and how a number of them reads.

The judgement makes dozens of them for one call.

A value is a frozen `msgspec.Struct`. It costs an eighth of a frozen dataclass to make and a
thirtieth to define, and it keeps the same signature, equality, hash and `repr`. A class stays a
dataclass where a field is computed from others or must not show in its `repr`.

`gc=False` keeps a class out of the rounds of Python's collector. Only a class that cannot be part
of a reference cycle may say so: its fields hold values, never callables or open resources.

    class Point(Struct, frozen=True, kw_only=True, gc=False): ...
    count_of(1, "call")  ->  "1 call"
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from msgspec import Struct, structs

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
T = TypeVar("T")

if TYPE_CHECKING:  # mypy checks names and types of the changes for `dataclasses.replace` only
    from dataclasses import replace as replace
else:

    def replace(value: T, /, **changes: object) -> T:
        """Return a copy of a struct or dataclass with some fields changed.

        Raises:
            TypeError: the class has no such field.
        """
        if isinstance(value, Struct):
            return structs.replace(value, **changes)
        return dataclasses.replace(value, **changes)


def count_of(number: Json, one: str, more: str = "") -> str:
    """Return a number with its noun in words: `1 entry`, `2 entries`, `12,000 calls`.

    Args:
        number: a figure, or one of a JSON answer.
        more: the plural; "" = the singular with an `s`.
    """
    shown = f"{number:g}" if isinstance(number, float) else str(number)
    if isinstance(number, int):
        shown = f"{number:,}"
    return f"{shown} {one if shown == '1' else more or one + 's'}"
