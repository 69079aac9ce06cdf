"""MCP tools that a proxy holds back: the daemon tells people on their channels.

POST /v1/tool-alerts {"server": "github", "tool": "create_issue", "why": "has changed ..."}
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from signoff.challenge.visible import visible

BODY_LIMIT = 10_000
EVERY_S = 3_600.0  # the same is told once in so long, whichever process finds it
KEPT = 1_000

Short = Annotated[str, Meta(min_length=1, max_length=300)]


class ToolAlert(Struct, frozen=True, kw_only=True):
    """One tool that is held back, and why."""

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
    """Takes alerts in and tells people."""

    def __init__(self, *, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._told: dict[ToolAlert, float] = {}

    async def answer(self, request: Request) -> Response:
        """POST /v1/tool-alerts: tell people about a tool that is held back."""
        try:
            alert = msgspec.json.decode((await request.body())[:BODY_LIMIT], type=ToolAlert)
        except (msgspec.MsgspecError, ValueError):
            return JSONResponse({"words": "expected server, tool and why"}, 400)
        now = time.monotonic()
        if now - self._told.get(alert, -EVERY_S) >= EVERY_S:
            while len(self._told) >= KEPT:
                self._told.pop(next(iter(self._told)))
            self._told[alert] = now
            self._tell(alert.words)
        return JSONResponse({"words": "told"})
