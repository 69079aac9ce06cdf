"""One turn of the event loop: within it what was seen need not be looked at again.

Sockets are read between turns, and a request is served from the loop's queue, in line, after it
was read. So whoever is served before the turn is over was sent before the look that began it, and
sees whatever was there when it was sent. A server that serves requests while it still reads others
must not share looks by this.

    turn = Turn()
    turn.moment() is turn.moment()    on the loop, until it reads again; elsewhere never
"""

from __future__ import annotations

import asyncio


class _TickState:
    """What holds as long as one turn of this loop."""

    __slots__ = ("loop",)

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop


class LoopTick:
    """Tells turns of the running loop apart; looks and threads of their own share nothing."""

    def __init__(self) -> None:
        self._now: _TickState | None = None

    def moment(self) -> object:
        """Return the same as long as what was seen holds, something new each time elsewhere."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return object()
        now = self._now
        if now is None or now.loop is not loop:
            now = self._now = _TickState(loop)
            # In line before everything that is read from now on.
            loop.call_soon(self._end)
        return now

    def _end(self) -> None:
        """End the turn: the next caller looks again."""
        self._now = None
