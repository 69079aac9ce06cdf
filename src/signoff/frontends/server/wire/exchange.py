"""One request for a decision that has arrived as a whole, and its answer, without ASGI between.

A request in one piece with one answer in one piece needs neither messages nor a router; what
serves it is the same door that serves all others. To uvicorn's protocol an exchange looks like its
own cycle, so that pipelined requests, lost connections and shutdowns are its to handle.

    protocol.cycle = Exchange(...)
    protocol.cycle.start(loop)
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from starlette.responses import Response
from starlette.types import Receive, Scope
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from signoff.frontends.server.wire.one_piece import OnePiece

ARRIVED = "signoff.arrived"  # in a request's scope: gives the body if all of it is there, else None
CLOSE = b"connection: close\r\n"

log = logging.getLogger(__name__)


class DecisionDoor(Protocol):
    """What serves requests for decisions, and everything else as an ASGI application."""

    def decides(self, path: bytes) -> bool:
        """Tell whether a POST to this raw path asks for a decision."""

    async def answer(self, scope: Scope, receive: Receive) -> Response:
        """Answer a request for a decision; a failure is an answer as well."""


@dataclass(slots=True, kw_only=True)
class Exchange:
    """A request that has arrived and the answer it gets.

    Args:
        on_response: called once the answer is written.
        tasks: the server's open tasks; it waits for them when it ends.
        keep_alive: whether the connection stays open afterwards.
    """

    door: DecisionDoor
    scope: Scope
    arrived: bytes
    transport: OnePiece
    flow: FlowControl
    on_response: Callable[[], None]
    tasks: set[asyncio.Task[None]]
    keep_alive: bool
    disconnected: bool = False
    response_complete: bool = False
    more_body: bool = False
    body: bytes = b""
    message_event: asyncio.Event = field(default_factory=asyncio.Event)
    _task: asyncio.Task[None] | None = None

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to serve it."""
        # No way back from the scope to the exchange: a cycle would wait for the collector, which
        # stops everybody for milliseconds.
        self.scope[ARRIVED] = self.arrived.__bytes__
        self._task = loop.create_task(self._serve())
        self.tasks.add(self._task)

    async def receive(self) -> dict[str, Any]:
        """Wait until the caller is gone; its body was there from the beginning."""
        while not (self.disconnected or self.response_complete):
            await self.message_event.wait()
            self.message_event.clear()
        return {"type": "http.disconnect"}

    async def _serve(self) -> None:
        """Answer it; whoever cannot be answered is cut off."""
        try:
            response = await self.door.answer(self.scope, self.receive)
            if self.flow.write_paused and not self.disconnected:
                await self.flow.drain()
            if not self.disconnected:
                self._write(response)
        except BaseException as error:
            self.transport.close()
            if not isinstance(error, Exception):
                raise
            log.exception("a request could not be answered")
        finally:
            if self._task is not None:
                self.tasks.discard(self._task)

    def _write(self, response: Response) -> None:
        """Write the answer; the connection is free for the next request."""
        head = [STATUS_LINE[response.status_code]]
        for name, value in response.raw_headers:
            head += (name, b": ", value, b"\r\n")
        if not self.keep_alive:
            head.append(CLOSE)
        self.transport.write_whole(b"".join((*head, b"\r\n", response.body)))
        self.response_complete = True
        self.message_event.set()
        if not self.keep_alive:
            self.transport.close()
        self.on_response()
