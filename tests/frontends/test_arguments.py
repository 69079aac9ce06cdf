"""Arguments as JSON: exact, bounded, and the same for the same call."""

from __future__ import annotations

import inspect
from collections import OrderedDict
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum, IntEnum
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.actions.action import Json
from signoff.actions.canonical import canonical
from signoff.errors import BadPayload
from signoff.frontends.arguments import bound_arguments


class Colour(Enum):
    """An enumeration."""

    RED = 1


class Size(IntEnum):
    """An enumeration of numbers."""

    BIG = 3


class Plain:
    """A class whose `repr` is its address."""


class Rude:
    """A class that cannot be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


@dataclass
class Point:
    """A class with a `repr` of its own."""

    x: int
    of: object = None


def one(value: object) -> Json:
    """Return one argument as JSON."""

    def function(argument: object) -> None: ...

    return bound_arguments(inspect.signature(function), (value,), {})["argument"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        (5, 5),
        (2**53, "0x20000000000000"),
        (-(2**70), "-0x400000000000000000"),
        (1.5, 1.5),
        (float("inf"), "inf"),
        ("text", "text"),
        ("half \ud800", "half \\ud800"),
        (b"raw \xff", "raw \\xff"),
        ([1, (2, {3})], [1, [2, [3]]]),
        ({"b", "a"}, ["a", "b"]),
        (OrderedDict(a=1), {"a": 1}),
        ({1: "x", None: "y"}, {"1": "x", "None": "y"}),
        (Colour.RED, "Colour.RED"),
        (Size.BIG, "3"),
        (Path("/a/b"), "/a/b"),
        (Decimal("1.10"), "1.10"),
        (date(2026, 1, 2), "2026-01-02"),
        (datetime(2026, 1, 2, tzinfo=UTC), "2026-01-02 00:00:00+00:00"),
        (UUID(int=5), "00000000-0000-0000-0000-000000000005"),
        (Point(1), "Point(x=1, of=None)"),
        (Plain(), f"<{__name__}.Plain>"),
        (Rude(), f"<{__name__}.Rude: no repr: RuntimeError>"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_value_as_json(value: object, expected: Json) -> None:
    """Exactly where JSON can say it, as text where it cannot."""
    assert one(value) == expected


def test_an_address_does_not_make_a_call_another_one() -> None:
    """Two equal calls have one digest."""
    assert one(Point(1, of=Plain())) == one(Point(1, of=Plain()))


def test_a_long_repr_is_told_apart_by_its_digest() -> None:
    """Its end counts though it is not shown."""
    first, second = one(Point(1, of="x" * 5_000 + "a")), one(Point(1, of="x" * 5_000 + "b"))

    assert isinstance(first, str)
    assert (first == second, len(first) < 2_200) == (False, True)


def test_two_keys_that_read_alike_are_refused() -> None:
    """Otherwise one of them would hide the other."""
    with pytest.raises(BadPayload, match="two keys"):
        one({1: "a", "1": "b"})


def test_what_holds_itself_is_refused() -> None:
    """As too deep."""
    endless: list[object] = []
    endless.append(endless)

    with pytest.raises(BadPayload, match="too large"):
        one(endless)


@pytest.mark.parametrize("value", [["x"] * 10_001, "x" * 1_000_001, ["x" * 600_000] * 2])
def test_what_is_too_large_is_refused(value: object) -> None:
    """Not cut: a sign-off covers every byte."""
    with pytest.raises(BadPayload, match="too large"):
        one(value)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner),
        max_leaves=15,
    )
)
def test_any_value_has_a_canonical_form(value: object) -> None:
    """Whatever it is, a sign-off can be bound to it."""
    try:
        assert canonical(one(value))
    except BadPayload as error:
        assert "two keys" in str(error)
