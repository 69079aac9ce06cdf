"""The inbox: what waits for an answer, kept current, and what was answered last."""

from __future__ import annotations

from starlette.responses import PlainTextResponse, Response, StreamingResponse

from signoff.challenge.pending import PendingRequest, RequestState
from signoff.frontends.web.visit import Visit

WAITING_SHOWN = 100
ENDED_SHOWN = 8
ENDED = tuple(state for state in RequestState if not state.is_open)


async def show(visit: Visit) -> Response:
    """GET /web/: the inbox."""
    waiting, ended = await _listed(visit)
    return visit.draw(
        "inbox.html",
        page="inbox",
        title="Inbox",
        waiting=waiting,
        questions=visit.parts.questions.listed(),
        ended=ended,
        most=WAITING_SHOWN,
    )


async def show_list(visit: Visit) -> Response:
    """GET /web/inbox/list: the list of requests, which pages reload."""
    waiting, ended = await _listed(visit)
    return visit.draw(
        "inbox_list.html",
        page="inbox",
        title="Inbox",
        is_part=True,
        waiting=waiting,
        questions=visit.parts.questions.listed(),
        ended=ended,
        most=WAITING_SHOWN,
    )


async def events(visit: Visit) -> Response:
    """GET /web/events: changes, as server-sent events."""
    live = visit.parts.live
    if not live.has_room:
        return PlainTextResponse("too many pages are open", 503)
    return StreamingResponse(
        live.stream(is_over=lambda: visit.visitor.is_over),
        media_type="text/event-stream",
        # nginx collects an answer before it sends it on, unless this header forbids it.
        headers={"cache-control": "no-store", "x-accel-buffering": "no"},
    )


async def _listed(visit: Visit) -> tuple[tuple[PendingRequest, ...], tuple[PendingRequest, ...]]:
    """Return what waits, most serious first and then oldest first, and what ended last."""
    requests = visit.parts.requests
    waiting = await requests.listed(RequestState.PENDING, limit=WAITING_SHOWN)
    in_order = sorted(waiting, key=lambda one: (-one.level.rank, one.created_at))
    return tuple(in_order), await requests.listed(*ENDED, limit=ENDED_SHOWN)
