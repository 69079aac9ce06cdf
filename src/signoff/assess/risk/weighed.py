"""Scorers on top of a scorer: other weights for its factors, and a frame around foreign code.

WeighedScorer(DefaultRiskScorer(), {"novelty": 0.05})
GuardedScorer(SizeScorer())        what raises scores 1.0
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.assess.risk.score import (
    Factor,
    RiskContext,
    RiskScore,
    RiskScorer,
    add_up,
    answer_of,
    weigh,
)


class WeighedScorer:
    """Applies other weights to a scorer's factors; factors not named keep theirs."""

    def __init__(self, scorer: RiskScorer, weights: Mapping[str, float]) -> None:
        self.name = scorer.name
        self._scorer, self._weights = scorer, dict(weights)

    def score(self, context: RiskContext) -> float:
        """Return the risk, 0..1."""
        return self.assess(context).value

    def assess(self, context: RiskContext) -> RiskScore:
        """Return the sum of the factors under their new weights."""
        return add_up(tuple(map(self._weighed, answer_of(self._scorer, context).factors)))

    def _weighed(self, factor: Factor) -> Factor:
        weight = self._weights.get(factor.name)
        if weight is None:
            return factor
        return weigh(factor.name, raw=factor.raw, weight=weight, evidence=factor.evidence)


class GuardedScorer:
    """Wraps a third-party scorer; an exception counts as risk 1.0, under its name."""

    def __init__(self, scorer: RiskScorer, *, name: str) -> None:
        self.name = name
        self._scorer = scorer

    def score(self, context: RiskContext) -> float:
        """Return the risk, 0..1."""
        return self.assess(context).value

    def assess(self, context: RiskContext) -> RiskScore:
        """Return the wrapped scorer's result, 1.0 if it fails."""
        try:
            return answer_of(self._scorer, context)
        except Exception as error:  # noqa: BLE001 - a broken scorer must not open the gate
            evidence = f"failed ({type(error).__name__}): counted as 1.0"
            return add_up((weigh(self.name, raw=1.0, weight=1.0, evidence=evidence),))
