"""One value in every way it can be read."""

from __future__ import annotations

import pytest

from signoff.assess.patterns.decoding import FORM_LIMIT, as_path, forms, without_comments


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ("%27", "'"),
        ("%2527", "'"),
        ("%252527", "'"),
        ("a+b", "a b"),
        ("%u0027", "'"),
        ("&lt;b&gt;", "<b>"),
        ("&#60;b", "<b"),
        (r"\u003cb", "<b"),
        (r"\x3cb", "<b"),
        (r"\u{3c}b", "<b"),
        (r"\074b", "<b"),
        ("%26lt%3Bb", "<b"),
        ("%c0%ae%c0%ae%c0%af", "../"),
        ("%e0%80%ae", "."),
        ("%f0%80%80%ae", "."),
        ("a%00b", "ab"),
        ("1/**/or/**/1", "1 or 1"),
        ("/*!50000select*/ 1", "select"),
        ("..%5c..%5cx", "../../x"),
        ("..0x2f..0x2fx", "../../x"),
        ("%E5%98%8AX", "\nX"),
    ],
)
def test_encoding_is_undone(raw: str, read: str) -> None:
    """Each encoding has a form in which the plain text stands."""
    assert any(read in form for form in forms(raw))


def test_plain_word_has_one_form() -> None:
    """What shows no sign of an encoding is left as it is."""
    assert ("shoes",) == forms("shoes")


def test_the_value_as_sent_comes_first() -> None:
    """The literal value is always among the forms."""
    assert "%41+%42" == forms("%41+%42")[0]


def test_plus_stays_where_it_means_plus() -> None:
    """Outside of forms a plus is a plus."""
    assert ("a+b",) == forms("a+b", plus_is_space=False)


def test_endless_encoding_ends() -> None:
    """The number of forms is bounded, however often something was encoded."""
    assert len(forms("%25" * 50 + "27")) <= FORM_LIMIT + 3


def test_broken_encoding_is_no_error() -> None:
    """Half a sequence and lone surrogates are read as far as they go."""
    assert forms("%c0%\ud800%zz%u12")


def test_open_comment_hides_nothing_before_it() -> None:
    """A comment that never ends takes only what follows."""
    assert "1  " == without_comments("1 /* or 1=1")


def test_slashes_and_dots_of_lax_servers() -> None:
    """Everything some server takes for a slash is one."""
    assert "../../x" == as_path("..u2216..%c1%9cx")
