"""Waits: everybody gives up before whoever waits for them does."""

from __future__ import annotations

import pytest

from signoff.frontends.hosts.registry import HOSTS
from signoff.frontends.hosts.waits import IN_PROCESS, WAITS, answer_within_s
from signoff.settings import Limits

NAMED = pytest.mark.parametrize("host", WAITS)


def test_every_host_has_a_wait() -> None:
    """And nothing else does."""
    assert set(WAITS) == set(HOSTS)


@NAMED
def test_waits_end_from_the_inside_out(host: str) -> None:
    """Daemon, hook, line, host: so that the end of a wait is always a refusal."""
    wait = WAITS[host]

    assert answer_within_s("", host) < wait.deadline_s < wait.kill_s < wait.host_s


def test_people_have_their_whole_time_where_a_limit_can_be_set() -> None:
    """The default time to answer fits in, with what a model may take before."""
    short = {host for host in WAITS if answer_within_s("", host) < Limits().answer_timeout_s + 60}

    assert short == {"antigravity", "windsurf", "cline"}
    assert IN_PROCESS.deadline_s < IN_PROCESS.host_s


@pytest.mark.parametrize(("said", "expected"), [("100", 95.0), ("3", 2.4), ("610.0", 605.0)])
def test_a_hook_says_how_long_it_waits(said: str, expected: float) -> None:
    """Its own word holds, less what an answer needs to get there."""
    assert answer_within_s(said, "claude-code") == pytest.approx(expected)


@pytest.mark.parametrize("said", ["", "x", "nan", "inf", "-1", "0", "1e9", "9" * 5_000, "3601"])
def test_what_is_no_such_number_is_left(said: str) -> None:
    """The table holds then."""
    assert answer_within_s(said, "cline") == 20.0
