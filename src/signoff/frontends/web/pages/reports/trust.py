"""Trust in agents by domain: figures, curves, and what people do about it.

An approver records an incident or revokes trust with one press; an admin begins anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.responses import Response

from signoff.effects.learning.trust_ledger import ALL_DOMAINS, TrustPoint
from signoff.errors import BadPayload
from signoff.frontends.web.visit import Visit, go
from signoff.storage.confirmed.trust_control import NAME_LIMIT, NOTE_LIMIT, OFF, TrustControl

PAGE = "/web/trust"
WIDTH, HEIGHT = 120.0, 24.0  # of a curve, in units of its picture


async def show(visit: Visit) -> Response:
    """GET /web/trust: trust by agent and domain."""
    control = visit.parts.trust() if visit.parts.trust else None
    is_on = control is not None and control.is_on
    rows = await asyncio.to_thread(control.rows) if control is not None and is_on else ()
    return visit.draw(
        "trust.html",
        page="trust",
        title="Trust",
        is_on=is_on,
        off=OFF,
        rows=[(row, points_of(row.curve)) for row in rows],
        marks=control.marks() if control is not None else (),
        domains=ALL_DOMAINS,
    )


async def incident(visit: Visit) -> Response:
    """POST /web/trust/incident: lower the trust in an agent by 0.3."""
    note = visit.form.text("note", limit=NOTE_LIMIT)
    return await _changed(
        visit, lambda at, agent, domain, by: at.incident(agent, domain, by=by, note=note)
    )


async def revoke(visit: Visit) -> Response:
    """POST /web/trust/revoke: set the trust in an agent to 0."""
    return await _changed(visit, lambda at, agent, domain, by: at.revoke(agent, domain, by=by))


async def restore(visit: Visit) -> Response:
    """POST /web/trust/restore: reset an agent to the trust of a new one."""
    return await _changed(visit, lambda at, agent, domain, by: at.restore(agent, domain, by=by))


def points_of(curve: tuple[TrustPoint, ...]) -> str:
    """Return a trust curve as points of an SVG polyline; one step per answer."""
    step = WIDTH / max(1, len(curve) - 1)
    points = (
        f"{at * step:.1f},{HEIGHT * (1 - min(max(one.trust, 0.0), 1.0)):.1f}"
        for at, one in enumerate(curve)
    )
    return " ".join(points)


async def _changed(visit: Visit, change: Callable[[TrustControl, str, str, str], str]) -> Response:
    if visit.parts.trust is None:
        raise BadPayload(OFF)
    agent, domain = visit.form.text("agent", limit=NAME_LIMIT), visit.form.text("domain")
    by = f"{visit.approver.id} (web)"
    visit.visitor.notice = await asyncio.to_thread(change, visit.parts.trust(), agent, domain, by)
    return go(PAGE)
