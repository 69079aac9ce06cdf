"""Levels, their order, and what they ask for."""

from __future__ import annotations

import pytest

from signoff.assess.finding import Severity
from signoff.assess.level import Challenge, Level, challenge_of, level_of_risk, level_of_threat


@pytest.mark.parametrize(
    ("risk", "expected"),
    [
        (0.0, Level.LOW),
        (0.2999, Level.LOW),
        (0.3, Level.MEDIUM),
        (0.5999, Level.MEDIUM),
        (0.6, Level.HIGH),
        (0.72, Level.HIGH),
        (0.7999, Level.HIGH),
        (0.8, Level.CRITICAL),
        (1.0, Level.CRITICAL),
        (float("nan"), Level.CRITICAL),
    ],
)
def test_a_band_of_risk_owns_its_lower_end(risk: float, expected: Level) -> None:
    """Half-open bands, as specified."""
    assert level_of_risk(risk) is expected


@pytest.mark.parametrize(
    ("threat", "expected"),
    [
        (0, Level.LOW),
        (20, Level.LOW),
        (20.5, Level.LOW),
        (40, Level.LOW),
        (40.5, Level.MEDIUM),
        (60, Level.MEDIUM),
        (61, Level.HIGH),
        (80, Level.HIGH),
        (80.1, Level.CRITICAL),
        (100, Level.CRITICAL),
        (float("nan"), Level.CRITICAL),
        ("none", Level.LOW),
        ("low", Level.LOW),
        ("medium", Level.MEDIUM),
        ("high", Level.HIGH),
        (Severity.CRITICAL, Level.CRITICAL),
    ],
)
def test_a_threat_has_a_level_by_name_or_score(threat: str | float, expected: Level) -> None:
    """Nothing and little are both LOW."""
    assert level_of_threat(threat) is expected


def test_an_unknown_threat_level_is_refused() -> None:
    """A misspelt level is no level."""
    with pytest.raises(ValueError, match="hgih"):
        level_of_threat("hgih")


def test_levels_are_ordered_by_care_and_not_by_spelling() -> None:
    """`max` and `sorted` work."""
    assert sorted(reversed(Level)) == list(Level)
    assert max(Level.LOW, Level.CRITICAL, Level.HIGH) is Level.CRITICAL
    assert min(Level.MEDIUM, Level.HIGH) is Level.MEDIUM


def test_levels_compare_both_ways() -> None:
    """Every comparison agrees with the order."""
    low, high = Level.LOW, Level.HIGH
    assert [low < high, low <= high, high > low, high >= low] == [True] * 4
    assert [high < low, high <= low, low > high, low >= high] == [False] * 4
    assert low <= Level("low")
    assert low >= Level("low")


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        (Level.LOW, Challenge.AUTO_APPROVE),
        (Level.MEDIUM, Challenge.CONFIRM),
        (Level.HIGH, Challenge.QUIZ),
        (Level.CRITICAL, Challenge.MULTI_PARTY),
    ],
)
def test_every_level_has_its_challenge(level: Level, expected: Challenge) -> None:
    """The defaults of the specification."""
    assert challenge_of(level) is expected
