"""Nothing invisible stays invisible, over every code point there is."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.challenge.visible import restore, visible, visible_lines

UNSHOWN = {"Cc", "Cf", "Zl", "Zp", "Co", "Cs", "Cn"}
CODE_POINTS = range(sys.maxunicode + 1)


def test_no_code_point_that_would_not_show_is_shown_raw() -> None:
    """All 1,114,112 code points: what has no glyph of its own is written out."""
    raw = [
        point
        for point in CODE_POINTS
        if unicodedata.category(chr(point)) in UNSHOWN and chr(point) in visible(chr(point))
    ]

    assert (len(CODE_POINTS), raw) == (1_114_112, [])


def test_every_code_point_can_be_turned_back() -> None:
    """All 1,114,112 code points: what is shown stands for exactly one text."""
    wrong = [point for point in CODE_POINTS if restore(visible(chr(point))) != chr(point)]

    assert wrong == []


@given(
    st.text(st.characters() | st.sampled_from('\\u{}0123456789abcdefABCDEF "\u202e\n'), max_size=60)
)
def test_every_text_can_be_turned_back(text: str) -> None:
    """No text can look like another one."""
    assert text == restore(visible(text))


@given(st.text())
def test_what_is_shown_is_one_line_of_printable_characters(text: str) -> None:
    """No text moves the cursor, turns round or breaks out of its line."""
    assert visible(text).isprintable()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("git status", "git status"),
        ("rm \u202efdp.txt", "rm \\u{202E}fdp.txt"),
        ("a\r\x1b[2K", "a\\u{D}\\u{1B}[2K"),
        ("a\nb", "a\\u{A}b"),
        ("\\u{202E}", "\\u{5C}u{202E}"),
        ("a" + " " * 40 + "b", "a" + " " * 40 + "b"),
        ("a" + " " * 2000 + "b", "a\\u{20 x2000}b"),
        ("a\u00a0b\u3000c", "a\\u{A0}b\\u{3000}c"),
        ("a\u3164b\u2800", "a\\u{3164}b\\u{2800}"),
        ("naïve 日本", "naïve 日本"),
    ],
)
def test_what_is_shown(text: str, shown: str) -> None:
    """Ordinary text as it is, everything else written out."""
    assert shown == visible(text)


def test_lines_stay_lines() -> None:
    """A text of several lines is laid out by the card, line by line."""
    assert visible_lines("a\nb\u200b\r\n") == ("a", "b\\u{200B}\\u{D}", "")


@pytest.mark.parametrize("length", [0, 1, 70, 80, 117, 120, 4096, 100_000])
def test_nothing_is_cut_off(length: int) -> None:
    """The tail of a long text is shown like its head."""
    assert visible("x" * length + "\u202etail").endswith("\\u{202E}tail")
