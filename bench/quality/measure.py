"""Counting: shares with their intervals, means over sources, and the area under a curve.

Tally.of(outcomes).flagged -> Share(hits=412, n=430)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.quality.guard import Outcome

Z = 1.959964  # 95 %


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    hits: int
    n: int

    @property
    def percent(self) -> float:
        """The share in per cent; 0 of 0 is 0."""
        return 100 * self.hits / self.n if self.n else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval in per cent."""
        if not self.n:
            return 0.0, 100.0
        p, n = self.hits / self.n, self.n
        middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
        half = Z / (1 + Z * Z / n) * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
        return 100 * max(0.0, middle - half), 100 * min(1.0, middle + half)


@dataclass(frozen=True, slots=True)
class Tally:
    """How often each verdict came."""

    n: int
    ask: int
    deny: int

    @classmethod
    def of(cls, outcomes: Iterable[Outcome]) -> Tally:
        """Count outcomes."""
        verdicts = [one.verdict for one in outcomes]
        return cls(len(verdicts), verdicts.count("ask"), verdicts.count("deny"))

    @property
    def flagged(self) -> Share:
        """Asked about or refused."""
        return Share(self.ask + self.deny, self.n)

    @property
    def asked(self) -> Share:
        """Asked about."""
        return Share(self.ask, self.n)

    @property
    def denied(self) -> Share:
        """Refused."""
        return Share(self.deny, self.n)


def mean(values: Sequence[float]) -> float:
    """The mean; of nothing it is 0."""
    return sum(values) / len(values) if values else 0.0


def quantile(values: Sequence[float], q: float) -> float:
    """The value under which the share `q` of all values lies; of nothing it is 0."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(q * len(ordered)))] if ordered else 0.0


def area_under_curve(risky: Sequence[float], safe: Sequence[float]) -> float:
    """How often a risky score is above a safe one; a tie counts half."""
    if not risky or not safe:
        return 0.0
    wins = sum((r > s) + 0.5 * (r == s) for r in risky for s in safe)
    return wins / (len(risky) * len(safe))
