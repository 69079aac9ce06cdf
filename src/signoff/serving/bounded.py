"""uvicorn's HTTP protocol with a limit on heads, for connections that are looked after.

Only public interfaces are used: what asyncio calls on a protocol, and what the parser (httptools)
calls on its owner. A change of anything else in uvicorn changes nothing here. Head and body of an
answer leave by one system call.

    class Protocol(BoundedProtocol): table = Connections(limit=1_024)
    uvicorn.Config(app, http=Protocol)
"""

from __future__ import annotations

import asyncio
from typing import ClassVar, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from signoff.serving.connections import Connection, Connections, enter

HEAD_LIMIT = 64 << 10  # bytes of a request's line and headers; the longest of our own are 40 KiB


class BoundedProtocol(HttpToolsProtocol):
    """One connection: heads of bounded size, requests that arrive in time, no foreign targets."""

    table: ClassVar[Connections]
    _connection: Connection
    _in_head = True
    _head_bytes = 0  # of a head that is not complete
    _target = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Register the new connection; hand uvicorn a transport that joins writes."""
        # uvicorn writes to what it is given here: on the bare transport head and body would leave
        # apart.
        joined = JoinedWrites(cast("asyncio.Transport", transport), asyncio.get_running_loop())
        self._connection = Connection(joined)
        super().connection_made(joined)
        self.table.opened(self._connection)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self.table.closed(self._connection)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take in what has arrived; a head that does not come to an end cuts the connection."""
        transport = self._connection.transport
        # One read may hold a whole head and much of a body: what fits the limit is parsed first,
        # and only a head that is still open then is too long.
        while self._in_head and self._head_bytes + len(data) > HEAD_LIMIT:
            room = HEAD_LIMIT - self._head_bytes
            self._feed(data[:room])
            # The parser sets the count to 0 where a head ends.
            if self._head_bytes == HEAD_LIMIT or transport.is_closing():
                transport.close()
                return
            data = data[room:]
        self._feed(data)
        self.table.received(self._connection)

    def _feed(self, data: bytes) -> None:
        """Hand bytes to the parser; what it begins to serve belongs to this connection."""
        if self._in_head:
            self._head_bytes += len(data)
        # uvicorn makes the task of a request within the call below, and a task keeps the context
        # it was made in.
        enter(self._connection)
        super().data_received(data)

    def on_message_begin(self) -> None:
        """Begin a request."""
        self._connection.is_whole, self._target = False, b""
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Take in a part of the target."""
        self._target += url
        super().on_url(url)

    def on_headers_complete(self) -> None:
        """Count no further: a body has its own limit.

        A target in absolute form names a host, which counts more than `Host` (RFC 9112, 3.2.2). It
        is noted as one more `Host` header, and of two none is believed.
        """
        self._in_head, self._head_bytes = False, 0
        if not self._target.startswith(b"/"):
            self.on_header(b"host", self._target)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Count the next request's head."""
        self._in_head, self._head_bytes, self._connection.is_whole = True, 0, True
        super().on_message_complete()


class JoinedWrites(asyncio.Transport):
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

    def write_whole(self, data: bytes) -> None:
        """Write what needs no other piece."""
        if self._held:
            self._flush()
        self._transport.write(data)

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
        """Return a property of the connection, as `asyncio.Transport.get_extra_info` does."""
        return self._transport.get_extra_info(name, default)

    def pause_reading(self) -> None:
        """Take nothing in."""
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Take in again."""
        self._transport.resume_reading()
