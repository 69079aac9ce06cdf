"""Scorers made of scorers, and a constant one (spec 1). They nest.

    highest = MaxRiskScorer([my_own, FixedRiskScorer(0.2)])
    CompositeRiskScorer([(DefaultRiskScorer(), 3), (highest, 1)])

Factors of an inner scorer are kept, named `<scorer>.<factor>` and weighed down with it, so that
the contributions still add up to the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from msgspec import Struct

from signoff.assess.risk.score import (
    ROUNDED_TO,
    Factor,
    RiskContext,
    RiskScore,
    RiskScorer,
    add_up,
    answer_of,
    clamp,
    is_risk,
    weigh,
)
from signoff.values import replace


class FixedRiskScorer:
    """A scorer that gives every call the same risk."""

    def __init__(self, value: float, *, name: str = "fixed") -> None:
        """Take the constant.

        Raises:
            ValueError: it is no number from 0 to 1.
        """
        if not is_risk(value):
            raise ValueError(f"fixed risk `{value!r}`: expected a number from 0 to 1")
        self.name = name
        self.value = float(value)

    def score(self, context: RiskContext) -> float:
        """Return the fixed risk."""
        return self.assess(context).value

    def assess(self, context: RiskContext) -> RiskScore:
        """Return the fixed risk, as one factor."""
        return add_up((weigh(self.name, raw=self.value, weight=1.0, evidence="a constant"),))


class MaxRiskScorer:
    """A scorer that returns the highest risk of several scorers."""

    def __init__(self, scorers: Sequence[RiskScorer], *, name: str = "max") -> None:
        """Take the scorers.

        Raises:
            ValueError: there are none.
        """
        if not scorers:
            raise ValueError("highest of no scorers: give at least one")
        self.name = name
        self.scorers = tuple(scorers)

    def score(self, context: RiskContext) -> float:
        """Return the highest risk."""
        return self.assess(context).value

    def assess(self, context: RiskContext) -> RiskScore:
        """Return the highest risk with its factors; factors of other scorers have weight 0."""
        answers = [(scorer.name, answer_of(scorer, context)) for scorer in self.scorers]
        winner, highest = max(answers, key=lambda named: named[1].value)
        others = tuple(
            Factor(name=name, raw=answer.value, weight=0.0, contribution=0.0, evidence="not higher")
            for name, answer in answers
            # By identity: two scorers may answer alike.
            if answer is not highest
        )
        return RiskScore(value=highest.value, factors=_share(winner, highest, 1.0) + others)


class _ScorerPart(Struct, frozen=True):
    scorer: RiskScorer
    weight: float


class CompositeRiskScorer:
    """A scorer that returns the weighted mean of several; weights are normalised."""

    def __init__(
        self, scorers: Sequence[tuple[RiskScorer, float]], *, name: str = "composite"
    ) -> None:
        """Take pairs of scorer and weight.

        Raises:
            ValueError: there are none, or a weight is negative or not finite, or all are 0.
        """
        if any(not isfinite(weight) or weight < 0 for _, weight in scorers):
            raise ValueError("weights of scorers: expected finite numbers of at least 0")
        total = sum(weight for _, weight in scorers)
        if not isfinite(total) or total <= 0:
            raise ValueError("weights of scorers: expected a finite sum above 0")
        self.name = name
        self._parts = tuple(_ScorerPart(scorer, weight / total) for scorer, weight in scorers)

    def score(self, context: RiskContext) -> float:
        """Return the weighted mean."""
        return self.assess(context).value

    def assess(self, context: RiskContext) -> RiskScore:
        """Return the weighted mean with the factors of every scorer."""
        factors: tuple[Factor, ...] = ()
        mean = 0.0
        for part in self._parts:
            answer = answer_of(part.scorer, context)
            mean += answer.value * part.weight
            factors += _share(part.scorer.name, answer, part.weight)
        return RiskScore(value=round(clamp(mean), ROUNDED_TO), factors=factors)


def _share(name: str, answer: RiskScore, weight: float) -> tuple[Factor, ...]:
    """Weigh a scorer's factors down to its share and put its name before theirs."""
    return tuple(
        replace(
            factor,
            # A scorer of one factor is not named twice: `fixed`, not `fixed.fixed`.
            name=factor.name if factor.name == name else f"{name}.{factor.name}",
            weight=factor.weight * weight,
            contribution=round(factor.contribution * weight, ROUNDED_TO),
        )
        for factor in answer.factors
    )
