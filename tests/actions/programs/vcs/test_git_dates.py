"""Dates by which git prunes: what is older than its own two weeks may go without a word."""

from __future__ import annotations

import pytest

from signoff.actions.programs.vcs.git_dates import is_recent


@pytest.mark.parametrize(
    "text", ["now", "all", "0", "1.second.ago", "1 hour ago", "13.days.ago", "2024-01-01", ""]
)
def test_what_may_still_be_wanted_is_recent(text: str) -> None:
    """Also a date that only a clock could place."""
    assert is_recent(text)


@pytest.mark.parametrize(
    "text", ["never", "2.weeks.ago", "14 days ago", "3.months.ago", "1_year_ago"]
)
def test_what_git_deletes_by_itself_is_not_recent(text: str) -> None:
    """Two weeks and more, in any notation."""
    assert not is_recent(text)
