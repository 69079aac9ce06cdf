"""One background thread with a bounded queue, for work nobody waits for.

A full queue drops the new work and says so in the log; it never blocks the caller. The thread
starts with the first work and does not keep the program alive.

    background = Background()
    background.run(lambda: send(event))
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable

logger = logging.getLogger("signoff.background")

QUEUE_LIMIT = 10_000


class Background:
    """Runs callables one after another on a thread of its own."""

    def __init__(self, limit: int = QUEUE_LIMIT) -> None:
        self._work: queue.Queue[Callable[[], None]] = queue.Queue(limit)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self.dropped = 0

    def run(self, work: Callable[[], None]) -> bool:
        """Queue `work`; return False if the queue is full and it was dropped."""
        try:
            self._work.put_nowait(work)
        except queue.Full:
            with self._lock:
                self.dropped += 1
            logger.error("background queue is full, %d dropped so far", self.dropped)
            return False
        self._start()
        return True

    def flush(self, timeout_s: float) -> bool:
        """Wait until everything queued so far is done; False if it took longer."""
        deadline = time.monotonic() + timeout_s
        with self._work.all_tasks_done:
            while self._work.unfinished_tasks:
                left = deadline - time.monotonic()
                if left <= 0:
                    return False
                self._work.all_tasks_done.wait(left)
        return True

    def is_own_thread(self) -> bool:
        """Return whether the caller runs on this thread already."""
        return threading.current_thread() is self._thread

    def _start(self) -> None:
        with self._lock:
            # After a fork the child has the object and not the thread.
            if self._thread is None or not self._thread.is_alive():
                name = "signoff-background"
                self._thread = threading.Thread(target=self._drain, name=name, daemon=True)
                self._thread.start()

    def _drain(self) -> None:
        while True:
            work = self._work.get()
            try:
                work()
            except Exception:
                logger.exception("background work failed")
            finally:
                self._work.task_done()
