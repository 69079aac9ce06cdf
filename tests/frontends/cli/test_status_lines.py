"""`signoff status` says each thing once."""

from __future__ import annotations

from signoff.actions.action import Json
from signoff.frontends.cli.status import _lines

FULL = "the disk is full"
NAP = "nap until 14:30, started by ada"
STATUS: dict[str, Json] = {
    "version": "0.1.0",
    "pid": 7,
    "uptime_s": 1.0,
    "record": "/r.db",
    "decisions": 0,
    "pending": 0,
    "sessions": 0,
}


def test_a_problem_is_no_warning_as_well() -> None:
    """The last message can be what still holds."""
    lines = list(_lines({**STATUS, "problems": [FULL], "last_error": FULL}))

    assert [line for line in lines if FULL in line] == [f"PROBLEM   {FULL}"]


def test_a_nap_is_a_notice() -> None:
    """Somebody wanted it; the message of its start is told as a warning no more."""
    lines = list(_lines({**STATUS, "notices": [NAP], "last_error": NAP}))

    assert [line for line in lines if NAP in line] == [f"notice    {NAP}"]


def test_a_past_error_is_a_warning() -> None:
    """It stands in no list of what holds now."""
    assert "warning   the disk was full" in list(
        _lines({**STATUS, "last_error": "the disk was full"})
    )
