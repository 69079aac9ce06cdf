"""The rules in force, as they were read, and what is wrong with those on disk."""

from __future__ import annotations

from starlette.responses import Response

from signoff.frontends.web.visit import Visit


async def show(visit: Visit) -> Response:
    """GET /web/rules: the rules of every project seen."""
    return visit.draw(
        "rules.html",
        page="rules",
        title="Rules",
        in_force=visit.parts.in_force(),
        problems=visit.parts.problems(),
    )
