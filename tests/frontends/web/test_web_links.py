"""One-time links: good once, for two minutes, and made in the daemon's memory only."""

from __future__ import annotations

import pytest

from signoff.frontends.web.link import (
    CODE_LIMIT,
    GOOD_FOR_S,
    OPEN_LIMIT,
    WRONG_LIMIT,
    Claim,
    Links,
    link_of,
)

ADA = Claim(approver="ada", made_by="root")


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now_s = 1_000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now_s


def test_a_code_signs_in_whom_it_was_made_for() -> None:
    """With who made it."""
    links = Links(clock=Clock())

    assert ADA == links.take(links.make(ADA).link)


def test_a_code_is_good_once() -> None:
    """The second one to follow a link gets nothing."""
    links = Links(clock=Clock())
    code = links.make(ADA).link

    assert [ADA, None, None] == [links.take(code) for _ in range(3)]


@pytest.mark.parametrize("after_s", [GOOD_FOR_S, GOOD_FOR_S * 10, -1.0])
def test_a_code_is_good_for_two_minutes(after_s: float) -> None:
    """Neither later nor, where the clock was set back, earlier."""
    clock = Clock()
    links = Links(clock=clock)
    code = links.make(ADA).link
    clock.now_s += after_s

    assert links.take(code) is None


def test_a_code_is_good_where_it_was_made_only() -> None:
    """T-43: neither a restart nor another process knows it; there is no key that makes one."""
    code = Links().make(ADA).link

    assert Links().take(code) is None


def test_codes_that_are_not_used_make_room() -> None:
    """The newest are good; nobody fills the memory."""
    links = Links(clock=Clock())
    codes = [links.make(ADA).link for _ in range(OPEN_LIMIT + 1)]

    assert (None, ADA) == (links.take(codes[0]), links.take(codes[-1]))


def test_the_short_code_is_typed_as_people_type() -> None:
    """In small letters, with blanks, or without the line between its halves."""
    links = Links(clock=Clock())
    typed = [links.make(ADA).typed for _ in range(3)]
    spelt = [typed[0].lower(), typed[1].replace("-", " "), typed[2].replace("-", "")]

    assert [ADA] * 3 == [links.take(code) for code in spelt]


def test_link_and_short_code_are_one_sign_in() -> None:
    """Whoever uses one of them voids the other."""
    links = Links(clock=Clock())
    first, second = links.make(ADA), links.make(ADA)

    assert (ADA, None) == (links.take(first.link), links.take(first.typed))
    assert (ADA, None) == (links.take(second.typed), links.take(second.link))


def test_short_codes_cannot_be_guessed() -> None:
    """Ten wrong ones void every short code that is open; links stay good."""
    links = Links(clock=Clock())
    codes = links.make(ADA)
    for _ in range(WRONG_LIMIT):
        assert links.take("AAAA-AAAA") is None

    assert (None, ADA) == (links.take(codes.typed), links.take(codes.link))


def test_a_code_does_not_say_whom_it_is_for() -> None:
    """Whoever sees one and cannot use it learns nothing."""
    links = Links(clock=Clock())
    # Three letters stand in one of sixteen such draws by chance; twelve do not.
    named = Claim(approver="ada-lovelace", made_by="root")
    codes = {links.make(named).link for _ in range(50)}

    assert 50 == len(codes)
    assert not [code for code in codes if named.approver in code.lower()]


@pytest.mark.parametrize(
    "code", ["", ".", "a", "a.b", "\ud800.\ud800", "\0", "." * CODE_LIMIT, "ä.ö", "x" * 100_000]
)
def test_what_is_no_code_is_not_good(code: str) -> None:
    """Whatever it is."""
    assert Links().take(code) is None


def test_a_link_keeps_its_code_in_the_fragment() -> None:
    """Fragments are sent to no server and stand in no log."""
    assert "http://a.localhost:4440/web/sign-in#c.d" == link_of("http://a.localhost:4440", "c.d")
