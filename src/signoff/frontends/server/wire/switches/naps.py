"""Naps over the daemon's Unix socket: an admin at a terminal starts one, anybody ends it.

    POST /v1/naps {"minutes": 30}        {"asked": true}: a code is on the caller's terminal
    POST /v1/naps {"code": "K7QM"}       {"words": "nap until 14:30, ..."}
    POST /v1/naps {"end": true}          {"words": "the nap is over"}

The code is written to the terminal by the daemon itself, as sign-in links are: what reads sockets,
files or the output of commands does not see it, and a terminal an agent has started gets none.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from signoff.actions.action import Json
from signoff.challenge.people.nap import LONGEST_S, SHORTEST_S, NapSwitch
from signoff.challenge.terms.approver import Directory
from signoff.errors import SignoffError
from signoff.frontends.server.wire.switches.terminal_codes import TerminalCodes
from signoff.serving.peer import PEER, Agents, Peer

log = logging.getLogger(__name__)

BODY_LIMIT = 1_000
EXPECTED = 'expected {"minutes": 30}, {"code": "..."} or {"end": true}'
WRONG = "this is not the code of a nap that was asked for; run `signoff nap` again"


class Naps:
    """Starts and ends naps.

    Args:
        tell: says something on every messenger and in the log.
    """

    def __init__(
        self,
        *,
        switch: NapSwitch,
        people: Directory,
        agents: Agents,
        tell: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._switch, self._tell = switch, tell
        self._codes: TerminalCodes[float] = TerminalCodes(people, agents, clock=clock)

    async def answer(self, request: Request) -> Response:
        """POST /v1/naps: as the module says."""
        try:
            said = json.loads((await request.body())[:BODY_LIMIT] or b"{}")
        except ValueError:
            said = None
        if not isinstance(said, dict):
            return JSONResponse({"words": EXPECTED}, 400)
        peer: Peer | None = request.scope.get(PEER)
        try:
            return await self._answered(said, peer)
        except SignoffError as error:
            log.warning("no nap: %s", error)
            return JSONResponse({"words": str(error)}, 403)

    async def _answered(self, said: Mapping[str, Json], peer: Peer | None) -> Response:
        if said.get("end") is True:
            return self._ended()
        code, minutes = said.get("code"), said.get("minutes")
        if isinstance(code, str):
            return self._started(code)
        if not isinstance(minutes, int) or not SHORTEST_S <= minutes * 60 <= LONGEST_S:
            words = f"a nap lasts 1 to {LONGEST_S / 60:g} minutes"
            return JSONResponse({"words": words if "minutes" in said else EXPECTED}, 400)
        what = f"{minutes} minutes"
        await asyncio.to_thread(self._codes.ask, peer, what, float(minutes) * 60.0)
        return JSONResponse({"asked": True})

    def _started(self, code: str) -> Response:
        taken = self._codes.take(code)
        if taken is None:
            return JSONResponse({"words": WRONG}, 403)
        who, seconds = taken
        nap = self._switch.start(by=who, seconds=seconds)
        self._tell(str(nap))
        return JSONResponse({"words": str(nap)})

    def _ended(self) -> Response:
        if not self._switch.end():
            return JSONResponse({"words": "there is no nap"})
        self._tell("the nap is over: signoff asks again")
        return JSONResponse({"words": "the nap is over"})
