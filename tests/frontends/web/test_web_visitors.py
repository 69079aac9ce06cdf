"""Browsers that are signed in: for how long, how many, and by what they are known."""

from __future__ import annotations

from signoff.frontends.web.link import Claim
from signoff.frontends.web.sign_ins.visitors import IDLE_S, LASTS_S, VISITORS_LIMIT, Visitors

ADA = Claim(approver="ada", made_by="ada")


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now_s


def test_a_browser_is_known_by_its_cookie() -> None:
    """As who was signed in."""
    visitors = Visitors()
    known = visitors.begin(ADA)

    assert known.visitor is visitors.find(known.cookie)


def test_the_cookie_is_not_the_token() -> None:
    """Cookies of this machine are seen by every port of it; the token is not."""
    known = Visitors().begin(ADA)

    assert (False, True) == (known.visitor.has(known.cookie), known.visitor.has(known.token))


def test_a_browser_nobody_uses_is_signed_out() -> None:
    """After some hours."""
    clock = Clock()
    visitors = Visitors(clock=clock)
    known = visitors.begin(ADA)
    clock.now_s = IDLE_S

    assert (None, True) == (visitors.find(known.cookie), known.visitor.is_over)


def test_a_browser_that_is_used_stays_signed_in_for_half_a_day() -> None:
    """And not a moment longer."""
    clock = Clock()
    visitors = Visitors(clock=clock)
    cookie = visitors.begin(ADA).cookie
    found = []
    while clock.now_s < LASTS_S:
        clock.now_s += IDLE_S - 1
        found.append(visitors.find(cookie) is not None)

    assert [True] * (len(found) - 1) + [False] == found


def test_only_so_many_browsers_are_signed_in() -> None:
    """The oldest makes room."""
    visitors = Visitors()
    first = visitors.begin(ADA)
    for _ in range(VISITORS_LIMIT):
        visitors.begin(ADA)

    assert (None, True) == (visitors.find(first.cookie), first.visitor.is_over)


def test_signing_out_ends_what_streams() -> None:
    """Who was signed out hears no more."""
    visitors = Visitors()
    known = visitors.begin(ADA)
    visitors.end(known.cookie)

    assert (None, True) == (visitors.find(known.cookie), known.visitor.is_over)


def test_a_notice_is_given_once() -> None:
    """To the next page."""
    visitor = Visitors().begin(ADA).visitor
    visitor.notice = "approved"

    assert ("approved", "") == (visitor.take_notice(), visitor.take_notice())
