"""The sessions that were seen: who, where, doing what, how often refused."""

from __future__ import annotations

from starlette.responses import Response

from signoff.frontends.web.visit import Visit

SHOWN = 200


async def show(visit: Visit) -> Response:
    """GET /web/sessions: the sessions, most recent first."""
    sessions = visit.parts.sessions()[:SHOWN]
    return visit.draw("sessions.html", page="sessions", title="Sessions", sessions=sessions)
