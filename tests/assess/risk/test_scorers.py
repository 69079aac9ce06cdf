"""Scorers made of scorers, and what is done with the answers of somebody else's."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action, ActionKind
from signoff.assess.risk import (
    CompositeRiskScorer,
    DefaultRiskScorer,
    FixedRiskScorer,
    MaxRiskScorer,
    RiskContext,
    RiskScore,
    answer_of,
)

CONTEXT = RiskContext(
    action=Action(
        tool="delete_user",
        arguments={"user_id": "usr_123", "env": "production"},
        kind=ActionKind.FUNCTION,
        description="Permanently remove a user account.",
    )
)


class OwnScorer:
    """A scorer as a user would write it: a name and a number."""

    name = "own"

    def __init__(self, answer: float) -> None:
        self.answer = answer

    def score(self, context: RiskContext) -> float:
        return self.answer


class BoastingScorer(OwnScorer):
    """A scorer whose explanation holds no number of any use."""

    def assess(self, context: RiskContext) -> RiskScore:
        return RiskScore(value=self.answer, factors=())


def test_a_constant_is_a_constant() -> None:
    """A fixed scorer answers its value and one factor."""
    answer = FixedRiskScorer(0.4).assess(CONTEXT)
    assert (answer.value, len(answer.factors)) == (0.4, 1)


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_constant_outside_the_range_is_refused(value: float) -> None:
    """A fixed scorer cannot be built wrong."""
    with pytest.raises(ValueError, match="fixed risk"):
        FixedRiskScorer(value)


def test_the_highest_wins() -> None:
    """A max scorer answers the highest value."""
    scorer = MaxRiskScorer([FixedRiskScorer(0.2), DefaultRiskScorer(), FixedRiskScorer(0.5)])
    assert scorer.score(CONTEXT) == 0.72


def test_the_mean_is_weighted_and_weights_are_normalised() -> None:
    """Weights 3 and 1 are three quarters and one."""
    scorer = CompositeRiskScorer([(FixedRiskScorer(0.8), 3), (FixedRiskScorer(0.4), 1)])
    assert scorer.score(CONTEXT) == pytest.approx(0.7)


def test_scorers_nest_and_contributions_still_add_up() -> None:
    """A composite of a max of a default keeps every factor."""
    inner = MaxRiskScorer([DefaultRiskScorer(), FixedRiskScorer(0.1)])
    scorer = CompositeRiskScorer([(inner, 1), (FixedRiskScorer(0.5), 1)])
    answer = scorer.assess(CONTEXT)
    assert answer.value == pytest.approx(0.61)
    assert sum(factor.contribution for factor in answer.factors) == pytest.approx(0.61)
    assert "max.default.arguments" in {factor.name for factor in answer.factors}


@pytest.mark.parametrize("weights", [(), (0.0,), (-1.0, 2.0), (float("nan"),), (float("inf"),)])
def test_bad_weights_are_refused(weights: tuple[float, ...]) -> None:
    """A mean that means nothing cannot be built."""
    with pytest.raises(ValueError, match="weights of scorers"):
        CompositeRiskScorer([(FixedRiskScorer(0.5), weight) for weight in weights])


def test_the_highest_of_none_is_refused() -> None:
    """Empty never means allow."""
    with pytest.raises(ValueError, match="highest of no scorers"):
        MaxRiskScorer([])


@pytest.mark.parametrize("value", [0.0, 0.25, 1.0, 1])
def test_an_answer_in_range_is_taken(value: float) -> None:
    """A scorer of one's own answers with a bare number."""
    assert value == answer_of(OwnScorer(value), CONTEXT).value


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), float("-inf"), -0.01, 1.01, None, "0.1", True]
)
def test_a_broken_answer_counts_as_the_highest_and_says_so(value: float) -> None:
    """What is no number from 0 to 1 fails closed, with evidence."""
    answer = answer_of(OwnScorer(value), CONTEXT)
    assert answer.value == 1.0
    assert "counted as 1.0" in answer.factors[0].evidence


@pytest.mark.parametrize("value", [float("nan"), -3.0])
def test_a_broken_explanation_counts_as_the_highest(value: float) -> None:
    """An explaining scorer is checked like any other."""
    assert answer_of(BoastingScorer(value), CONTEXT).value == 1.0


def test_an_explanation_without_factors_gets_one() -> None:
    """The answer always carries factors."""
    assert len(answer_of(BoastingScorer(0.3), CONTEXT).factors) == 1


def test_a_broken_scorer_inside_others_fails_closed() -> None:
    """A max over a broken scorer is the highest."""
    scorer = MaxRiskScorer([FixedRiskScorer(0.1), OwnScorer(float("nan"))])
    assert scorer.score(CONTEXT) == 1.0
