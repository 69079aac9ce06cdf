"""HTTP on one connection: headers of bounded size, and decisions without a detour.

A request for a decision that arrives as a whole is an `Exchange`; everything else, slow bodies
included, takes uvicorn's own way.
"""

from __future__ import annotations

import asyncio
import logging
import math
import sys
from functools import partial
from typing import TYPE_CHECKING, cast

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from signoff.frontends.server.wire.exchange import ARRIVED, DecisionApp, Exchange, Line
from signoff.frontends.server.wire.one_piece import OnePiece
from signoff.frontends.server.wire.peer import PEER, peer_of

if TYPE_CHECKING:
    from starlette.types import Scope

log = logging.getLogger(__name__)

HEAD_LIMIT = 2 << 20  # bytes taken before a request's headers are complete


class BoundedProtocol(HttpToolsProtocol):
    """Cuts off a connection whose headers do not come to an end, and serves decisions itself."""

    _head_bytes = 0
    # A request for a decision whose body is on its way, with what has come of it.
    _is_coming = False
    _coming = b""
    _idle_since = math.inf

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        super().connection_made(OnePiece(cast("asyncio.Transport", transport), self.loop))
        self.door = cast("DecisionApp", self.app)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        super().connection_lost(exc)
        if self.timeout_keep_alive_task is not None:
            self.timeout_keep_alive_task.cancel()

    def data_received(self, data: bytes) -> None:
        """Take in what has arrived."""
        self._head_bytes += len(data)
        if self._head_bytes > HEAD_LIMIT:
            self.transport.close()
            return
        super().data_received(data)
        if self._is_coming:
            self._take_the_long_way()

    def send_400_response(self, msg: str) -> None:
        """Refuse what cannot be read; a fault of ours is told, for it is answered alike."""
        error = sys.exception()
        fault = error.__context__ if isinstance(error, httptools.HttpParserCallbackError) else None
        if fault is not None and not isinstance(fault, httptools.HttpParserError | UnicodeError):
            log.error("a request could not be taken in", exc_info=fault)
        super().send_400_response(msg)

    def on_headers_complete(self) -> None:
        """Count again: a body has its own limit."""
        self._head_bytes = -(1 << 62)
        self._is_coming = self._asks_for_a_decision()
        if not self._is_coming:
            self._begin_cycle()

    def on_body(self, body: bytes) -> None:
        """Take in a part of the body."""
        if self._is_coming:
            self._coming = self._coming + body if self._coming else body
        else:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """Count the next request's headers."""
        self._head_bytes = 0
        if self._is_coming:
            self._begin_exchange()
        else:
            super().on_message_complete()

    def _asks_for_a_decision(self) -> bool:
        """Tell whether a request can be served as an exchange, if its body comes at once."""
        return (
            self.door.decides(self.url)
            and self.parser.get_method() == b"POST"
            and self.parser.get_http_version() == "1.1"
            and not self.expect_100_continue
            and not self.parser.should_upgrade()
            and (self.cycle is None or self.cycle.response_complete)
        )

    def _begin_exchange(self) -> None:
        """Serve a request for a decision that is there as a whole."""
        scope = cast("Scope", self.scope)
        cast("dict[str, object]", scope)[PEER] = peer_of(self.transport.get_extra_info("socket"))
        scope["method"], scope["path"], scope["query_string"] = "POST", self.url.decode(), b""
        exchange = Exchange(
            cast("Line", self),
            scope,
            arrived=self._coming,
            keep_alive=self.parser.should_keep_alive(),
        )
        self._is_coming, self._coming = False, b""
        self.cycle = cast("RequestResponseCycle", exchange)
        exchange.start(self.loop)

    def _take_the_long_way(self) -> None:
        """Hand a request whose body is slow to the cycle that waits for it."""
        body, self._is_coming, self._coming = self._coming, False, b""
        self._begin_cycle()
        if body:
            super().on_body(body)

    def _begin_cycle(self) -> None:
        super().on_headers_complete()
        self.scope[PEER] = peer_of(self.transport.get_extra_info("socket"))  # type: ignore[literal-required]  # our own
        self.scope[ARRIVED] = partial(_whole_body, self.cycle)  # type: ignore[literal-required]  # our own, beside ASGI's

    def on_response_complete(self) -> None:
        """Go on with the next request, or wait for one: by one timer, not one a request."""
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.pipeline:
            self._start_asgi_task(*self.pipeline.pop())
            return
        self._idle_since = self.loop.time()
        if self.timeout_keep_alive_task is None:
            self._look_again_in(self.timeout_keep_alive)

    def _unset_keepalive_if_required(self) -> None:
        """Note that the connection is in use."""
        self._idle_since = math.inf

    def timeout_keep_alive_handler(self) -> None:
        """Close a connection that was not used for so long; else look again later."""
        idle_s = self.loop.time() - self._idle_since
        if idle_s >= self.timeout_keep_alive:
            super().timeout_keep_alive_handler()
        else:
            self._look_again_in(self.timeout_keep_alive - max(idle_s, 0))

    def _look_again_in(self, seconds: float) -> None:
        self.timeout_keep_alive_task = self.loop.call_later(
            seconds, self.timeout_keep_alive_handler
        )


def _whole_body(cycle: RequestResponseCycle) -> bytes | None:
    """Take the body of a request that is there as a whole, None where more is to come."""
    if cycle.more_body or cycle.disconnected or cycle.waiting_for_100_continue:
        return None
    body, cycle.body = bytes(cycle.body), bytearray()
    return body
