"""One-time links: good once, for two minutes, by whoever holds the approver key."""

from __future__ import annotations

import base64
import json

import pytest

from signoff.frontends.web.link import CODE_LIMIT, GOOD_FOR_S, Claim, Links, link_of, make_code

KEY = b"an approver key of 32 bytes only"
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
    clock = Clock()

    assert ADA == Links(KEY, clock=clock).take(make_code(KEY, ADA, now_s=clock.now_s))


def test_a_code_is_good_once() -> None:
    """The second one to follow a link gets nothing."""
    clock = Clock()
    links, code = Links(KEY, clock=clock), make_code(KEY, ADA, now_s=clock.now_s)
    links.take(code)

    assert links.take(code) is None


@pytest.mark.parametrize("after_s", [GOOD_FOR_S, GOOD_FOR_S * 10, -1.0])
def test_a_code_is_good_for_two_minutes(after_s: float) -> None:
    """Neither later nor, where the clock was set back, earlier."""
    clock = Clock()
    links, code = Links(KEY, clock=clock), make_code(KEY, ADA, now_s=clock.now_s)
    clock.now_s += after_s

    assert links.take(code) is None


def test_a_code_does_not_outlive_a_restart() -> None:
    """Which codes were used is kept in memory: older ones are not good any more."""
    clock = Clock()
    code = make_code(KEY, ADA, now_s=clock.now_s)
    clock.now_s += 1

    assert Links(KEY, clock=clock).take(code) is None


def test_a_code_of_another_key_is_not_good() -> None:
    """Who does not hold the approver key signs nobody in."""
    clock = Clock()
    code = make_code(b"x" * 32, ADA, now_s=clock.now_s)

    assert Links(KEY, clock=clock).take(code) is None


def test_a_code_cannot_be_rewritten_for_somebody_else() -> None:
    """The seal covers whom it is for."""
    clock = Clock()
    payload, _, mac = make_code(KEY, ADA, now_s=clock.now_s).partition(".")
    said = json.loads(base64.urlsafe_b64decode(payload + "=="))
    forged = base64.urlsafe_b64encode(json.dumps(["eve", *said[1:]]).encode()).decode().rstrip("=")

    assert Links(KEY, clock=clock).take(f"{forged}.{mac}") is None


@pytest.mark.parametrize(
    "code", ["", ".", "a", "a.b", "\ud800.\ud800", "\0", "." * CODE_LIMIT, "ä.ö", "x" * 100_000]
)
def test_what_is_no_code_is_not_good(code: str) -> None:
    """Whatever it is."""
    assert Links(KEY).take(code) is None


def test_a_link_keeps_its_code_in_the_fragment() -> None:
    """Fragments are sent to no server and stand in no log."""
    assert "http://127.0.0.1:4440/web/sign-in#c.d" == link_of(4440, "c.d")
