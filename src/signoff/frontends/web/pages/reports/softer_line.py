"""A softer policy line: what it would have changed, and one press that writes it."""

from __future__ import annotations

import asyncio
import logging
from urllib.parse import quote

from starlette.responses import Response

from signoff.errors import BadPayload
from signoff.frontends.web.softening.softer_lines import DAYS, SofterLines
from signoff.frontends.web.visit import Visit, go

log = logging.getLogger(__name__)

NAME_LIMIT = 100
ABSENT = "this inbox cannot change settings"


async def show(visit: Visit) -> Response:
    """GET /web/lines/{name}: what would change if a policy line allowed calls."""
    preview = await _softer(visit).preview(visit.request.path_params["name"], now_s=visit.now_s)
    return visit.draw(
        "softer_line.html", page="overview", title="A softer line", preview=preview, days=DAYS
    )


async def keep(visit: Visit) -> Response:
    """POST /web/softer-lines/keep: allow calls that only this line asks about."""
    line = visit.form.text("line", limit=NAME_LIMIT)
    await asyncio.to_thread(_softer(visit).keep, line, now_s=visit.now_s)
    log.warning("%s lets `%s` through from now on", visit.approver.id, line)
    return go(f"/web/policies#{quote(line)}")


async def take_back(visit: Visit) -> Response:
    """POST /web/softer-lines/remove: make the line ask again."""
    line = visit.form.text("line", limit=NAME_LIMIT)
    await asyncio.to_thread(_softer(visit).take_back, line)
    log.warning("%s takes back that `%s` is let through", visit.approver.id, line)
    return go("/web/policies")


def _softer(visit: Visit) -> SofterLines:
    if visit.parts.softer is None:
        raise BadPayload(ABSENT)
    return visit.parts.softer
