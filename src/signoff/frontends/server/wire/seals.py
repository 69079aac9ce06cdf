"""What the daemon says over its Unix socket of what it sealed and approved.

Whether it made a seal (it makes none there):

    POST /v1/seals {"prefix": "signoff-answer-v2", "parts": [...], "seal": "..."}

The recheck of an approved call before it runs, for users who cannot read what the service keeps.
The caller says where it is about to run; whose session it is, the system says:

    POST /v1/rechecks {"id": "9f..", "cwd": "/w", "session": "s1", "path": "/usr/bin:/bin"}
        {"why_not": ""}: it may run, this once
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from signoff.challenge.people.recheck import Here, PreExecutionRecheck
from signoff.challenge.proofs.seal import (
    ANSWER_PREFIX,
    CHANNEL_AT,
    CODED_CHANNEL,
    GRANT_PREFIX,
    USE_PREFIX,
    Seal,
)
from signoff.errors import BadPayload, SignoffError
from signoff.frontends.server.wire.bodies import read_body
from signoff.frontends.server.wire.callers import ActionCaller
from signoff.serving.peer import PEER, Peer

BODY_LIMIT = 65_536
PARTS_LIMIT = 32
PREFIXES = (ANSWER_PREFIX, GRANT_PREFIX, USE_PREFIX)

UNREADABLE = "what was asked of the service cannot be read"


class AskedSeal(Struct, frozen=True, kw_only=True):
    """The body of a question about a seal."""

    prefix: str
    parts: Annotated[tuple[str, ...], Meta(max_length=PARTS_LIMIT)]
    seal: str


class Seals(Struct, frozen=True, kw_only=True):
    """Answers whether this daemon made a seal."""

    seal: Seal

    async def answer(self, request: Request) -> Response:
        """POST /v1/seals: return whether this daemon made a seal."""
        try:
            asked = msgspec.json.decode(await read_body(request, BODY_LIMIT), type=AskedSeal)
        except (BadPayload, msgspec.MsgspecError, ValueError, RecursionError):
            return JSONResponse({"made": False}, 400)
        if asked.prefix not in PREFIXES:
            return JSONResponse({"made": False}, 400)
        made = await asyncio.to_thread(self._made, asked.prefix, asked.parts, asked.seal)
        return JSONResponse({"made": made})

    def _made(self, prefix: str, parts: tuple[str, ...], seal: str) -> bool:
        if prefix == USE_PREFIX:
            return self.seal.uses(parts, seal)
        if self.seal.made(prefix, parts, seal):
            return True
        # An answer typed at a terminal is sealed by its code: that process has no key of the
        # daemon's.
        is_typed = prefix == ANSWER_PREFIX and len(parts) > CHANNEL_AT
        is_typed = is_typed and parts[CHANNEL_AT] == CODED_CHANNEL
        coded = self.seal.by_code(parts[0]) if is_typed else None
        return coded is not None and coded.made(prefix, parts, seal)


class PlaceOfRun(Struct, frozen=True, kw_only=True):
    """Where an approved call is about to run.

    Args:
        path: the PATH in use.
    """

    id: Annotated[str, Meta(min_length=1, max_length=64)]
    cwd: Annotated[str, Meta(max_length=4_096)]
    session: Annotated[str, Meta(max_length=1_024)]
    path: Annotated[str, Meta(max_length=32_768)] = ""


class Rechecks(Struct, frozen=True, kw_only=True):
    """Answers whether an approved call may still run.

    Args:
        caller: returns the user a process asks for.
    """

    recheck: PreExecutionRecheck
    caller: Callable[[Peer | None], ActionCaller]

    async def answer(self, request: Request) -> Response:
        """POST /v1/rechecks: return why an approved call must not run, "" if it may."""
        try:
            body = await read_body(request, BODY_LIMIT)
            place = msgspec.json.decode(body, type=PlaceOfRun)
            caller = self.caller(request.scope.get(PEER))
            here = Here(
                cwd=place.cwd, session=caller.session(place.session), search_path=place.path
            )
            return JSONResponse({"why_not": await self.recheck.why_not(place.id, here)})
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return JSONResponse({"why_not": UNREADABLE}, 400)
        except (SignoffError, OSError) as error:
            return JSONResponse({"why_not": str(error) or UNREADABLE}, 503)
