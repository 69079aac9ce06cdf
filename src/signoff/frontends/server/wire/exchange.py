"""One request for a decision that has arrived as a whole, and its answer, without ASGI between.

A request in one piece with one answer in one piece needs neither messages nor a router; what
serves it is the same door that serves all others. To uvicorn's protocol an exchange looks like its
own cycle, so that pipelined requests, lost connections and shutdowns are its to handle.

    exchange = Exchange(protocol, scope, arrived=body, keep_alive=True)
    exchange.start(loop)
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Protocol

from starlette.responses import Response
from starlette.types import Receive, Scope
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from signoff.frontends.server.wire.one_piece import OnePiece

ARRIVED = "signoff.arrived"  # in a request's scope: gives the body if all of it is there, else None
CLOSE = b"connection: close\r\n"

log = logging.getLogger(__name__)


class DecisionApp(Protocol):
    """What serves requests for decisions, and everything else as an ASGI application."""

    def decides(self, path: bytes) -> bool:
        """Tell whether a POST to this raw path asks for a decision."""

    async def answer(self, scope: Scope, receive: Receive) -> Response:
        """Answer a request for a decision; a failure is an answer as well."""


class Line(Protocol):
    """The connection a request came on.

    Args:
        tasks: the server's open tasks; it waits for them when it ends.
    """

    door: DecisionApp
    transport: OnePiece
    flow: FlowControl
    tasks: set[asyncio.Task[None]]

    def on_response_complete(self) -> None:
        """Go on with what comes next."""


class Exchange:
    """A request that has arrived and the answer it gets.

    Args:
        keep_alive: whether the connection stays open afterwards.
    """

    __slots__ = (
        "_gone",
        "_task",
        "arrived",
        "body",
        "disconnected",
        "keep_alive",
        "line",
        "more_body",
        "response_complete",
        "scope",
    )

    def __init__(self, line: Line, scope: Scope, *, arrived: bytes, keep_alive: bool) -> None:
        self.line, self.scope, self.arrived, self.keep_alive = line, scope, arrived, keep_alive
        self.disconnected = self.response_complete = self.more_body = False
        self.body = b""
        self._gone: asyncio.Event | None = None  # made for whoever waits for it
        self._task: asyncio.Task[None] | None = None

    @property
    def message_event(self) -> Exchange:
        """What uvicorn sets when the caller is gone."""
        return self

    def set(self) -> None:
        """Wake whoever waits for the caller to go."""
        if self._gone is not None:
            self._gone.set()

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to serve it."""
        # No way back from the scope to the exchange: a cycle would wait for the collector, which
        # stops everybody for milliseconds.
        self.scope[ARRIVED] = self.arrived.__bytes__
        self._task = loop.create_task(self._serve())
        self.line.tasks.add(self._task)

    async def receive(self) -> dict[str, Any]:
        """Wait until the caller is gone; its body was there from the beginning."""
        if self._gone is None:
            self._gone = asyncio.Event()
        while not (self.disconnected or self.response_complete):
            await self._gone.wait()
            self._gone.clear()
        return {"type": "http.disconnect"}

    async def _serve(self) -> None:
        """Answer it; whoever cannot be answered is cut off."""
        try:
            response = await self.line.door.answer(self.scope, self.receive)
            if self.line.flow.write_paused and not self.disconnected:
                await self.line.flow.drain()
            if not self.disconnected:
                self._write(response)
        except BaseException as error:
            self.line.transport.close()
            if not isinstance(error, Exception):
                raise
            log.exception("a request could not be answered")
        finally:
            if self._task is not None:
                self.line.tasks.discard(self._task)

    def _write(self, response: Response) -> None:
        """Write the answer; the connection is free for the next request."""
        head = [STATUS_LINE[response.status_code]]
        for name, value in response.raw_headers:
            head += (name, b": ", value, b"\r\n")
        if not self.keep_alive:
            head.append(CLOSE)
        self.line.transport.write_whole(b"".join((*head, b"\r\n", response.body)))
        self.response_complete = True
        self.set()
        if not self.keep_alive:
            self.line.transport.close()
        self.line.on_response_complete()
