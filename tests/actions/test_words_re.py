"""A pattern of many words finds the same whichever engine searches a text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from signoff.actions.known.protections import PRODUCTS, REMOTE_SAFEGUARDS
from signoff.actions.vocabulary import lazy_words_re
from signoff.assess.combined.loops import ERASES

SOURCE = r"(?i)\bwrite\s+erase\b|\bdelete\s\S*flash"
PIECES = st.sampled_from(
    [
        *("write", "erase", "delete", "flash", "auditd", "falco", "mfa device"),
        *("factory-reset", "audit logs", "x", "_", "-", "/"),
        *(" ", "  ", "\t", "\n", "\r", "\x0b", "\x0c", "\x1c", "\x1f", "\x00", "\x85", "\u00e9"),
        *("\u2003", "\u017f", "\u212a", "\ufffd"),
    ]
)


@pytest.mark.parametrize("blank", [" ", "\t", "\n", "\x0b", "\x0c", "\x1c", "\x1f", "\u2003"])
def test_every_blank_of_re_is_one(blank: str) -> None:
    """RE2 alone knows fewer blanks, and an attack could be written with the others."""
    assert lazy_words_re(SOURCE).search(f"write{blank}erase") is not None


@pytest.mark.parametrize("letter", ["\u00e9", "\u0430", "x", "_", "0"])
def test_a_letter_of_any_script_is_no_edge(letter: str) -> None:
    """To RE2 alone only ASCII letters are part of a word."""
    assert lazy_words_re(SOURCE).search(f"{letter}write erase") is None


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=8).map("".join))
def test_both_engines_find_the_same(text: str) -> None:
    """As if `re` searched every text, for each pattern that is read so."""
    for pattern in (PRODUCTS, REMOTE_SAFEGUARDS, ERASES, lazy_words_re(SOURCE)):
        plain: re.Pattern[str] = vars(pattern)["_plain"]
        found, expected = pattern.search(text), plain.search(text)

        assert (found and found.span()) == (expected and expected.span()), text


@pytest.mark.parametrize("source", [r"a[\s,]b", r"a$"])
def test_what_re2_reads_otherwise_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match="has no equal in RE2"):
        lazy_words_re(source)
