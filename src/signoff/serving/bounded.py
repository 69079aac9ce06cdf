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
from signoff.system.handshake import Handshake

HEAD_LIMIT = 64 << 10  # bytes of a request's line and headers; the longest of our own are 40 KiB


class BoundedProtocol(HttpToolsProtocol):
    """One HTTP connection with limits: size of the head, time to send a request.

    A request whose target names another host is refused. With a `key` nothing is read before both
    ends have proved that they know it (`system/handshake.py`).
    """

    table: ClassVar[Connections]
    key: ClassVar[bytes] = b""
    _handshake: Handshake | None = None
    _connection: Connection
    _in_head = True
    _head_bytes = 0  # of a head that is not complete
    _target = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Register the new connection and let uvicorn write through `JoinedWrites`."""
        # uvicorn writes to what it is given here: on the bare transport head and body would leave
        # apart.
        joined = JoinedWrites(cast("asyncio.Transport", transport), asyncio.get_running_loop())
        self._connection = Connection(joined)
        if self.key:
            self._handshake = Handshake(self.key)
        super().connection_made(joined)
        self.table.opened(self._connection)

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection from those that are tracked."""
        self.table.closed(self._connection)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse what has arrived; close the connection if the head is too long."""
        transport = self._connection.transport
        if self._handshake is not None:
            data = self._proven(self._handshake, data)
            if not data:
                return
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

    def _proven(self, handshake: Handshake, data: bytes) -> bytes:
        """Go on with the proof of both ends; return what follows it, b"" for nothing yet."""
        transport = self._connection.transport
        try:
            answer, rest = handshake.receive(data)
        except ConnectionRefusedError:
            transport.abort()
            return b""
        transport.write(answer)
        if handshake.is_over:
            self._handshake = None
            self._connection.find_peer()
        return rest

    def _feed(self, data: bytes) -> None:
        """Hand bytes to the parser; what it begins to serve belongs to this connection."""
        if self._in_head:
            self._head_bytes += len(data)
        # uvicorn makes the task of a request within the call below, and a task keeps the context
        # it was made in.
        enter(self._connection)
        super().data_received(data)

    def on_message_begin(self) -> None:
        """Called by the parser at the first byte of a request."""
        self._connection.is_whole, self._target = False, b""
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Called by the parser with a part of the request target."""
        self._target += url
        super().on_url(url)

    def on_headers_complete(self) -> None:
        """Called by the parser after the headers; the body has its own limit.

        A target in absolute form names a host, which takes precedence over `Host` (RFC 9112,
        3.2.2). It is added as a second `Host` header, and a request with two is refused.
        """
        self._in_head, self._head_bytes = False, 0
        if not self._target.startswith(b"/"):
            self.on_header(b"host", self._target)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Called by the parser after a request; the next head is counted from 0."""
        self._in_head, self._head_bytes, self._connection.is_whole = True, 0, True
        super().on_message_complete()


class JoinedWrites(asyncio.Transport):
    """A transport that sends all writes of one event loop iteration in one system call.

    A system call costs more than all other work for a response head.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._transport, self._loop, self._held = transport, loop, b""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Buffer the data until the end of this event loop iteration, or the second write."""
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
        """Write what is buffered, then close."""
        self._flush()
        self._transport.close()

    def abort(self) -> None:
        """Close at once; what is buffered is lost."""
        self._held = b""
        self._transport.abort()

    def is_closing(self) -> bool:
        """Return whether it is closed or closing."""
        return self._transport.is_closing()

    def get_extra_info(self, name: str, default: object = None) -> object:
        """Return a property of the connection, as `asyncio.Transport.get_extra_info` does."""
        return self._transport.get_extra_info(name, default)

    def pause_reading(self) -> None:
        """Stop receiving, as `asyncio.ReadTransport.pause_reading` does."""
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Receive again after `pause_reading`."""
        self._transport.resume_reading()
