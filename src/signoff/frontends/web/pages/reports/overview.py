"""Overview: what was decided day by day, what asks most, and how the record and the daemon are.

Every chart has a table below it and a CSV file beside it, made of the same figures.
"""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, date, datetime
from statistics import quantiles

from msgspec import Struct
from starlette.responses import PlainTextResponse, Response

from signoff.assess.policy_lines import line_problem
from signoff.challenge.pending import PendingRequest, RequestState
from signoff.challenge.terms.approver import ApproverRole
from signoff.frontends.web.statistics.charts import (
    NO_FIGURE,
    Chart,
    as_csv,
    columns_chart,
    csv_of,
    lines_chart,
)
from signoff.frontends.web.statistics.events import SETTLED
from signoff.frontends.web.statistics.totals import (
    DayTotal,
    ReasonTotal,
    open_totals,
    outcomes_of,
    reason_totals,
    week_totals,
)
from signoff.frontends.web.visit import Visit
from signoff.values import count_of

DAYS = (7, 30, 90)
MOST_DAYS = 31  # of a chart; a page with more would be large
REASONS_SHOWN = 8
WAITING_READ = 1_000
TRUSTED_AT = 5  # approvals, and no other answer
NO_CHART = "there is no such table"
VERDICTS = ("let through", "asked", "denied")


class Interruption(Struct, frozen=True, kw_only=True):
    """One policy line that causes questions.

    Args:
        share: bar length in percent of the most frequent one.
        can_move: True if a setting can change the line.
        open: questions that nobody answered and that still wait.
        waiting: id of an open request caused by this line, "" for none.
        is_trusted: True if a softer line is worth considering: people approved all of many
            questions, some of them caused by this line alone.
    """

    name: str
    total: ReasonTotal
    share: float
    can_move: bool
    is_trusted: bool
    open: int = 0
    waiting: str = ""

    @property
    def not_approved(self) -> int:
        """Questions that people denied, or that expired."""
        return max(0, self.total.asked - self.total.approved - self.open)


class RecordHealth(Struct, frozen=True, kw_only=True):
    """State of the audit log.

    Args:
        size: file size in words, "" if unknown.
        decided: decisions in the days shown in which nobody was asked.
        median_ms, p99_ms: how long those took.
    """

    entries: int
    size: str
    decided: int
    median_ms: float
    p99_ms: float


async def show(visit: Visit) -> Response:
    """GET /web/overview: charts of the last days."""
    count = _count(visit)
    days = await asyncio.to_thread(_days, visit, count)
    reasons = reason_totals(days)
    pending = await waiting_requests(visit)
    waiting = _by_line(pending)
    open_count, open_by_line = open_totals(days, {one.id for one in pending})
    most = max((total.asked for _, total in reasons), default=1)
    return visit.draw(
        "overview.html",
        page="overview",
        title="Overview",
        count=count,
        choices=DAYS,
        charts=charts_of(days),
        calls=sum(day.calls for day in days),
        asked=sum(day.asked for day in days),
        outcomes=outcomes_of(days, open_count),
        open_count=open_count,
        interruptions=[
            Interruption(
                name=name,
                total=total,
                share=round(100 * total.asked / most, 1),
                can_move=not line_problem(name),
                is_trusted=bool(total.alone) and total.asked == total.approved >= TRUSTED_AT,
                open=open_by_line[name],
                waiting=waiting.get(name, ""),
            )
            for name, total in reasons[:REASONS_SHOWN]
        ],
        can_soften=visit.parts.softer is not None and visit.may(ApproverRole.ADMIN),
        health=await asyncio.to_thread(_health, visit, days),
        problems=tuple(visit.parts.problems()),
    )


