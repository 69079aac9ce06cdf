"""Long lines on a terminal: broken at words, and never inside the call."""

from __future__ import annotations

import pytest

from signoff.challenge.channels.columns import in_columns

LONG = "words " * 30


@pytest.mark.parametrize("label", ["call:  ", "  - ", "", "audit log: ", "  1. "])
def test_lines_fit_and_stand_under_their_text(label: str) -> None:
    """No word is lost or broken."""
    lines = in_columns(label + LONG.strip(), 80).split("\n")

    assert max(map(len, lines)) <= 80
    assert all(line.startswith(" " * len(label) + "words") for line in lines[1:])
    assert (label + LONG).split() == " ".join(lines).split()


@pytest.mark.parametrize("text", [f"  | {LONG}", "x" * 200, "short", ""])
def test_the_call_and_long_words_stay_as_they_are(text: str) -> None:
    """They are compared and copied whole."""
    assert text == in_columns(text, 80)


def test_a_word_that_never_fits_stays_behind_its_label() -> None:
    """A digest is found where its name is."""
    line = f"digest      {'0' * 90}"

    assert line == in_columns(line, 80, indent=12)


def test_colours_take_no_columns() -> None:
    """They are not seen."""
    assert 1 == len(in_columns(f"\x1b[33m{'w' * 75}\x1b[0m end", 80).split("\n"))


def test_a_terminal_that_does_not_say_its_width_breaks_lines_itself() -> None:
    """Nothing is changed."""
    assert LONG == in_columns(LONG, 0)
