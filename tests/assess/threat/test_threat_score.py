"""The exact numbers of the threat score."""

from __future__ import annotations

import pytest

from signoff.assess.finding import Finding, Severity
from signoff.assess.threat.aggregators import MaxScoreAggregator, WeightedAggregator
from signoff.assess.threat.score import (
    ThreatLevel,
    ThreatScore,
    score_to_level,
    severity_to_score,
)


def found(severity: Severity, confidence: float, *, detector: str = "d") -> Finding:
    return Finding(detector=detector, category="d.x", severity=severity, confidence=confidence)


@pytest.mark.parametrize(
    ("severity", "score"),
    [("low", 25.0), ("medium", 50.0), ("high", 75.0), ("critical", 100.0)],
)
def test_severity_has_its_base_score(severity: str, score: float) -> None:
    """Each severity has the base score of the specification."""
    assert score == severity_to_score(Severity(severity))


@pytest.mark.parametrize(
    ("score", "level"),
    [
        (0, "none"),
        (20, "none"),
        (20.5, "low"),
        (21, "low"),
        (40, "low"),
        (40.01, "medium"),
        (60, "medium"),
        (60.5, "high"),
        (80, "high"),
        (80.1, "critical"),
        (100, "critical"),
    ],
)
def test_score_belongs_to_the_band_it_does_not_pass(score: float, level: str) -> None:
    """A score belongs to the first band whose upper end it does not pass."""
    assert ThreatLevel(level) == score_to_level(score)


def test_score_that_is_no_number_is_critical() -> None:
    """What cannot be compared is taken for the worst."""
    assert ThreatLevel.CRITICAL == score_to_level(float("nan"))


@pytest.mark.parametrize("aggregator", [MaxScoreAggregator(), WeightedAggregator()])
def test_nothing_detected_is_zero(aggregator: MaxScoreAggregator | WeightedAggregator) -> None:
    """Results that were not detected do not count."""
    silent = Finding(detector="d", category="d.x", severity=Severity.CRITICAL, detected=False)
    assert ThreatScore(0.0, ThreatLevel.NONE, ()) == aggregator.aggregate([silent])


def test_max_takes_the_highest_product() -> None:
    """The highest base times confidence counts, not the highest severity."""
    results = [found(Severity.CRITICAL, 0.5), found(Severity.HIGH, 0.9)]
    assert 67.5 == MaxScoreAggregator().aggregate(results).score


def test_weighted_is_the_mean_with_weights() -> None:
    """Weights multiply each product; a detector without a weight has 1.0."""
    results = [
        found(Severity.CRITICAL, 0.9, detector="a"),
        found(Severity.MEDIUM, 0.8, detector="b"),
    ]
    threat = WeightedAggregator({"a": 0.5}).aggregate(results)
    assert (42.5, ThreatLevel.MEDIUM) == (threat.score, threat.level)


def test_weighted_is_clamped_to_a_hundred() -> None:
    """A large weight does not leave the scale."""
    threat = WeightedAggregator({"d": 50.0}).aggregate([found(Severity.LOW, 1.0)])
    assert 100.0 == threat.score


def test_only_detected_results_are_kept() -> None:
    """The score carries the results it was made of."""
    seen = found(Severity.LOW, 1.0)
    silent = Finding(detector="d", category="d.x", severity=Severity.LOW, detected=False)
    assert (seen,) == MaxScoreAggregator().aggregate([silent, seen]).results


@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf")])
def test_weight_out_of_range_is_refused(weight: float) -> None:
    """A weight must be a finite number from 0 on."""
    with pytest.raises(ValueError, match="weight of `a`"):
        WeightedAggregator({"a": weight})


def test_confidence_that_is_no_number_counts_in_full() -> None:
    """A broken confidence never lowers a score."""
    assert 100.0 == MaxScoreAggregator().aggregate([found(Severity.CRITICAL, float("nan"))]).score


def test_one_high_finding_stays_under_the_block_line() -> None:
    """The default confidence keeps one `high` under 70 and puts one `critical` over it."""
    high = Finding(detector="d", category="d.x", severity=Severity.HIGH)
    critical = Finding(detector="d", category="d.x", severity=Severity.CRITICAL)
    scores = [MaxScoreAggregator().aggregate([one]).score for one in (high, critical)]
    assert [67.5, 90.0] == scores
