"""HTTP on one connection: headers of bounded size, and answers that leave in one piece."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

HEAD_LIMIT = 2 << 20  # bytes taken before a request's headers are complete
ARRIVED = "signoff.arrived"  # in a request's scope: gives the body if all of it is there, else None


class BoundedProtocol(HttpToolsProtocol):
    """Cuts off a connection whose headers do not come to an end."""

    _head_bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        super().connection_made(OnePiece(cast("asyncio.Transport", transport), self.loop))

    def data_received(self, data: bytes) -> None:
        """Take in what has arrived."""
        self._head_bytes += len(data)
        if self._head_bytes > HEAD_LIMIT:
            self.transport.close()
            return
        super().data_received(data)

    def on_headers_complete(self) -> None:
        """Count anew: a body has its own limit."""
        self._head_bytes = -(1 << 62)
        super().on_headers_complete()
        self.scope[ARRIVED] = partial(_whole_body, self.cycle)  # type: ignore[literal-required]  # our own, beside ASGI's

    def on_message_complete(self) -> None:
        """Count the next request's headers."""
        self._head_bytes = 0
        super().on_message_complete()


def _whole_body(cycle: RequestResponseCycle) -> bytes | None:
    """Take the body of a request that is there as a whole, None where more is to come."""
    if cycle.more_body or cycle.disconnected or cycle.waiting_for_100_continue:
        return None
    body, cycle.body = bytes(cycle.body), bytearray()
    return body


class OnePiece(asyncio.Transport):
    """Writes what is written within one turn of the loop, head and body, by one system call.

    A call costs more than everything else there is to do for a head.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._transport, self._loop, self._held = transport, loop, b""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Hold a first piece for this turn; a second one takes it along."""
        if self._held:
            held, self._held = self._held, b""
            self._transport.write(held + data)
        elif data:
            self._held = bytes(data)
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        if self._held:
            held, self._held = self._held, b""
            self._transport.write(held)

    def close(self) -> None:
        """Write what is held and close."""
        self._flush()
        self._transport.close()

    def abort(self) -> None:
        """Close at once."""
        self._held = b""
        self._transport.abort()

    def is_closing(self) -> bool:
        """Tell whether it is closed or about to be."""
        return self._transport.is_closing()

    def get_extra_info(self, name: str, default: object = None) -> object:
        """Return what is known of the connection."""
        return self._transport.get_extra_info(name, default)

    def pause_reading(self) -> None:
        """Take nothing in."""
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Take in again."""
        self._transport.resume_reading()
