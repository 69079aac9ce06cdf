"""Learning over the daemon's Unix socket: an admin at a terminal accepts what is proposed.

GET  /v1/learning                                 {"proposals": [...], "rules": [...], ...}
POST /v1/learning {"accept": "prop_1a2b3c4d", "days": 30}    {"asked": true}: a code is shown
POST /v1/learning {"dismiss": "prop_1a2b3c4d"}    the same; {"remove": "learned-..."} too
POST /v1/learning {"code": "K7QM2X"}              {"done": true, "words": "..."}
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from signoff.actions.action import Json
from signoff.challenge.terms.approver import Directory
from signoff.challenge.visible import visible
from signoff.effects.learning.proposals import LONGEST_DAYS
from signoff.errors import SignoffError
from signoff.frontends.learning.formatting import learning_json, what_of
from signoff.frontends.learning.service import Learning, NotLearned
from signoff.frontends.server.wire.switches.terminal_codes import RecordAct, TerminalSwitch
from signoff.serving.peer import Agents, Peer
from signoff.values import count_of

LearningAct = Callable[[str], str]  # takes who does it; returns what to say about it
Named = tuple[str, str, LearningAct]  # as the audit log calls it, of which one, and what is done


class LearningSwitch(TerminalSwitch[Named]):
    """Shows what was learned, and lets an admin change it, confirmed on the terminal."""

    EXPECTED = 'expected {"accept": id}, {"dismiss": id}, {"remove": name} or {"code": "..."}'
    WHAT = "what was learned"
    CALLER_ERRORS = (NotLearned,)

    def __init__(
        self,
        learning: Learning,
        people: Directory,
        agents: Agents,
        *,
        record: RecordAct,
        is_shown: bool = False,
    ) -> None:
        # `learning` tells itself.
        super().__init__(people, agents, lambda _: None, record=record, is_shown=is_shown)
        self._learning = learning

    async def listed(self, _: Request) -> Response:
        """GET /v1/learning: learned rules and proposals."""
        try:
            view = await asyncio.to_thread(self._learning.look)
        except SignoffError as error:
            return JSONResponse({"words": str(error)}, 503)
        return JSONResponse(learning_json(view))

    async def _answered(self, said: Mapping[str, Json], peer: Peer | None) -> Response:
        code = said.get("code")
        if isinstance(code, str):
            who, (name, which, act) = self._taken(code)
            await self._note(name, who, which)
            words = await asyncio.to_thread(act, f"{who} (terminal)")
            return JSONResponse({"done": True, "words": words})
        wanted = await asyncio.to_thread(self._wanted, said)
        if wanted is None:
            return JSONResponse({"words": self.EXPECTED}, 400)
        what, named = wanted
        return await self._asked(peer, visible(what), named)

    def _wanted(self, said: Mapping[str, Json]) -> tuple[str, Named] | None:
        """Return what shall be done, in words and as a call; None if it is not understood.

        Raises:
            NotLearned: there is no such proposal or rule.
        """
        learning, days = self._learning, said.get("days", LONGEST_DAYS)
        match said:
            # Not `isinstance`: `true` is an int in Python.
            case {"accept": str(id)} if type(days) is int:
                what = what_of(learning.proposal(id))
                done = partial(_accepted, learning, id, int(days))
                return f"`{what}`", ("rule.learn", f"{id}: {what}, {count_of(days, 'day')}", done)
            case {"dismiss": str(id)}:
                what = what_of(learning.proposal(id))
                done = partial(_dismissed, learning, id)
                return f"never proposing `{what}`", ("rule.dismiss", f"{id}: {what}", done)
            case {"remove": str(name)}:
                learning.rule(name)
                done = partial(_removed, learning, name)
                return f"removing `{name}`", ("rule.unlearn", name, done)
        return None


def _accepted(learning: Learning, id: str, days: int, by: str) -> str:
    return learning.accept(id, by=by, days=days)


def _dismissed(learning: Learning, id: str, by: str) -> str:
    return learning.dismiss(id, by=by)


def _removed(learning: Learning, name: str, by: str) -> str:
    return learning.remove(name, by=by)
