"""The timeline of one session: each call, what was decided, who answered, what came of it."""

from __future__ import annotations

import asyncio
from urllib.parse import urlencode

from msgspec import Struct
from starlette.responses import Response

from signoff.errors import BadPayload
from signoff.frontends.web.pages.reports.overview import csv_file
from signoff.frontends.web.statistics.charts import csv_of
from signoff.frontends.web.statistics.events import RecordEvent, read_event
from signoff.frontends.web.visit import Visit

SHOWN = 40
STEP, SIDE, HEIGHT = 12, 8, 84
NAMES = (
    *("entry", "time (UTC)", "tool", "call", "verdict", "level", "risk", "decided by", "outcome"),
)


class TimelineCall(Struct, frozen=True, kw_only=True):
    """One call in a session's timeline.

    Args:
        outcome: how the call ended: `ran`, `failed`, `not seen`; "" if denied.
        x, y: position of its dot: time from left to right, risk upwards.
    """

    event: RecordEvent
    outcome: str
    x: int
    y: float

    @property
    def time(self) -> str:
        """Time of the decision (UTC)."""
        return self.event.ts[:19].replace("T", " ")


async def show(visit: Visit) -> Response:
    """GET /web/timeline?session=...: the newest calls of a session, oldest first."""
    session, calls, left = await _read(visit)
    older = urlencode({"session": session, "before": calls[0].event.seq}) if left else ""
    return visit.draw(
        "timeline.html",
        page="sessions",
        title="Timeline",
        session=session,
        calls=calls,
        left=left,
        older=older,
        width=len(calls) * STEP + 2 * SIDE,
        height=HEIGHT,
    )


async def table(visit: Visit) -> Response:
    """GET /web/timeline.csv?session=...: the newest calls of a session, as CSV."""
    _, calls, _ = await _read(visit)
    rows = [
        (
            *(float(call.event.seq), call.time, call.event.tool, call.event.call),
            *(call.event.verdict, call.event.level, call.event.risk),
            *(call.event.answered_by, call.outcome),
        )
        for call in calls
    ]
    return csv_file("timeline", csv_of(NAMES, rows))


async def _read(visit: Visit) -> tuple[str, list[TimelineCall], int]:
    """Return the session, its newest calls before a number, and how many are older."""
    session = visit.form.text("session", limit=600)
    if not session:
        raise BadPayload("name the session: `/web/timeline?session=...`")
    before = visit.form.number("before", low=1, high=1 << 60, default=1 << 60)
    events, left = await asyncio.to_thread(_events, visit, session, before)
    calls: list[TimelineCall] = []
    for at, event in enumerate(events):
        result = visit.parts.statistics.result_of(seq=event.seq, id=event.id, verdict=event.verdict)
        outcome = await visit.outcome(event.approval_id, result)
        y = round(HEIGHT - 14 - (HEIGHT - 24) * min(1.0, max(0.0, event.risk)), 1)
        x = SIDE + at * STEP + STEP // 2
        calls.append(TimelineCall(event=event, outcome=outcome, x=x, y=y))
    return session, calls, left


def _events(visit: Visit, session: str, before: int) -> tuple[list[RecordEvent], int]:
    record, statistics = visit.parts.record, visit.parts.statistics
    statistics.refresh()
    found = [seq for seq in statistics.calls_of(session) if seq < before]
    shown = found[-SHOWN:]
    entries = (entry for seq in shown for entry in record.entries(first=seq, last=seq))
    return [read_event(entry) for entry in entries], len(found) - len(shown)
