"""What pages say of entries of the record: who answered, with which tool, what came of the call."""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from inbox_station import HIGH, MEDIUM, Station
from test_statistics import ASKED
from test_web_pages import Text

from signoff.challenge.pending import RequestState
from signoff.effects.store import RecordDraft
from signoff.frontends.web.drawing import ticked

REPORTS = ("overview", "oversight")
EARLIER: tuple[tuple[dict[str, Any], str], ...] = (
    ({"decided_by": "grant", "words": "gr_7: git push, this session"}, "earlier approval gr_7"),
    ({"decided_by": "nap", "channel": "terminal", "words": "nap until 14:30"}, "nap"),
    ({"decided_by": "second_look", "words": "the same call"}, "earlier approval"),
    ({"decided_by": "timeout", "verdict": "deny"}, "timeout"),
)


def recorded(station: Station, *contents: dict[str, Any]) -> None:
    """Append decisions of the session `s1` to the record, made now."""
    plain = {"ts": datetime.now(UTC).isoformat(), "session": "s1", "tool": "Bash"}
    call: dict[str, Any] = {
        "level": "medium",
        "action_redacted": {"command": "git push"},
        "reason": "it publishes",
    }
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


@pytest.mark.parametrize(
    ("state", "outcome"),
    [
        (RequestState.DONE, "ran"),
        (RequestState.FAILED, "failed"),
        (RequestState.UNCERTAIN, "not seen"),
        (RequestState.EXECUTING, "not seen"),
    ],
)
def test_a_call_has_one_outcome_on_all_pages(
    empty: Station, state: RequestState, outcome: str
) -> None:
    """Also that of a program without a daemon, whose end only its request holds."""
    ada, call = empty.signed_in("ada"), empty.ask(MEDIUM)
    ada.answer(call, "approve")
    call.result()
    if state is not RequestState.EXECUTING:
        moved = empty.parts.requests.move(call.request_id, state, start=RequestState.EXECUTING)
        assert empty.now(moved)
    cell = f'<td data-label="outcome">{outcome}</td>'

    assert cell in ada.get("/web/history").text
    assert cell in ada.get("/web/timeline?session=s1").text
    assert f'<dd id="result">{outcome}</dd>' in ada.get("/web/history/1").text
    assert f"Outcome: {outcome}." in ada.get(call.page).text


def test_what_is_still_open_is_neither_expired_nor_refused(empty: Station) -> None:
    """Its caller has gone and was denied, but people can still answer; until its time is over."""
    call = empty.ask(MEDIUM)
    denied = {**ASKED, "verdict": "deny", "decided_by": "timeout", "approver": ""}
    recorded(empty, {**denied, "approval_id": call.request_id}, {**denied, "approval_id": "gone"})
    ada = empty.signed_in("ada")
    overview, oversight = (Text(ada.get(f"/web/{name}").text).text for name in REPORTS)
    ada.answer(call, "deny")
    later = Text(ada.get("/web/overview").text).text

    assert "1 expired unanswered, 1 still open" in words(overview)
    assert "1 not approved: keep this line asking" in overview
    assert "Expired 1 nobody answered in time: denied Still open 1" in words(oversight)
    assert "2 not approved: keep this line asking" in later
    assert "still open" not in later


def test_a_lock_has_no_dot_in_the_timeline(empty: Station) -> None:
    """It did not judge; every other call has one, in the colour of the key."""
    recorded(empty, ASKED, {"verdict": "deny", "decided_by": "lock"})
    ada = empty.signed_in("ada")
    page = ada.get("/web/timeline?session=s1").text
    rows = [*csv.DictReader(io.StringIO(ada.get("/web/timeline.csv?session=s1").text))]

    assert 1 == page.count('r="4"><title>')
    assert "Calls denied without a judgement" in page
    assert ["0.7", ""] == [row["risk"] for row in rows]


def test_a_new_overview_says_what_there_is(empty: Station) -> None:
    """The first point is seen, sizes are not rounded away, and no time is made up."""
    recorded(empty, ASKED)
    page = words(Text(empty.signed_in("ada").get("/web/overview").text).text)
    dots = empty.signed_in("ada").get("/web/overview").text.count('<circle class="key-')

    assert 3 == dots  # questions; median and 90th percentile of the risk
    assert "Decision time, median none yet" in page
    assert re.search(r"1 entries, [1-9][0-9.]* kB", page)


def test_a_denial_says_how_long_the_request_was_open(empty: Station) -> None:
    """It takes no quiz, so nobody took that long for one."""
    ada, call = empty.signed_in("ada"), empty.ask(HIGH)
    ada.answer_at_once(call, "deny")
    page = words(Text(ada.get(call.page).text).text)

    assert "deny by Ada on web, open for" in page
    assert "quiz: deny" not in page


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("What is `amount`?", "What is <code>amount</code>?"),
        ("`a` and `b", "<code>a</code> and `b"),
        ("<b> `", "&lt;b&gt; `"),
    ],
)
def test_names_in_backticks_are_code(text: str, drawn: str) -> None:
    """Also before one that is never closed, as where a text was cut."""
    assert drawn == ticked(text)


def words(text: str) -> str:
    """Return a text with single spaces only."""
    return " ".join(text.split()).replace(" ,", ",")
