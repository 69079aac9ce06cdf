"""Oversight figures over the daemon's Unix socket: `GET /v1/oversight`, over the whole record."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from signoff.errors import SignoffError
from signoff.frontends.auditing.oversight import oversight
from signoff.storage.reading import Readable


class Overseeing:
    """Shows statistics about how people answer.

    Args:
        record: a connection that no decision waits for.
        waiting: returns the requests that are open, by id.
    """

    def __init__(self, record: Readable, waiting: Callable[[], Mapping[str, int]]) -> None:
        self._record, self._waiting = record, waiting

    async def shown(self, _: Request) -> Response:
        """GET /v1/oversight: statistics about how people answer."""
        try:
            figures = await asyncio.to_thread(
                lambda: oversight(self._record.entries(), waiting=self._waiting())
            )
        except SignoffError as error:
            return JSONResponse({"words": str(error)}, 503)
        return Response(msgspec.json.encode(figures), media_type="application/json")
