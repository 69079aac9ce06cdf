"""A frame around an aggregator of somebody else: what it raises or cannot mean is the worst.

GuardedAggregator(MyAggregator(), name="mine").aggregate(findings)
"""

from __future__ import annotations

from collections.abc import Iterable

from signoff.assess.finding import Finding
from signoff.assess.threat.aggregators import NOTHING_FOUND, Aggregator
from signoff.assess.threat.score import ThreatScore, score_to_level

WORST = 100.0


class GuardedAggregator:
    """Wraps a third-party aggregator; anything but a number of 0..100 counts as 100."""

    def __init__(self, aggregator: Aggregator, *, name: str) -> None:
        self.name = name
        self._aggregator = aggregator

    def aggregate(self, results: Iterable[Finding]) -> ThreatScore:
        """Return the wrapped score with its level; 0 if nothing was detected."""
        detected = tuple([one for one in results if one.detected])
        if not detected:
            return NOTHING_FOUND
        score = self._score(detected)
        return ThreatScore(score, score_to_level(score), detected)

    def _score(self, detected: tuple[Finding, ...]) -> float:
        try:
            score = float(self._aggregator.aggregate(detected).score)
        except Exception:  # noqa: BLE001 - a broken aggregator must not open the gate
            return WORST
        return score if 0.0 <= score <= WORST else WORST
