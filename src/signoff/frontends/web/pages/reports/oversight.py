"""Oversight: how people answer. Reading times, share approved, models overruled, expiries.

It shows what can be measured about whether approvals are read, not whether they were right.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from datetime import UTC, datetime
from math import ceil
from statistics import median

from msgspec import Struct
from starlette.responses import Response

from signoff.effects.decoys import APPROVED, REFUSED
from signoff.frontends.web.pages.reports.overview import csv_file, waiting_requests
from signoff.frontends.web.statistics.charts import csv_of
from signoff.frontends.web.statistics.totals import (
    ApproverTotal,
    DayTotal,
    approver_totals,
    open_totals,
    outcomes_of,
)
from signoff.frontends.web.visit import Visit

DAYS = (7, 30, 90)
NAMES = (
    *("approver", "answers", "approved", "denied", "median reading s", "p10 reading s"),
    *("model overruled", "model agreed", "too fast", "quiz errors", "wrong explanations"),
    *("test requests refused", "test requests approved"),
)


class ApproverRow(Struct, frozen=True, kw_only=True):
    """Statistics of one approver.

    Args:
        median_s, p10_s: median and 10th percentile of the reading times.
        median_at, p10_at: their positions on the bar, 0..100.
    """

    name: str
    total: ApproverTotal
    answers: int
    approved_share: float
    median_s: float
    p10_s: float
    median_at: float = 0.0
    p10_at: float = 0.0


async def show(visit: Visit) -> Response:
    """GET /web/oversight: statistics per approver, and unanswered requests."""
    count, days = await _read(visit)
    rows = approver_rows(days)
    waiting = {one.id for one in await waiting_requests(visit)}
    open_count, _ = open_totals(days, waiting)
    return visit.draw(
        "oversight.html",
        page="oversight",
        title="Oversight",
        count=count,
        choices=DAYS,
        rows=rows,
        longest=max((row.median_s for row in rows), default=0.0),
        asked=sum(day.asked for day in days),
        decoys=sum(day.decoys for day in days),
        outcomes=outcomes_of(days, open_count),
        open_count=open_count,
        overruled=sum(row.total.overruled for row in rows),
        judged=sum(row.total.overruled + row.total.agreed for row in rows),
    )


async def table(visit: Visit) -> Response:
    """GET /web/oversight.csv: the statistics per approver, as CSV."""
    _, days = await _read(visit)
    rows = [_cells(row) for row in approver_rows(days)]
    return csv_file("oversight", csv_of(NAMES, rows))


def _cells(row: ApproverRow) -> tuple[str | float, ...]:
    total = row.total
    return (
        *(row.name, row.answers, total.approved, total.denied),
        *(round(row.median_s, 2), round(row.p10_s, 2), total.overruled, total.agreed),
        *(total.tries["fast"], total.tries["quiz"], total.tries["teach-back"]),
        *(total.decoys[REFUSED], total.decoys[APPROVED]),
    )


def approver_rows(days: list[DayTotal]) -> list[ApproverRow]:
    """Return one row per approver, ordered by name."""
    totals = approver_totals(days)
    longest = max((_median(total.read_s) for _, total in totals), default=0.0) or 1.0
    rows: list[ApproverRow] = []
    for name, total in totals:
        times, answers = sorted(total.read_s), total.approved + total.denied
        median_s, p10_s = _median(times), _share(times, 0.1)
        rows.append(
            ApproverRow(
                name=name,
                total=total,
                answers=answers,
                approved_share=total.approved / answers if answers else 0.0,
                median_s=median_s,
                p10_s=p10_s,
                median_at=round(100 * median_s / longest, 1),
                p10_at=round(100 * p10_s / longest, 1),
            )
        )
    return rows


async def _read(visit: Visit) -> tuple[int, list[DayTotal]]:
    count = visit.form.number("days", low=1, high=DAYS[-1], default=30)
    await asyncio.to_thread(visit.parts.statistics.refresh)
    today = datetime.fromtimestamp(visit.now_s, UTC).date()
    return count, visit.parts.statistics.days(count, today=today)


def _median(times: Collection[float]) -> float:
    return median(times) if times else 0.0


def _share(times: list[float], share: float) -> float:
    """Return the time that this share of sorted times does not exceed (nearest rank)."""
    return times[max(0, ceil(share * len(times)) - 1)] if times else 0.0
