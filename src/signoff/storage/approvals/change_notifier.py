"""Wakes the tasks of this process that wait for a change of a request, from any thread."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager

Waiter = tuple[asyncio.AbstractEventLoop, asyncio.Event]


class ChangeNotifier:
    """Rings for one request at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiters: dict[str, list[Waiter]] = {}

    @contextmanager
    def listening(self, id: str) -> Iterator[asyncio.Event]:
        """Give an event that is set when the request changes."""
        waiter = (asyncio.get_running_loop(), asyncio.Event())
        with self._lock:
            self._waiters.setdefault(id, []).append(waiter)
        try:
            yield waiter[1]
        finally:
            with self._lock:
                self._waiters[id].remove(waiter)
                if not self._waiters[id]:
                    del self._waiters[id]

    def ring(self, id: str) -> None:
        """Wake whoever waits for the request."""
        with self._lock:
            waiters = tuple(self._waiters.get(id, ()))
        for loop, event in waiters:
            with contextlib.suppress(RuntimeError):  # its loop is closed: nobody waits there
                loop.call_soon_threadsafe(event.set)
