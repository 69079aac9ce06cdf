"""The mode of enforcement over the daemon's Unix socket: an admin at a terminal loosens it.

POST /v1/enforcement {"mode": "shadow", "days": 14}    {"asked": true}: a code is on the terminal
POST /v1/enforcement {"code": "K7QM2X"}                {"words": "NOT ENFORCED: ..."}
POST /v1/enforcement {"mode": "enforce"}               {"words": "..."}: anybody, at any time
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping

from starlette.responses import JSONResponse, Response

from signoff.actions.action import Json
from signoff.challenge.terms.approver import Directory
from signoff.decide.decision import Enforcement
from signoff.frontends.server.wire.switches.terminal_codes import RecordAct, TerminalSwitch
from signoff.serving.peer import Agents, Peer
from signoff.storage.confirmed.in_force import InForce
from signoff.values import count_of

log = logging.getLogger(__name__)

MOST_DAYS = 90
DAY_S = 86_400.0
ENFORCED = "every decision is enforced from now on"


class Enforcing(TerminalSwitch[tuple[Enforcement, int]]):
    """Lets an admin set the enforcement mode, confirmed on the terminal."""

    EXPECTED = 'expected {"mode": "shadow", "days": 14}, {"code": "..."} or {"mode": "enforce"}'
    WHAT = "the mode of enforcement"
    AGAIN = "`signoff shadow` again"

    def __init__(
        self,
        in_force: InForce,
        people: Directory,
        agents: Agents,
        tell: Callable[[str], None],
        *,
        record: RecordAct,
        is_shown: bool = False,
    ) -> None:
        super().__init__(people, agents, tell, record=record, is_shown=is_shown)
        self._in_force = in_force

    async def _answered(self, said: Mapping[str, Json], peer: Peer | None) -> Response:
        code, mode, days = said.get("code"), said.get("mode"), said.get("days")
        if isinstance(code, str):
            return await self._confirmed(code)
        if mode == Enforcement.ENFORCE.value:
            await asyncio.to_thread(self._in_force.set_enforcement, Enforcement.ENFORCE)
            await self._note_stricter("enforcement.set", peer, mode)
            self._tell(ENFORCED)
            return JSONResponse({"words": ENFORCED})
        is_known = mode in (Enforcement.SHADOW.value, Enforcement.AUDIT_ONLY.value)
        # Not `isinstance`: `true` is an int in Python.
        if not is_known or type(days) is not int or not 1 <= days <= MOST_DAYS:
            return JSONResponse({"words": self.EXPECTED}, 400)
        wanted = Enforcement(str(mode)), days
        what = f"{count_of(days, 'day')} in which nothing is blocked"
        return await self._asked(peer, what, wanted)

    async def _confirmed(self, code: str) -> Response:
        who, (mode, days) = self._taken(code)
        await self._note("enforcement.set", who, f"{mode.value} for {count_of(days, 'day')}")
        until_s = time.time() + days * DAY_S
        await asyncio.to_thread(self._in_force.set_enforcement, mode, until_s=until_s)
        words = f"{mode.warning}; set by {who} for {count_of(days, 'day')}"
        # A problem of `signoff status` as long as it lasts; a warning would outlast it.
        log.info("%s", words)
        self._tell(words)
        return JSONResponse({"words": words})
