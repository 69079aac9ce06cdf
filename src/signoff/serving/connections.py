"""The connections of one server: how many there are, and which of them are ended.

A connection that says nothing, or holds back half a request, takes a descriptor and gives nothing.
So a request must arrive as a whole within `ARRIVE_WITHIN_S` of its first byte. A new connection has
the same time for its first request. After an answer a connection is kept for `IDLE_S`. Beyond the
limit, the connection that has been silent longest is closed for each new one. A connection that
waits for an answer to what it has sent is never closed.

    connections = Connections(limit=1_024)
    app = connections.serving(app)         what is served is noted, and told whose request it is
    connections.opened(Connection(transport))
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from contextvars import ContextVar

from starlette.types import ASGIApp, Receive, Scope, Send

from signoff.serving.peer import PEER, Peer, peer_of
from signoff.system import links

# A hook sends its event at once; who holds back half of one wants a descriptor.
ARRIVE_WITHIN_S = 15.0
IDLE_S = 75.0
SWEEP_EVERY_S = 1.0

_current: ContextVar[Connection | None] = ContextVar("signoff_connection", default=None)


class Connection:
    """One open connection of a server and its state.

    `peer` is the process at its other end, None over TCP. `is_whole` tells whether all that was
    sent belongs to whole requests, `is_served` whether one of them is being answered.
    """

    __slots__ = ("is_served", "is_whole", "peer", "transport")

    def __init__(self, transport: asyncio.Transport) -> None:
        self.transport = transport
        self.peer: Peer | None = None
        if not links.IS_FILE:
            self.find_peer()
        self.is_whole = self.is_served = False

    def find_peer(self) -> None:
        """Ask the system who is at the other end; Windows is asked once the caller is known."""
        self.peer = peer_of(self.transport.get_extra_info("socket"))


class Connections:
    """Tracks the connections of a server and closes those that send nothing.

    Args:
        limit: largest number of connections at once.
        arrive_within_s: seconds from the first to the last byte of a request.
        idle_s: seconds a connection is kept open after its last answer.
    """

    def __init__(
        self, *, limit: int, arrive_within_s: float = ARRIVE_WITHIN_S, idle_s: float = IDLE_S
    ) -> None:
        self._limit, self._within_s, self._idle_s = limit, arrive_within_s, idle_s
        self._open: set[Connection] = set()
        # By the loop's time since when; the first has waited longest.
        self._arriving: OrderedDict[Connection, float] = OrderedDict()
        self._idle: OrderedDict[Connection, float] = OrderedDict()
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        """Return how many are open."""
        return len(self._open)

    def opened(self, connection: Connection) -> None:
        """Add a connection; over the limit, the one silent for longest is closed."""
        loop = asyncio.get_running_loop()
        self._open.add(connection)
        self._arriving[connection] = loop.time()
        # The new connection stays: an attacker who fills the limit must not keep others out.
        if len(self._open) > self._limit:
            self._make_room()
        if self._timer is None:
            self._timer = loop.call_later(SWEEP_EVERY_S, self._sweep)

    def closed(self, connection: Connection) -> None:
        """Remove a closed connection."""
        self._open.discard(connection)
        self._arriving.pop(connection, None)
        self._idle.pop(connection, None)

    def received(self, connection: Connection) -> None:
        """Note that data arrived, and whether it completed a request."""
        if connection.is_whole:
            self._arriving.pop(connection, None)
            if not connection.is_served and connection not in self._idle:
                # The rest of a body that nobody waited for; or a request, which is served next.
                self._idle[connection] = asyncio.get_running_loop().time()
        elif connection not in self._arriving:
            self._idle.pop(connection, None)
            self._arriving[connection] = asyncio.get_running_loop().time()

    def serving(self, app: ASGIApp) -> ASGIApp:
        """Wrap the application so that running requests are tracked by connection."""

        async def served(scope: Scope, receive: Receive, send: Send) -> None:
            connection = _current.get()
            if connection is None:
                await app(scope, receive, send)
                return
            # From the kernel: what a caller may ask for hangs on it, and a header could claim
            # anything.
            scope[PEER] = connection.peer
            connection.is_served = True
            self._idle.pop(connection, None)
            try:
                await app(scope, receive, send)
            finally:
                connection.is_served = False
                # A connection that has closed meanwhile would never be removed again; one with
                # half of the next request is among those that arrive.
                if connection.is_whole and connection in self._open:
                    self._idle[connection] = asyncio.get_running_loop().time()

        return served

    def _make_room(self) -> None:
        """End the connection that has been silent longest."""
        # Connections that are being served are in neither: a caller that waits is never cut off.
        found = [next(iter(kept.items())) for kept in (self._arriving, self._idle) if kept]
        # The new connection is among them, so there is always one. It is ended itself where all
        # others are being served.
        self._end(min(found, key=lambda one: one[1])[0])

    def _sweep(self) -> None:
        """End what has taken too long; look again later, as long as there is a connection."""
        loop = asyncio.get_running_loop()
        for kept, limit_s in ((self._arriving, self._within_s), (self._idle, self._idle_s)):
            oldest = loop.time() - limit_s
            while kept and next(iter(kept.values())) <= oldest:
                self._end(next(iter(kept)))
        # No timer without connections, so that an idle daemon does not wake up.
        again = bool(self._open)
        self._timer = loop.call_later(SWEEP_EVERY_S, self._sweep) if again else None

    def _end(self, connection: Connection) -> None:
        # Forget it first: `abort` calls back later, and the sweep must not find it again.
        self.closed(connection)
        connection.transport.abort()


def enter(connection: Connection) -> None:
    """Set the connection that this task, and the tasks it starts, work for."""
    _current.set(connection)


def is_whole_request() -> bool:
    """Return whether the request being served has arrived completely."""
    connection = _current.get()
    return connection is not None and connection.is_whole
