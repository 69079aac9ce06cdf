"""Frozen values that are cheap to make: the judgement makes dozens of them for one call.

A frozen dataclass sets each field through `object.__setattr__`, which looks the field up by name;
`fast_frozen` gives it a constructor that writes its slots directly, in half the time. All else
stays the dataclass's own: the signature, equality, hash, and that nobody can change a field.
`replace` is `dataclasses.replace` in a quarter of its time, for classes marked so.
`IdentityMemo` keeps what was made of a value for when the very same value comes again.

    @fast_frozen
    @dataclass(frozen=True, slots=True, kw_only=True)
    class Point: ...
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from dataclasses import MISSING, Field, fields
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
T = TypeVar("T")
Value = TypeVar("Value")
Made = TypeVar("Made")

KEPT_LIMIT = 2_048
SHORT = 20  # elements


def is_short(value: Sized) -> bool:
    """Tell whether a value of many parts is small enough to be kept."""
    return len(value) <= SHORT


_UNSET = object()

if TYPE_CHECKING:  # the checker knows the fields of what `dataclasses.replace` is given
    from dataclasses import replace as replace
else:

    def replace(value: T, /, **changes: object) -> T:
        """Give the same value with some fields changed.

        Raises:
            TypeError: the class has no such field.
        """
        own = getattr(value, "__replace__", None)
        return dataclasses.replace(value, **changes) if own is None else own(**changes)


class IdentityMemo(Generic[Value, Made]):
    """What is made of a value that never changes, made once while that very value comes again.

    Bounded: at the limit it restarts.

    Args:
        is_kept: tells which values are small enough to be kept; all if it is not given.
    """

    __slots__ = ("_is_kept", "_kept", "_make")

    def __init__(
        self, make: Callable[[Value], Made], *, is_kept: Callable[[Value], bool] | None = None
    ) -> None:
        self._make, self._is_kept = make, is_kept
        self._kept: dict[int, tuple[Value, Made]] = {}

    def __call__(self, value: Value) -> Made:
        """Return what is made of it."""
        known = self._kept.get(id(value))
        if known is not None:  # kept with the value, so that its id stays its own
            return known[1]
        made = self._make(value)
        if self._is_kept is None or self._is_kept(value):
            if len(self._kept) >= KEPT_LIMIT:
                self._kept.clear()
            self._kept[id(value)] = (value, made)
        return made


def fast_frozen(made: type[T]) -> type[T]:
    """Give a frozen, slotted dataclass without `__post_init__` a constructor that costs less.

    Raises:
        TypeError: it is none.
    """
    own = fields(made)  # type: ignore[arg-type]  # what is no dataclass raises here
    if hasattr(made, "__post_init__") or not all(
        one.init and one.name in _slots(made) for one in own
    ):
        raise TypeError(f"`{made.__name__}` cannot be made quickly")
    names: dict[str, object] = {"_UNSET": _UNSET, "_new": object.__new__, "_class": made}
    for one in own:
        names[f"_set_{one.name}"] = getattr(made, one.name).__set__
        names[f"_default_{one.name}"] = one.default
        names[f"_make_{one.name}"] = one.default_factory
    exec(_source(own), names)  # noqa: S102 - made of names of fields, as dataclasses does
    for name in ("__init__", "__replace__"):
        method = names[name]
        method.__qualname__ = f"{made.__qualname__}.{name}"  # type: ignore[attr-defined]  # two functions were made
        setattr(made, name, method)
    return made


def _slots(made: type) -> frozenset[str]:
    return frozenset(name for one in made.__mro__ for name in one.__dict__.get("__slots__", ()))


def _source(own: Iterable[Field[object]]) -> str:
    """The two methods: one parameter and one line a field."""
    plain = [_parameter(one) for one in own if not one.kw_only]
    named = [_parameter(one) for one in own if one.kw_only]
    given = ", ".join(["self", *plain, *(["*", *named] if named else [])])
    sets = [f"    _set_{one.name}(self, {_given(one)})" for one in own]
    kept = ", ".join(f"{one.name}=_UNSET" for one in own)
    copies = [
        f"    _set_{one.name}(made, self.{one.name} if {one.name} is _UNSET else {one.name})"
        for one in own
    ]
    return "\n".join(
        [
            f"def __init__({given}):",
            *sets,
            f"def __replace__(self, *, {kept}):",
            "    made = _new(_class)",
            *copies,
            "    return made",
        ]
    )


def _parameter(one: Field[object]) -> str:
    if one.default is not MISSING:
        return f"{one.name}=_default_{one.name}"
    return one.name if one.default_factory is MISSING else f"{one.name}=_UNSET"


def _given(one: Field[object]) -> str:
    if one.default_factory is MISSING:
        return one.name
    return f"_make_{one.name}() if {one.name} is _UNSET else {one.name}"
