"""The mode of enforcement over the daemon's Unix socket: an admin at a terminal loosens it.

POST /v1/enforcement {"mode": "shadow", "days": 14}    {"asked": true}: a code is on the terminal
POST /v1/enforcement {"code": "K7QM2X"}                {"words": "NOT ENFORCED: ..."}
POST /v1/enforcement {"mode": "enforce"}               {"words": "..."}: anybody, at any time
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
from signoff.challenge.terms.approver import Directory
from signoff.decide.enforcement import Enforcement
from signoff.errors import SignoffError
from signoff.frontends.server.wire.switches.terminal_codes import TerminalCodes
from signoff.serving.peer import PEER, Agents, Peer
from signoff.storage.confirmed.in_force import InForce

log = logging.getLogger(__name__)

BODY_LIMIT = 1_000
MOST_DAYS = 90
DAY_S = 86_400.0
EXPECTED = 'expected {"mode": "shadow", "days": 14}, {"code": "..."} or {"mode": "enforce"}'
WRONG = "this is not the code that was asked for; run `signoff shadow` again"
ENFORCED = "every decision is enforced from now on"


class Enforcing:
    """Sets the mode of enforcement.

    Args:
        tell: says something on every messenger and in the log.
    """

    def __init__(
        self,
        *,
        in_force: InForce,
        people: Directory,
        agents: Agents,
        tell: Callable[[str], None],
    ) -> None:
        self._in_force, self._tell = in_force, tell
        self._codes: TerminalCodes[tuple[Enforcement, int]] = TerminalCodes(people, agents)

    async def answer(self, request: Request) -> Response:
        """POST /v1/enforcement: as the module says."""
        try:
            said = json.loads((await request.body())[:BODY_LIMIT] or b"{}")
        except ValueError:
            said = None
        if not isinstance(said, dict):
            return JSONResponse({"words": EXPECTED}, 400)
        try:
            return await self._answered(said, request.scope.get(PEER))
        except SignoffError as error:
            log.warning("the mode of enforcement stays: %s", error)
            return JSONResponse({"words": str(error)}, 403)

    async def _answered(self, said: Mapping[str, Json], peer: Peer | None) -> Response:
        code, mode, days = said.get("code"), said.get("mode"), said.get("days")
        if isinstance(code, str):
            return await self._confirmed(code)
        if mode == Enforcement.ENFORCE.value:
            await asyncio.to_thread(self._in_force.set_enforcement, Enforcement.ENFORCE)
            self._tell(ENFORCED)
            return JSONResponse({"words": ENFORCED})
        is_known = mode in (Enforcement.SHADOW.value, Enforcement.AUDIT_ONLY.value)
        if not is_known or type(days) is not int or not 1 <= days <= MOST_DAYS:
            return JSONResponse({"words": EXPECTED}, 400)
        wanted = Enforcement(str(mode)), days
        what = f"{days} days in which nothing is blocked"
        await asyncio.to_thread(self._codes.ask, peer, what, wanted)
        return JSONResponse({"asked": True})

    async def _confirmed(self, code: str) -> Response:
        taken = self._codes.take(code)
        if taken is None:
            return JSONResponse({"words": WRONG}, 403)
        who, (mode, days) = taken
        until_s = time.time() + days * DAY_S
        await asyncio.to_thread(self._in_force.set_enforcement, mode, until_s=until_s)
        words = f"{mode.warning}; set by {who} for {days} days"
        log.warning("%s", words)
        self._tell(words)
        return JSONResponse({"words": words})