async def table(visit: Visit) -> Response:
    """GET /web/overview/{name}.csv: the table of one chart."""
    days = await asyncio.to_thread(_days, visit, _count(visit))
    name = visit.request.path_params["name"]
    if name == "interruptions":
        names = ("policy line", "asked", "approved", "asked for this alone")
        rows = [(line, one.asked, one.approved, one.alone) for line, one in reason_totals(days)]
        return csv_file(name, csv_of(names, rows))
    chart = next((one for one in charts_of(days) if one.id == name), None)
    return PlainTextResponse(NO_CHART, 404) if chart is None else csv_file(name, as_csv(chart))


def csv_file(name: str, text: str) -> Response:
    """Return a response that downloads a CSV file."""
    said = f'attachment; filename="signoff-{name}.csv"'
    return Response(text, media_type="text/csv", headers={"content-disposition": said})


def charts_of(days: list[DayTotal]) -> tuple[Chart, ...]:
    """Return the charts for these days; many days are grouped by week."""
    per = "day" if len(days) <= MOST_DAYS else "week"
    days = days if per == "day" else week_totals(days)
    labels = [_label(day.day) for day in days]
    verdicts = [tuple(float(day.preliminary[v]) for v in ("allow", "ask", "deny")) for day in days]
    asks = [(round(100 * day.asked / day.calls, 1) if day.calls else NO_FIGURE,) for day in days]
    settled = [tuple(float(day.settled[name]) for name in SETTLED) for day in days]
    risk = [tuple(day.risk_at(at) if day.risk else NO_FIGURE for at in (0.5, 0.9)) for day in days]
    return (
        columns_chart(
            "decisions",
            f"Decisions a {per}",
            "calls",
            VERDICTS,
            list(zip(labels, verdicts, strict=True)),
        ),
        lines_chart(
            "asks",
            "Questions per 100 calls",
            "questions that reached a person",
            ("questions",),
            list(zip(labels, asks, strict=True)),
        ),
        columns_chart(
            "settled",
            "What settles questions",
            "questions, and calls that a learned rule answered",
            SETTLED,
            list(zip(labels, settled, strict=True)),
        ),
        lines_chart(
            "risk",
            "Risk of calls",
            "risk, 0 to 1",
            ("median", "90th percentile"),
            list(zip(labels, risk, strict=True)),
            most=1.0,
        ),
    )


async def waiting_requests(visit: Visit) -> tuple[PendingRequest, ...]:
    """Return the requests that wait for an answer, newest first."""
    return await visit.parts.requests.listed(RequestState.PENDING, limit=WAITING_READ)


def _by_line(requests: tuple[PendingRequest, ...]) -> dict[str, str]:
    """Return for each policy line a request that waits because of it, the oldest."""
    return {
        word: one.id
        # Newest first: in the mapping an older request takes the place of a newer one.
        for one in sorted(requests, key=lambda one: one.created_at, reverse=True)
        for finding in one.card.findings
        for word in finding.replace(":", " ").split()[:2]
    }


def _count(visit: Visit) -> int:
    return visit.form.number("days", low=1, high=DAYS[-1], default=30)


def _days(visit: Visit, count: int) -> list[DayTotal]:
    visit.parts.statistics.refresh()
    today = datetime.fromtimestamp(visit.now_s, UTC).date()
    return visit.parts.statistics.days(count, today=today)


def _label(day: date) -> str:
    return day.isoformat()[5:]


def _health(visit: Visit, days: list[DayTotal]) -> RecordHealth:
    times = sorted(ms for day in days for ms in day.latencies_ms)
    # `quantiles` takes two figures at least.
    cuts = quantiles(times, n=100) if len(times) > 1 else [*times * 99] or [0.0] * 99
    path = getattr(visit.parts.record, "path", "")
    size = os.stat(path).st_size if path and os.path.exists(path) else 0
    return RecordHealth(
        entries=visit.parts.record.head().seq,
        size=_size(size),
        decided=len(times),
        median_ms=cuts[49],
        p99_ms=cuts[98],
    )


def _size(count: int) -> str:
    """Return a number of bytes in the unit that suits it, "" for 0."""
    for unit, one in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= one:
            return f"{count / one:.1f} {unit}"
    return count_of(count, "byte") if count else ""
