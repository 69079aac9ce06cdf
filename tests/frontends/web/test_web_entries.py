"""What pages say of entries of the record: who answered, with which tool, what came of the call."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from typing import Any

import pytest
from inbox_station import Station
from test_statistics import ASKED
from test_web_pages import Text

from signoff.effects.store import RecordDraft

EARLIER: tuple[tuple[dict[str, Any], str], ...] = (
    ({"decided_by": "grant", "words": "gr_7: git push, this session"}, "earlier approval gr_7"),
    ({"decided_by": "nap", "channel": "terminal", "words": "nap until 14:30"}, "nap"),
    ({"decided_by": "second_look", "words": "the same call"}, "earlier approval"),
    ({"decided_by": "timeout", "verdict": "deny"}, "timeout"),
)


def recorded(station: Station, *contents: dict[str, Any]) -> None:
    """Append decisions of the session `s1` to the record, made now."""
    plain = {"ts": datetime.now(UTC).isoformat(), "session": "s1", "tool": "Bash"}
    call = {"level": "medium", "action_redacted": {"command": "git push"}, "reason": "it publishes"}
    drafts = [RecordDraft(content={**plain, **call, **one}) for one in contents]
    station.store.append_batch(drafts)


@pytest.mark.parametrize(("said", "words"), EARLIER)
def test_nobody_decides_what_nobody_was_asked_about(
    empty: Station, said: dict[str, Any], words: str
) -> None:
    """A person who gave an earlier approval or a nap answered in no seconds, as if on sight."""
    recorded(empty, {**ASKED, "answered_in_ms": 0, **said})
    ada = empty.signed_in("ada")
    page = ada.get("/web/timeline?session=s1").text
    (row,) = csv.DictReader(io.StringIO(ada.get("/web/timeline.csv?session=s1").text))
    history = ada.get("/web/history").text

    assert [words, True] == [row["decided by"], f'data-label="decided by">{words}<' in page]
    assert "ada on" not in page
    assert (f'data-label="by">{words}<' in history) == (said["decided_by"] != "timeout")
    assert "None: every approval" in ada.get("/web/audit").text


def test_a_timeline_names_the_tool(empty: Station) -> None:
    """Arguments alone do not tell a read from a write."""
    read = {"tool": "mcp__files__read", "action_redacted": {"path": "/etc/hostname"}}
    recorded(empty, {**ASKED, **read})
    ada = empty.signed_in("ada")
    page = Text(ada.get("/web/timeline?session=s1").text).text
    (row,) = csv.DictReader(io.StringIO(ada.get("/web/timeline.csv?session=s1").text))

    assert "mcp__files__read: it publishes" in page
    assert ("mcp__files__read", "ada on web, after 4.0 s") == (row["tool"], row["decided by"])
