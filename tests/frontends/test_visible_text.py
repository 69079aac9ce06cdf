"""Text from outside cannot forge what a person sees."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from signoff.frontends.visible_text import UNSHOWN, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("git status", "git status"),
        ("größe 名前", "größe 名前"),
        ("a\x1b[2Kb", "a\\u{1b}[2Kb"),
        ("a\rb", "a\\u{d}b"),
        ("\u202eabc", "\\u{202e}abc"),
        ("a\u200bb", "a\\u{200b}b"),
        ("\U000e0041", "\\u{e0041}"),
        ("\ud800", "\\u{d800}"),
    ],
)
def test_what_would_not_show_is_written_out(text: str, shown: str) -> None:
    """Escape sequences, bidirectional marks and invisible characters are spelled."""
    assert visible(text) == shown


def test_a_caller_may_keep_line_ends() -> None:
    """Text laid out over lines keeps the characters named."""
    assert visible("a\n\tb\r", keep="\n\t") == "a\n\tb\\u{d}"


def test_no_character_of_unicode_comes_through_unshown() -> None:
    """All 1,114,112 code points are shown as themselves or written out."""
    every = "".join(map(chr, range(sys.maxunicode + 1)))

    assert not {unicodedata.category(char) for char in visible(every)} & UNSHOWN
