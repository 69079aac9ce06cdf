"""Naps over the daemon's Unix socket: an admin at a terminal starts one, anybody ends it.

    POST /v1/naps {"minutes": 30}        {"asked": true}: a code is on the caller's terminal
    POST /v1/naps {"code": "K7QM"}       {"words": "nap until 14:30, ..."}
    POST /v1/naps {"end": true}          {"words": "the nap is over"}

The code is written to the terminal by the daemon itself, as sign-in links are: what reads sockets,
files or the output of commands does not see it, and a terminal an agent has started gets none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from starlette.responses import JSONResponse, Response

from signoff.actions.action import Json
from signoff.challenge.people.nap import LONGEST_S, SHORTEST_S, NapSwitch
from signoff.challenge.terms.approver import Directory
from signoff.frontends.server.wire.switches.terminal_codes import RecordAct, TerminalSwitch
from signoff.serving.peer import Agents, Peer
from signoff.values import count_of


class Naps(TerminalSwitch[float]):
    """Lets an admin start and end naps, confirmed on the terminal."""

    EXPECTED = 'expected {"minutes": 30}, {"code": "..."} or {"end": true}'
    WHAT = "the nap"
    AGAIN = "`signoff nap` again"

    def __init__(
        self,
        switch: NapSwitch,
        people: Directory,
        agents: Agents,
        tell: Callable[[str], None],
        *,
        record: RecordAct,
        is_shown: bool = False,
    ) -> None:
        super().__init__(people, agents, tell, record=record, is_shown=is_shown)
        self._switch = switch

    async def _answered(self, said: Mapping[str, Json], peer: Peer | None) -> Response:
        if said.get("end") is True:
            return await self._ended(peer)
        code, minutes = said.get("code"), said.get("minutes")
        if isinstance(code, str):
            return await self._started(code)
        # To Python, `true` is the number 1.
        if isinstance(minutes, bool) or not isinstance(minutes, int):
            minutes = 0
        if not SHORTEST_S <= minutes * 60 <= LONGEST_S:
            words = f"a nap lasts 1 to {LONGEST_S / 60:g} minutes"
            return JSONResponse({"words": words if "minutes" in said else self.EXPECTED}, 400)
        what = count_of(minutes, "minute")
        return await self._asked(peer, what, float(minutes) * 60.0)

    async def _started(self, code: str) -> Response:
        who, seconds = self._taken(code)
        await self._note("nap.start", who, count_of(seconds / 60, "minute"))
        nap = self._switch.start(by=who, seconds=seconds)
        self._tell(str(nap))
        return JSONResponse({"words": str(nap)})

    async def _ended(self, peer: Peer | None) -> Response:
        if not self._switch.end():
            return JSONResponse({"words": "there is no nap"})
        await self._note_stricter("nap.end", peer, "signoff asks again")
        self._tell("the nap is over: signoff asks again")
        return JSONResponse({"words": "the nap is over"})
