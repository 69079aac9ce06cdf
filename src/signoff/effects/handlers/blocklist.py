"""Handler `blocklist`: remembers a client for a while.

blocklist = BlocklistHandler(for_s=3600)
pipeline.on("add_to_blocklist", blocklist)
blocklist.has("203.0.113.7")
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from signoff.assess.detectors.client import client_of
from signoff.effects.handlers.conduct import conduct
from signoff.effects.pipeline import PipelineDecision

CLIENT_LIMIT = 100_000  # clients are what a request says: somebody may invent new ones for ever


class BlocklistHandler:
    """A handler that blocks a client for `for_s` seconds after its last attack.

    A request refused only by this list or the reputation does not prolong the block.
    """

    def __init__(self, *, for_s: float = 3600.0, clock: Callable[[], float] = time.time) -> None:
        self._for_s, self._clock = for_s, clock
        self._until: dict[str, float] = {}
        self._lock = threading.Lock()

    def __call__(self, decision: PipelineDecision) -> None:
        """Put the decision's client on the list."""
        client = client_of(decision.action)
        if not client or not conduct(decision):
            return
        with self._lock:
            # Out and in again: the order is that of the last act, and the oldest gives way first.
            self._until.pop(client, None)
            self._until[client] = self._clock() + self._for_s
            while len(self._until) > CLIENT_LIMIT:
                del self._until[next(iter(self._until))]

    def has(self, client: str) -> bool:
        """Return whether a client is blocked now."""
        with self._lock:
            return self._until.get(client, 0.0) > self._clock()
