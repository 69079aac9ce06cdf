"""The summary of a replay counts right, and its picture shows text as text."""

from __future__ import annotations

from datetime import UTC, datetime
from xml.etree import ElementTree

import pytest

from signoff.challenge.answer import NOT_PEOPLE
from signoff.errors import BadSettings
from signoff.frontends.replay.picture import page, svg
from signoff.frontends.replay.recorded_calls import RecordedCall
from signoff.frontends.replay.replayed_call import ReplayedCall
from signoff.frontends.replay.since import since
from signoff.frontends.replay.summary import summarize
from signoff.frontends.replay.summary_text import summary_lines
from signoff.values import replace

NOW = datetime(2026, 3, 31, 12, tzinfo=UTC)
HOSTILE = "<script>alert(1)</script>&\"'"


def call(verdict: str, n: int = 0, *, session: str = "s", shape: str = "") -> ReplayedCall:
    """Return a call with this verdict."""
    return ReplayedCall(
        id=str(n),
        host="codex",
        session=session,
        at=f"2026-03-0{n + 1}T10:00:00Z",
        tool="Bash",
        verdict=verdict,
        cause="destructive.history" if verdict != "allow" else "",
        program="git push" if verdict != "allow" else "",
        title=HOSTILE,
        text=HOSTILE,
        reason=HOSTILE,
        grant=shape,
        grant_shape=shape,
    )


def test_calls_are_counted() -> None:
    """Rates, days and the unreadable apart."""
    summary = summarize([call("allow"), call("ask", 1), call("deny", 2), call("", 3)])

    assert (3, 1, 1, 1) == (summary.calls, summary.asked, summary.denied, summary.unreadable)
    assert 33.33 == summary.asks_per_100
    assert ("2026-03-01", "2026-03-03") == (summary.first, summary.last)
    assert ["2026-03-01", "2026-03-02", "2026-03-03"] == [day.name for day in summary.days]
    assert ("git push", 1) == (summary.questions[0].program, summary.questions[0].count)


def test_a_grant_answers_all_but_the_first_of_a_session() -> None:
    """Five alike in two sessions: two are asked, three are not."""
    asked = [call("ask", n, session="a" if n < 3 else "b", shape="push") for n in range(5)]
    summary = summarize([*asked, call("ask", 5, shape="once"), call("ask", 6)])

    (grant,) = summary.grants
    assert (5, 3, 2) == (grant.asked, grant.silenced, grant.sessions)
    assert 100.0 == summary.asks_per_100
    assert round(100 * 4 / 7, 2) == summary.asks_per_100_with_grants


@pytest.mark.parametrize("verdicts", [[], ["allow"], ["ask", "deny", "allow", ""]])
def test_the_picture_is_well_formed(verdicts: list[str]) -> None:
    """Also of nothing; and no text of a call becomes markup."""
    summary = summarize([call(verdict, n) for n, verdict in enumerate(verdicts)])
    drawn, whole = svg(summary), page(summary)

    assert ElementTree.fromstring(drawn).tag.endswith("svg")
    assert "<script" not in drawn + whole
    assert all("\x1b" not in line for line in summary_lines(summary))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("30d", datetime(2026, 3, 1, 12, tzinfo=UTC)),
        ("12h", datetime(2026, 3, 31, tzinfo=UTC)),
        ("2026-03-05", datetime(2026, 3, 5, tzinfo=UTC)),
        ("all", None),
    ],
)
def test_a_start_is_read(text: str, expected: datetime | None) -> None:
    """A length of time, a date, or everything."""
    assert expected == since(text, NOW)


@pytest.mark.parametrize("text", ["", "soon", "30", "d", "-3d", "99999999d"])
def test_no_start_is_guessed(text: str) -> None:
    """Anything else is refused."""
    with pytest.raises(BadSettings, match="expected a time"):
        since(text, NOW)


@pytest.mark.parametrize("by", sorted(NOT_PEOPLE))
def test_what_nobody_answered_is_no_answer_of_a_person(by: str) -> None:
    """A grant, a nap or a second look names its approver as well."""
    call = RecordedCall(seq=1, verdict="allow", tool="Bash", decided_by=by, approver="ada")
    assert ("", "allow") == (call.person, replace(call, decided_by="web").person)
