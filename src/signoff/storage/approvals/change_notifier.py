"""Wakes those of this process that wait for a request, whichever thread or process changes it.

What this process changes rings at once. What other processes change, and what ends by time, is
found by one look every `LOOK_S` for all that wait: it costs the same for one and for thousands, and
only where another process has written something are the requests that are waited for read again.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
import threading
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field

from signoff.challenge.pending import RequestState
from signoff.errors import StoreError

LOOK_S = 0.05  # of one number of the database: shorter than people notice, and cheap
READ_AT_ONCE = 500  # requests, so that nothing else on the loop waits long

Standing = Mapping[str, tuple[RequestState, int]]


class Waiter(Struct, eq=False):
    """A caller that waits for a request to leave a state.

    Args:
        answers: also wake when the number of answers differs from this; None = no.
        until_s: also wake at this time of the monotonic clock; None = no.
    """

    id: str
    state: RequestState
    answers: int | None = None
    until_s: float | None = None
    is_over: bool = False  # its time is up, whatever became of the request
    _waking: asyncio.Future[None] | None = None

    def woken(self) -> asyncio.Future[None]:
        """Return a future that is done once something may have changed.

        Call it on the event loop that waits.
        """
        self._waking = asyncio.get_running_loop().create_future()
        return self._waking

    def wake(self) -> None:
        """Wake the waiter to check again; call it on the waiting loop."""
        if self._waking is not None and not self._waking.done():
            self._waking.set_result(None)

    def end(self, _: object = None) -> None:
        """End the wait; call it on the waiting loop."""
        self.is_over = True
        self.wake()


class _LoopWatch(Struct, eq=False):
    """The waiters on one event loop, and the timer that polls for them."""

    loop: asyncio.AbstractEventLoop
    waiters: dict[str, list[Waiter]] = field(default_factory=dict)
    timer: asyncio.TimerHandle | None = None
    due: list[tuple[float, int, Waiter]] = field(default_factory=list)  # a heap
    stamp: object = None
    to_read: list[str] = field(default_factory=list)


class ChangeNotifier:
    """Wakes callers when the requests they wait for change.

    Args:
        look: expires what is over and returns a value that changes when another process has
            written.
        standing: returns state and number of answers of requests, by id.
        running_s: reads the monotonic clock.
    """

    def __init__(
        self,
        look: Callable[[], object],
        standing: Callable[[Sequence[str]], Standing],
        running_s: Callable[[], float],
    ) -> None:
        self._look, self._standing, self._running_s = look, standing, running_s
        self._numbers = itertools.count()
        self._lock = threading.Lock()
        self._watches: dict[asyncio.AbstractEventLoop, _LoopWatch] = {}

    def listen(self, waiter: Waiter, timeout_s: float | None) -> asyncio.TimerHandle | None:
        """Start to wake a waiter; return the timer that ends its wait, None without a timeout."""
        loop = asyncio.get_running_loop()
        with self._lock:
            watch = self._watches.setdefault(loop, _LoopWatch(loop))
            watch.waiters.setdefault(waiter.id, []).append(waiter)
        if waiter.until_s is not None:
            # The number settles ties: waiters themselves cannot be compared.
            heapq.heappush(watch.due, (waiter.until_s, next(self._numbers), waiter))
        if watch.timer is None:
            watch.timer = loop.call_later(LOOK_S, self._tick, watch)
        return None if timeout_s is None else loop.call_later(timeout_s, waiter.end)

    def leave(self, waiter: Waiter, timer: asyncio.TimerHandle | None) -> None:
        """Stop waking a waiter and cancel its timer."""
        if timer is not None:
            timer.cancel()
        loop = asyncio.get_running_loop()
        with self._lock:
            watch = self._watches[loop]
            watch.waiters[waiter.id].remove(waiter)
            if not watch.waiters[waiter.id]:
                del watch.waiters[waiter.id]
            if not watch.waiters:
                if watch.timer is not None:
                    watch.timer.cancel()
                del self._watches[loop]

    def notify(self, *ids: str) -> None:
        """Wake the callers that wait for these requests."""
        with self._lock:
            found = [
                (watch.loop, waiter)
                for watch in self._watches.values()
                for id in ids
                for waiter in watch.waiters.get(id, ())
            ]
        for loop, waiter in found:
            with contextlib.suppress(RuntimeError):  # its loop is closed: nobody waits there
                loop.call_soon_threadsafe(waiter.wake)

    def _tick(self, watch: _LoopWatch) -> None:
        """Look once for all who wait on a loop; once more later, or soon where more is to read."""
        try:
            stamp = self._look()
            if stamp != watch.stamp:
                watch.stamp, watch.to_read = stamp, list(watch.waiters)
            ids, watch.to_read = watch.to_read[:READ_AT_ONCE], watch.to_read[READ_AT_ONCE:]
            self._wake_changed(watch, ids)
            now_s = self._running_s()
            while watch.due and watch.due[0][0] <= now_s:
                heapq.heappop(watch.due)[2].wake()
        except StoreError:
            self.notify(*watch.waiters)  # each finds out by itself, and tells who asked
        # In pieces, with the loop's other work between them.
        later_s = 0.0 if watch.to_read else LOOK_S
        watch.timer = watch.loop.call_later(later_s, self._tick, watch)

    def _wake_changed(self, watch: _LoopWatch, ids: Sequence[str]) -> None:
        """Wake those whose request does not stand as they know it."""
        standing = self._standing(ids) if ids else {}
        for id in ids:
            state, answers = standing.get(id, (None, None))
            for waiter in watch.waiters.get(id, ()):
                # A request that is gone from the file is in no state, and wakes its waiters as
                # well.
                if state is not waiter.state or waiter.answers not in (None, answers):
                    waiter.wake()
