"""Handler `analytics`: totals by level, by detector and by what was done.

analytics = AnalyticsHandler()
pipeline.on("proceed", analytics).on("block", analytics)
analytics.totals().by_level["critical"]
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping

from msgspec import Struct

from signoff.effects.pipeline import PipelineDecision


class Totals(Struct, frozen=True, kw_only=True):
    """Counts of decisions since the handler was created."""

    decisions: int
    blocked: int
    by_level: Mapping[str, int]
    by_detector: Mapping[str, int]


class AnalyticsHandler:
    """A handler that counts decisions in memory."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._decisions = self._blocked = 0
        self._levels: Counter[str] = Counter()
        self._detectors: Counter[str] = Counter()

    def __call__(self, decision: PipelineDecision) -> None:
        """Count the decision."""
        with self._lock:
            self._decisions += 1
            self._blocked += not decision.is_allowed
            self._levels[decision.threat.level.value] += 1
            self._detectors.update({finding.detector for finding in decision.threat.results})

    def totals(self) -> Totals:
        """Return the counts so far."""
        with self._lock:
            return Totals(
                decisions=self._decisions,
                blocked=self._blocked,
                by_level=dict(self._levels),
                by_detector=dict(self._detectors),
            )
