"""Waits: everybody gives up before whoever waits for them does."""

from __future__ import annotations

import pytest

from signoff.frontends.hosts.registry import ADAPTERS
from signoff.frontends.hosts.waits import IN_PROCESS, Wait, answer_within_s
from signoff.settings import Limits


def test_people_have_their_whole_time_where_a_limit_can_be_set() -> None:
    """The default time to answer fits in, with what a model may take before."""
    needed_s = Limits().answer_timeout_s + 60
    short = {n for n, one in ADAPTERS.items() if answer_within_s("", one.wait) < needed_s}

    assert short == {"antigravity", "windsurf", "cline"}
    assert IN_PROCESS.deadline_s < IN_PROCESS.host_s


@pytest.mark.parametrize(("said", "expected"), [("100", 95.0), ("3", 2.4), ("610.0", 605.0)])
def test_a_hook_says_how_long_it_waits(said: str, expected: float) -> None:
    """Its own word holds, less what an answer needs to get there."""
    assert answer_within_s(said, Wait(620)) == pytest.approx(expected)


@pytest.mark.parametrize("said", ["", "x", "nan", "inf", "-1", "0", "1e9", "9" * 5_000, "3601"])
def test_what_is_no_such_number_is_left(said: str) -> None:
    """The host's limit holds then."""
    assert answer_within_s(said, Wait(30)) == 20.0
