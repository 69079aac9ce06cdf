"""What was learned: proposed rules, accepted with one press, and learned ones with their uses.

The backtest beside a proposal is over all calls that were asked about; `signoff learn show` judges
the whole audit log.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.responses import Response

from signoff.effects.learning.proposals import LONGEST_DAYS
from signoff.errors import BadPayload
from signoff.frontends.learning.formatting import figures_of, what_of
from signoff.frontends.learning.service import Learning
from signoff.frontends.web.visit import Visit, go

PAGE = "/web/learned"


async def show(visit: Visit) -> Response:
    """GET /web/learned: proposals, learned rules with their uses, and withdrawn ones."""
    view = await asyncio.to_thread(_learning(visit).look)
    return visit.draw(
        "learned.html",
        page="learned",
        title="Learned",
        view=view,
        proposals=[(one, what_of(one), figures_of(one)) for one in view.proposals],
        most_days=LONGEST_DAYS,
    )


async def accept(visit: Visit) -> Response:
    """POST /web/learned/accept: write a proposed rule into rules.yaml."""
    days = visit.form.number("days", low=1, high=LONGEST_DAYS, default=LONGEST_DAYS)
    return await _changed(
        visit, lambda: _learning(visit).accept(_id(visit), by=_by(visit), days=days)
    )


async def dismiss(visit: Visit) -> Response:
    """POST /web/learned/dismiss: dismiss a proposal for good."""
    return await _changed(visit, lambda: _learning(visit).dismiss(_id(visit), by=_by(visit)))


async def remove(visit: Visit) -> Response:
    """POST /web/learned/remove: remove a learned rule from rules.yaml."""
    return await _changed(visit, lambda: _learning(visit).remove(_id(visit), by=_by(visit)))


async def _changed(visit: Visit, change: Callable[[], str]) -> Response:
    visit.visitor.notice = await asyncio.to_thread(change)
    return go(PAGE)


def _learning(visit: Visit) -> Learning:
    if visit.parts.learning is None:
        raise BadPayload("nothing is learned here")
    return visit.parts.learning


def _id(visit: Visit) -> str:
    return visit.form.text("id")


def _by(visit: Visit) -> str:
    return f"{visit.approver.id} (web)"
