"""Canonical bytes: the quick way and RFC 8785 spell every value alike."""

from __future__ import annotations

import math

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from signoff.actions.action import Json
from signoff.actions.canonical import canonical, encode, json_array, piece, quoted

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
NUMBERS = st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False)
VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=20,
)


@given(VALUES)
def test_every_value_is_spelled_like_rfc_8785(value: Json) -> None:
    """The quick way never differs from the reference."""
    assert rfc8785.dumps(value) == canonical(value)


@pytest.mark.parametrize(
    "number",
    [0.0, -0.0, 1.0, 1e16, 123456789012345680.0, 1e-4, 9.9e-5, 1e-7, 5e-324, 1.7e308, 0.1 + 0.2],
)
def test_numbers_at_the_edges_are_spelled_like_rfc_8785(number: float) -> None:
    """Where the two notations part, the reference is used."""
    assert rfc8785.dumps([number, -number]) == canonical([number, -number])


@pytest.mark.parametrize("value", [math.nan, math.inf, 2**53, "\ud800", {"\udfff": 1}])
def test_what_has_no_canonical_form_is_refused(value: Json) -> None:
    """No number, too large an integer, or half a character."""
    with pytest.raises(ValueError, match=r".+"):
        canonical({"value": value})


def test_a_bottomless_value_is_refused() -> None:
    """Nesting beyond what can be walked is an error, not a crash."""
    value: Json = []
    for _ in range(100_000):
        value = [value]

    with pytest.raises(ValueError, match="nested too deeply"):
        canonical(value)


def nested(value: Json, levels: int) -> Json:
    """Put a value into lists."""
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize("inner", ["plain", 1e300])
def test_the_limit_of_nesting_is_the_same_on_every_python(inner: Json) -> None:
    """200 levels have a canonical form and 201 have none, whoever encodes what is inside."""
    assert canonical(nested(inner, 200)).count(b"[") == 200
    with pytest.raises(ValueError, match="nested too deeply"):
        canonical(nested(inner, 201))


@given(st.dictionaries(TEXTS, VALUES), st.lists(VALUES))
def test_pieces_are_spelled_like_what_they_stand_for(
    members: dict[str, Json], items: list[Json]
) -> None:
    """As members and in a list, beside plain values and beside strange ones."""
    whole: dict[str, Json] = {**members, "items": items, "again": members}

    pieced = encode({**members, "items": [piece(item) for item in items], "again": piece(members)})

    assert canonical(whole) == pieced


@pytest.mark.parametrize("value", [math.nan, 2**53, "\ud800", {"\udfff": 1}])
def test_what_has_no_canonical_form_is_no_piece(value: Json) -> None:
    """So nothing gets around its check as a piece."""
    with pytest.raises(ValueError, match=r".+"):
        piece(value)


@pytest.mark.parametrize("value", [math.nan, 2**53, "\ud800"])
def test_beside_pieces_the_rest_is_still_looked_through(value: float | str) -> None:
    """A piece speaks for itself alone."""
    with pytest.raises(ValueError, match=r".+"):
        encode({"piece": piece([1]), "value": value})


@given(st.lists(TEXTS))
def test_a_list_of_spelled_texts_is_spelled_like_the_list(texts: list[str]) -> None:
    """Put together, they are the same bytes."""
    assert canonical(texts) == encode(json_array([quoted(text) for text in texts]))


def test_half_a_character_is_not_spelled() -> None:
    """What is no text in JSON is none alone."""
    with pytest.raises(ValueError, match=r".+"):
        quoted("\ud800")
