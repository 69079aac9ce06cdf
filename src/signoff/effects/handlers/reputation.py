"""Handler `reputation`: a standing of 0..100 for each client, which recovers with time.

A decision takes `score * share` points away; half of what was lost comes back every
`half_life_s` seconds. A refusal by the reputation itself or by the blocklist takes nothing.

    reputation = ReputationHandler(half_life_s=3600)
    pipeline.on("update_reputation", reputation)
    reputation.of("203.0.113.7")  # 100.0 for somebody never seen
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from signoff.assess.detectors.client import client_of
from signoff.assess.detectors.reputation import recovered
from signoff.effects.handlers.conduct import conduct
from signoff.effects.pipeline import PipelineDecision

CLIENT_LIMIT = 100_000  # clients are what a request says: somebody may invent new ones for ever


class ReputationHandler:
    """A handler that tracks the reputation of clients, in memory."""

    def __init__(
        self,
        *,
        share: float = 0.3,
        half_life_s: float = 3600.0,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._share, self._half_life_s, self._clock = share, half_life_s, clock
        self._lost: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def __call__(self, decision: PipelineDecision) -> None:
        """Take points from the decision's client."""
        client = client_of(decision.action)
        score = conduct(decision)
        if not client or not score:
            return
        with self._lock:
            standing = self._now(client) - score * self._share
            self._lost.pop(client, None)
            self._lost[client] = (max(0.0, standing), self._clock())
            while len(self._lost) > CLIENT_LIMIT:
                del self._lost[next(iter(self._lost))]

    def of(self, client: str) -> float:
        """Return a client's reputation now, 0 (worst) to 100."""
        with self._lock:
            return self._now(client)

    def _now(self, client: str) -> float:
        if client not in self._lost:
            return 100.0
        standing, since = self._lost[client]
        return recovered(standing, self._clock() - since, half_life_s=self._half_life_s)
