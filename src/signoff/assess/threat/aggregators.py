"""Aggregators: many detector results into one threat score (spec 2).

Only results with `detected` count; with none the score is 0 and the level none. An aggregator of
one's own is a class with a `name` and this one method:

    class First:
        name = "first"

        def aggregate(self, results: Iterable[Finding]) -> ThreatScore: ...
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Protocol

from signoff.assess.finding import Finding
from signoff.assess.threat.score import ThreatLevel, ThreatScore, finding_to_score, score_to_level

NOTHING_FOUND = ThreatScore(0.0, ThreatLevel.NONE)


class Aggregator(Protocol):
    """Port: combines findings into one threat score."""

    @property
    def name(self) -> str:
        """Its name in records and answers."""

    def aggregate(self, results: Iterable[Finding]) -> ThreatScore:
        """Return the threat score (0..100) of these findings."""


class MaxScoreAggregator:
    """Takes the highest single score, so that one severe finding is enough."""

    name = "max"

    def aggregate(self, results: Iterable[Finding]) -> ThreatScore:
        """Return the highest base score times confidence, 0..100."""
        detected = _detected(results)
        if not detected:
            return NOTHING_FOUND
        return _scored(max(map(finding_to_score, detected)), detected)


class WeightedAggregator:
    """Averages the findings' scores, each weighted by its detector.

    Raises:
        ValueError: a weight is negative or not finite.
    """

    name = "weighted"

    def __init__(self, weights: Mapping[str, float] | None = None) -> None:
        self._weights = dict(weights or {})
        for detector, weight in self._weights.items():
            if not math.isfinite(weight) or weight < 0:
                raise ValueError(f"weight of `{detector}` is {weight}, expected 0 or more")

    def aggregate(self, results: Iterable[Finding]) -> ThreatScore:
        """Return the mean of base score times confidence times weight, over the findings."""
        detected = _detected(results)
        if not detected:
            return NOTHING_FOUND
        weights = self._weights
        total = sum(finding_to_score(one) * weights.get(one.detector, 1.0) for one in detected)
        # By their number, not by the sum of the weights: a weight under 1 makes a score milder.
        return _scored(total / len(detected), detected)


def _detected(results: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple([finding for finding in results if finding.detected])


def _scored(score: float, results: tuple[Finding, ...]) -> ThreatScore:
    clamped = min(100.0, max(0.0, score))
    return ThreatScore(clamped, score_to_level(clamped), results)
