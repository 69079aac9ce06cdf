"""The last look at an approved call for users who cannot read what the service keeps.

POST /v1/rechecks {"id": "9f..", "cwd": "/w", "session": "s1", "path": "/usr/bin:/bin"}
    {"why_not": ""}: it may run, this once

The caller says where it is about to run; whose session it is, the system says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from signoff.challenge.people.recheck import Here, LastLook
from signoff.errors import SignoffError
from signoff.frontends.server.wire.callers import ActionCaller
from signoff.serving.peer import PEER, Peer

BODY_LIMIT = 65_536
UNREADABLE = "what was asked of the service cannot be read"


class PlaceOfRun(Struct, frozen=True, kw_only=True):
    """Where an approved call is about to run.

    Args:
        path: PATH, as it will be used.
    """

    id: Annotated[str, Meta(min_length=1, max_length=64)]
    cwd: Annotated[str, Meta(max_length=4_096)]
    session: Annotated[str, Meta(max_length=1_024)]
    path: Annotated[str, Meta(max_length=32_768)] = ""


class Rechecks(Struct, frozen=True, kw_only=True):
    """Answers whether an approved call may run.

    Args:
        caller: returns for whom a process asks.
    """

    look: LastLook
    caller: Callable[[Peer | None], ActionCaller]

    async def answer(self, request: Request) -> Response:
        """POST /v1/rechecks: say why an approved call must not run, "" if it may."""
        body = await request.body()
        try:
            place = msgspec.json.decode(body[:BODY_LIMIT], type=PlaceOfRun)
            caller = self.caller(request.scope.get(PEER))
            here = Here(
                cwd=place.cwd, session=caller.session(place.session), search_path=place.path
            )
            return JSONResponse({"why_not": await self.look.why_not(place.id, here)})
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return JSONResponse({"why_not": UNREADABLE}, 400)
        except (SignoffError, OSError) as error:
            return JSONResponse({"why_not": str(error) or UNREADABLE}, 503)
