"""What a user of the service does with their own state, for the audit log of the service.

POST /v1/own-acts {"act": "mcp.login", "said": "https://mcp.example.com/mcp"}    {"recorded": true}

The system names the user. An entry says what they did of their own, and changes nothing.
"""

from __future__ import annotations

import time
from collections import deque
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from signoff.challenge.visible import visible
from signoff.effects.admin_acts import AdminAct
from signoff.errors import BadPayload, StoreError
from signoff.frontends.server.wire.bodies import read_body
from signoff.frontends.server.wire.switches.terminal_codes import RecordAct
from signoff.serving.peer import PEER, Peer

PATH = "/v1/own-acts"
BODY_LIMIT = 10_000
MOST = 60  # in `WITHIN_S`, of all users: nobody may fill the log
WITHIN_S = 3_600.0


class OwnAct(Struct, frozen=True, kw_only=True):
    """An act of the caller: sign-in or sign-out at an MCP server."""

    act: Literal["mcp.login", "mcp.logout"]
    said: Annotated[str, Meta(min_length=1, max_length=2_000)]


class OwnActs:
    """Records such acts in the audit log."""

    def __init__(self, record: RecordAct) -> None:
        self._record = record
        self._at: deque[float] = deque(maxlen=MOST)

    async def answer(self, request: Request) -> Response:
        """POST /v1/own-acts: record an act of the caller."""
        peer: Peer | None = request.scope.get(PEER)
        try:
            told = msgspec.json.decode(await read_body(request, BODY_LIMIT), type=OwnAct)
        except (BadPayload, msgspec.MsgspecError, ValueError):
            return JSONResponse({"words": "expected act and said"}, 400)
        now = time.monotonic()
        if peer is None or (len(self._at) == MOST and now - self._at[0] < WITHIN_S):
            return JSONResponse({"words": "too many acts; try again in an hour"}, 429)
        self._at.append(now)
        act = AdminAct(
            act=told.act, by=f"uid:{peer.uid}", said=visible(told.said), channel="terminal"
        )
        try:
            await self._record(act)
        except StoreError as error:
            return JSONResponse({"words": str(error)}, 503)
        return JSONResponse({"recorded": True})
