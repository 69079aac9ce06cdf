"""MCP tools that a proxy holds back: the daemon records it, and tells people on their channels.

POST /v1/tool-alerts {"server": "github", "tool": "create_issue", "why": "has changed ..."}
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from signoff.actions.action import Action
from signoff.challenge.visible import visible
from signoff.decide.decision import BY_LOCK
from signoff.errors import BadPayload, SignoffError
from signoff.frontends.mcp.adapter import NAME
from signoff.frontends.server.project_runtimes import ProjectRuntimes
from signoff.frontends.server.wire.bodies import read_body

BODY_LIMIT = 10_000
EVERY_S = 3_600.0  # the same is told once in so long, whichever process finds it
KEPT = 1_000
MOST_TOLD = 20  # in `EVERY_S`: whoever makes up alerts must not flood people's phones
MORE = "more MCP tools are held back than are told here: `signoff mcp tools` shows them"

Short = Annotated[str, Meta(min_length=1, max_length=300)]


class ToolAlert(Struct, frozen=True, kw_only=True):
    """An MCP tool that is held back, and why."""

    server: Short
    tool: Short
    why: Short

    @property
    def words(self) -> str:
        """The text for people."""
        return visible(
            f"MCP server {self.server}: the tool `{self.tool}` is held back, its definition"
            f" {self.why}. Look at it: `signoff mcp accept {self.server} {self.tool}`"
        )


class ToolAlerts:
    """Records alerts about held tools and tells people."""

    def __init__(self, *, tell: Callable[[str], None], guards: ProjectRuntimes) -> None:
        self._tell, self._guards = tell, guards
        self._told: dict[ToolAlert, float] = {}

    async def answer(self, request: Request) -> Response:
        """POST /v1/tool-alerts: tell people about a tool that is held back."""
        try:
            alert = msgspec.json.decode(await read_body(request, BODY_LIMIT), type=ToolAlert)
        except (BadPayload, msgspec.MsgspecError, ValueError):
            return JSONResponse({"words": "expected server, tool and why"}, 400)
        if self._is_new(alert, time.monotonic()):
            told = len(self._told)
            if told <= MOST_TOLD:
                self._tell(alert.words if told < MOST_TOLD else MORE)
            await self._record(alert)
        return JSONResponse({"words": "told"})

    def _is_new(self, alert: ToolAlert, now: float) -> bool:
        """Tell whether an alert was not told in the last `EVERY_S`, and note it."""
        self._told = {one: at for one, at in self._told.items() if now - at < EVERY_S}
        if alert in self._told or len(self._told) >= KEPT:
            return False
        self._told[alert] = now
        return True

    async def _record(self, alert: ToolAlert) -> None:
        """Write a refusal of the tool as a whole; people are told in any case."""
        tool = visible(f"mcp__{alert.server}__{alert.tool}")[:256]
        action = Action(tool=tool, arguments={}, agent=NAME, source=NAME)
        reason = f"the tool is held back: its definition {visible(alert.why)}"
        with contextlib.suppress(SignoffError):
            gate = (await self._guards.at("")).gate
            await gate.refuse(action, reason, decided_by=BY_LOCK)
