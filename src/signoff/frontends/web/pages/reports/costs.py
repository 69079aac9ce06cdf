"""What calls of the model cost: today, this month, and day by day."""

from __future__ import annotations

import asyncio
from datetime import date

from starlette.responses import Response

from signoff.effects.costs import Costs, CostTotal
from signoff.frontends.web.visit import Visit

DAYS_SHOWN = 31


async def show(visit: Visit) -> Response:
    """GET /web/costs: the cost of model calls."""
    costs = visit.parts.costs
    today, month, days = await asyncio.to_thread(_read, costs)
    return visit.draw(
        "costs.html",
        page="costs",
        title="Costs",
        today=today,
        month=month,
        days=days,
        most=max((total.cents for _, total in days), default=0.0),
        budget=costs.budget_cents,
    )


def _read(costs: Costs) -> tuple[CostTotal, CostTotal, tuple[tuple[date, CostTotal], ...]]:
    days = costs.store.days()[-DAYS_SHOWN:]
    by_day = tuple((day, costs.store.total(day, day)) for day in reversed(days))
    return costs.today(), costs.this_month(), by_day
