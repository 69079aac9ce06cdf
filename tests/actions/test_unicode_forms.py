"""The compatibility form of a text is the standard's, piece by piece."""

from __future__ import annotations

import unicodedata

import pytest

from signoff.actions.lexicon.unicode_forms import PIECE, compatible, pieces

WIDE = "\uff52\uff4d \uff0d\uff52\uff46 "


@pytest.mark.parametrize(
    "text",
    [
        "",
        "rm -rf",
        WIDE * 300,
        ("e\u0301 " + "x" * 7) * 400,
        "x" * (PIECE - 1) + "e\u0301" + "y" * PIECE,
        "a" * PIECE + "\u0301b",
        ("\u1112\u1161\u11ab " + "q" * 509) * 4,
    ],
)
def test_the_form_is_that_of_the_standard(text: str) -> None:
    """Also where a mark stands at the border of two pieces."""
    assert compatible(text) == unicodedata.normalize("NFKC", text)


def test_no_piece_is_long() -> None:
    """A run of marks takes time with the square of its length: it is cut."""
    text = "a" + "\u0323\u0301" * 40_000
    taken = list(pieces(text))
    assert "".join(taken) == text
    assert max(map(len, taken)) <= PIECE
