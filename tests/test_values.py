"""Values made by a quick constructor are the dataclasses they were."""

from __future__ import annotations

import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, field

import pytest

from signoff.actions.operation import Operation, Verb
from signoff.values import fast_frozen, replace


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class Stone:
    """A value with every kind of field."""

    name: str
    weight_g: int = 1
    marks: dict[str, int] = field(default_factory=dict)


@fast_frozen
@dataclass(frozen=True, slots=True)
class Pair:
    """A value whose fields are given by place."""

    left: int
    right: int = 2


def test_fields_left_out_get_their_defaults() -> None:
    """A default is used, and a made default is made for each value."""
    one, other = Stone(name="a"), Stone(name="a")

    assert ("a", 1, {}) == (one.name, one.weight_g, one.marks)
    assert one.marks is not other.marks


def test_fields_are_given_by_place_where_the_class_says_so() -> None:
    """Order and defaults are those of the class."""
    assert (1, 2) == (Pair(1).left, Pair(1).right)


def test_a_field_that_is_missing_is_an_error() -> None:
    """A field without a default has to be given."""
    with pytest.raises(TypeError, match="name"):
        Stone()  # type: ignore[call-arg]  # what the test is about


def test_nobody_can_change_a_field() -> None:
    """The value stays frozen."""
    with pytest.raises(FrozenInstanceError):
        Stone(name="a").name = "b"  # type: ignore[misc]  # what the test is about


def test_equal_values_are_one_key() -> None:
    """Equality and hash are the dataclass's own."""
    assert {Pair(1)} == {Pair(1, 2), replace(Pair(5), left=1)}


def test_replacing_changes_what_is_given_and_nothing_else() -> None:
    """The other fields are the same objects."""
    stone = Stone(name="a", marks={"x": 1})
    made = replace(stone, weight_g=7)

    assert ("a", 7) == (made.name, made.weight_g)
    assert stone.marks is made.marks


def test_replacing_a_field_there_is_not_is_an_error() -> None:
    """A wrong name is refused, as `dataclasses.replace` does."""
    with pytest.raises(TypeError, match="colour"):
        replace(Pair(1), colour=3)  # type: ignore[call-arg]  # what the test is about


def test_replacing_works_on_any_dataclass() -> None:
    """A class that is not made quickly is replaced all the same."""

    @dataclass(frozen=True)
    class Plain:
        size: int

    assert 2 == replace(Plain(size=1), size=2).size


def test_the_signature_is_the_fields() -> None:
    """What is shown of the constructor says which fields are given by name."""
    kinds = {one.kind for name, one in inspect.signature(Operation).parameters.items()}

    assert {inspect.Parameter.KEYWORD_ONLY} == kinds


def test_a_value_can_be_pickled() -> None:
    """It goes to another process and comes back equal."""
    operation = Operation(verb=Verb.READ, target="a")

    assert operation == pickle.loads(pickle.dumps(operation))


def test_a_class_that_does_more_when_made_is_refused() -> None:
    """`__post_init__` would not be called."""
    with pytest.raises(TypeError, match="Late"):

        @fast_frozen
        @dataclass(frozen=True, slots=True)
        class Late:
            size: int

            def __post_init__(self) -> None:
                """Never called."""
