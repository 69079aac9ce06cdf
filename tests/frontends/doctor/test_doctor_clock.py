"""The doctor tells a clock that cannot be right."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from signoff.frontends.doctor.machine import check_clock

NOW = datetime(2026, 11, 21, 5, 27, tzinfo=UTC)


def entry(seconds: float) -> str:
    """Return the time of an entry so many seconds from now, as the record has it."""
    return (NOW + timedelta(seconds=seconds)).isoformat()


@pytest.mark.parametrize("newest", ["", entry(-3_600), entry(0), entry(59), "yesterday", "12:00"])
def test_a_clock_that_can_be_right_is_told(newest: str) -> None:
    """A little ahead, no time at all and no record are no problem of the clock."""
    check = check_clock(newest, now=NOW)

    assert (True, "2026-11-21 05:27 UTC") == (check.is_good, check.said)


def test_a_clock_before_the_newest_entry_is_a_problem() -> None:
    """Time went back, or somebody wrote the future."""
    check = check_clock(entry(3_600), now=NOW)

    assert not check.is_good
    assert entry(3_600) in check.said
    assert check.fix


def test_a_clock_before_signoff_was_made_is_a_problem() -> None:
    """A machine without a battery wakes up long ago."""
    check = check_clock("", now=datetime(1970, 1, 1, tzinfo=UTC))

    assert not check.is_good
    assert "1970-01-01" in check.said
