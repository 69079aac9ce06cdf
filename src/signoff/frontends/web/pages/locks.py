"""Locks, the panic switch: set here by a press; a terminal lifts them, and an admin confirms it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from starlette.responses import Response

from signoff.errors import BadPayload
from signoff.frontends.web.visit import Visit, go
from signoff.storage.confirmed.outside import StandingKind
from signoff.storage.locks.lock import NAME_LIMIT, Lock, LockScope


async def show(visit: Visit) -> Response:
    """GET /web/locks: the locks in force."""
    in_force = visit.parts.locks.locks()
    scopes = tuple(scope for scope in LockScope if scope is not LockScope.ALL)
    changes = visit.parts.in_force_changes.waiting() if visit.parts.in_force_changes else ()
    return visit.draw(
        "locks.html",
        page="locks",
        title="Locks",
        in_force=in_force,
        scopes=scopes,
        is_lifting=any(one.kind is StandingKind.LOCKS for one in changes),
    )


async def add(visit: Visit) -> Response:
    """POST /web/locks/add: set a lock."""
    name = visit.form.text("name", limit=NAME_LIMIT)
    try:
        scope = LockScope(visit.form.text("scope"))
    except ValueError:
        raise BadPayload("lock an agent, a session, a tool, or all") from None
    if (scope is LockScope.ALL) == bool(name):
        raise BadPayload("give the name of the agent, session or tool; none to lock everything")
    since = datetime.now(UTC).isoformat(timespec="seconds")
    lock = Lock(scope=scope, name=name, since=since, by=visit.approver.id)
    await asyncio.to_thread(visit.parts.locks.add, lock)
    return go("/web/locks")
