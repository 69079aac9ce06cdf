"""Handler `rate_counter`: counts decisions of each client in a sliding window.

What a rate limit, the blocklist or the reputation refused is not counted: a client that waits for
the window is served again, however often it tried.

counter = RateCounterHandler(window_s=60)
pipeline.on("proceed", counter).on("block", counter)
counter.count("203.0.113.7")
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from signoff.assess.detectors.client import client_of
from signoff.effects.handlers.conduct import is_counted
from signoff.effects.pipeline import PipelineDecision

CLIENT_LIMIT = 100_000  # clients are what a request says: somebody may invent new ones for ever
EVENT_LIMIT = 10_000  # for one client: a count above this reads as this


class RateCounterHandler:
    """A handler that counts recent decisions per client, in memory."""

    def __init__(self, *, window_s: float = 60.0, clock: Callable[[], float] = time.time) -> None:
        self._window_s, self._clock = window_s, clock
        self._times: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def __call__(self, decision: PipelineDecision) -> None:
        """Count the decision for its client."""
        client = client_of(decision.action)
        if not client or not is_counted(decision):
            return
        with self._lock:
            # Out and in again: the client not seen for longest stands first, and gives way first.
            times = self._times.pop(client, None) or deque(maxlen=EVENT_LIMIT)
            times.append(self._clock())
            self._times[client] = times
            while len(self._times) > CLIENT_LIMIT:
                del self._times[next(iter(self._times))]

    def count(self, client: str) -> int:
        """Return the number of a client's decisions in the window that ends now."""
        with self._lock:
            times = self._times.get(client)
            if times is None:
                return 0
            start = self._clock() - self._window_s
            while times and times[0] <= start:
                times.popleft()
            return len(times)
