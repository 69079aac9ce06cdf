"""Probes of files that keep no server waiting. Apart, as only servers load asyncio.

A file system of this machine answers as fast as its memory, and a thread would cost more than the
probe. One of another machine or of a program may never answer: it is probed from threads of its
own, for a limited time, and what was not seen by then is not known.

Within one tick of the event loop what was seen is not probed again. Sockets are read between ticks,
and a request is served from the loop's queue, in line, after it was read. So whoever is served
before the tick is over had sent before the probe that began it, and sees whatever was there when
it was sent. A server that serves requests while it still reads others must not share probes by
this.

    tick = LoopTick()
    tick.moment() is tick.moment()    on the loop, until it reads again; elsewhere never
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from signoff.errors import StoreError
from signoff.storage.fs_probe.mounts import Mounts
from signoff.storage.fs_probe.probe import Seen

THREADS = 16  # each may hang on a file system that never answers; others still find a thread
WITHIN_S = 5.0  # a hook waits for the answer; unknown is asked about, not waited for


class OffloadedProbe:
    """Reads the file system at once if all of it is local, else on a thread.

    Args:
        mounts: knows whether it is; its owner keeps it current.
    """

    def __init__(self, mounts: Mounts, *, within_s: float = WITHIN_S) -> None:
        self._mounts = mounts
        self._within_s = within_s
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="signoff-look")
        self.moment = LoopTick().moment  # looks from other threads never share one

    async def taken(self, look: Callable[[], Seen]) -> Seen:
        """Run the read and return its result.

        Raises:
            StoreError: it was not over in time.
        """
        # A local file system answers faster than a thread starts; a network one may never answer.
        if self._mounts.are_near:
            return look()
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._within_s):
                return await loop.run_in_executor(self._threads, look)
        except TimeoutError:
            said = f"the file system did not answer within {self._within_s:g} s"
            raise StoreError(said) from None


class _TickState:
    """Identifies one iteration of this event loop."""

    __slots__ = ("loop",)

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop


class LoopTick:
    """Tells iterations of the event loop apart, so that results are reused only within one."""

    def __init__(self) -> None:
        self._now: _TickState | None = None

    def moment(self) -> object:
        """Return the same object within one loop iteration; outside a loop always a new one."""
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
