"""The bundle over the daemon's Unix socket: an admin at a terminal ends it on this machine.

POST /v1/bundle {"leave": true}        {"asked": true}: a code is on the terminal
POST /v1/bundle {"code": "K7QM2X"}     {"words": "ended: ..."}
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping

from starlette.responses import JSONResponse, Response

from signoff.actions.action import Json
from signoff.challenge.terms.approver import Directory
from signoff.frontends.server.wire.switches.terminal_codes import RecordAct, TerminalSwitch
from signoff.serving.peer import Agents, Peer

log = logging.getLogger(__name__)

WANTED = "ending the bundle on this machine"
NOTHING = "this machine is under no bundle"

Leave = Callable[[str], Awaitable[bool]]


class LeavingBundle(TerminalSwitch[str]):
    """Lets an admin end this machine's bundle, confirmed on the terminal.

    Args:
        leave: ends it; returns False if there is none.
    """

    EXPECTED = 'expected {"leave": true} or {"code": "..."}'
    WHAT = "the bundle"
    AGAIN = "`signoff bundle leave` again"

    def __init__(
        self,
        leave: Leave,
        people: Directory,
        agents: Agents,
        tell: Callable[[str], None],
        *,
        record: RecordAct,
        is_shown: bool = False,
    ) -> None:
        # `leave` writes it down itself.
        super().__init__(people, agents, tell, record=record, is_shown=is_shown)
        self._leave = leave

    async def _answered(self, said: Mapping[str, Json], peer: Peer | None) -> Response:
        code = said.get("code")
        if isinstance(code, str):
            return await self._confirmed(code)
        if said.get("leave") is not True:
            return JSONResponse({"words": self.EXPECTED}, 400)
        return await self._asked(peer, WANTED, WANTED)

    async def _confirmed(self, code: str) -> Response:
        who, _ = self._taken(code)
        if not await self._leave(who):
            return JSONResponse({"words": NOTHING}, 403)
        words = f"ended by {who}: this machine is judged by its own files alone"
        log.warning("the bundle was %s", words)
        await asyncio.to_thread(self._tell, f"bundle {words}")
        return JSONResponse({"words": words})
