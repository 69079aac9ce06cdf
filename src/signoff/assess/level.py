"""The one level of a call, and the challenge it asks for by default (spec 1 and 2).

Levels are ordered, so the level of a call is the higher of its two scores':

    max(level_of_risk(0.72), level_of_threat(45.0)) is Level.HIGH
"""

from __future__ import annotations

from math import isnan
from typing import Protocol

from signoff.actions.vocabulary import Vocabulary
from signoff.assess.finding import Finding
from signoff.assess.threat.score import severity_to_score


class Level(Vocabulary):
    """How careful to be with a call: low, medium, high or critical."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        """The position in the order: 0 for LOW to 3 for CRITICAL."""
        return _RANKS[self]

    # Strings would compare by spelling, and `critical` come before `low`.
    def __lt__(self, other: str) -> bool:
        return _RANKS[self] < _rank(other)

    def __le__(self, other: str) -> bool:
        return _RANKS[self] <= _rank(other)

    def __gt__(self, other: str) -> bool:
        return _RANKS[self] > _rank(other)

    def __ge__(self, other: str) -> bool:
        return _RANKS[self] >= _rank(other)


def _rank(name: str) -> int:
    rank = _RANKS.get(name)  # type: ignore[call-overload] # a member is hashed as its text
    # An unknown name raises here, instead of comparing as anything.
    return Level(name).rank if rank is None else rank


_RANKS = {Level.LOW: 0, Level.MEDIUM: 1, Level.HIGH: 2, Level.CRITICAL: 3}


class Challenge(Vocabulary):
    """The proof an approver must give, lightest first; AUTO_APPROVE needs no person."""

    AUTO_APPROVE = "auto-approve"
    CONFIRM = "confirm"
    QUIZ = "quiz"
    TEACH_BACK = "teach-back"
    MULTI_PARTY = "multi-party"


DEFAULT_CHALLENGES = {
    Level.LOW: Challenge.AUTO_APPROVE,
    Level.MEDIUM: Challenge.CONFIRM,
    Level.HIGH: Challenge.QUIZ,
    Level.CRITICAL: Challenge.MULTI_PARTY,
}


class HasValue(Protocol):
    """Port: an enum member whose value is a threat level's name: `none`, `low` ... `critical`."""

    @property
    def value(self) -> str:
        """The level's name."""


def level_of_risk(value: float) -> Level:
    """Return the level of a risk: LOW [0, 0.3), MEDIUM [0.3, 0.6), HIGH [0.6, 0.8), CRITICAL."""
    # NaN passes no comparison: if it were not asked for, it would come out LOW.
    if isnan(value) or value >= 0.8:
        return Level.CRITICAL
    if value >= 0.6:
        return Level.HIGH
    return Level.MEDIUM if value >= 0.3 else Level.LOW


def level_of_threat(threat: HasValue | str | float) -> Level:
    """Return the level of a threat, given as a level's name or a score of 0..100.

    Raises:
        ValueError: the name is no threat level.
    """
    if not isinstance(threat, str):
        if isinstance(threat, int | float):
            return _level_of_score(threat)
        threat = threat.value
    return Level.LOW if threat == "none" else Level(threat)


def level_of_finding(finding: Finding) -> Level:
    """Return the level that a finding alone gives; bounded `high` harm is MEDIUM."""
    return level_of_threat(severity_to_score(finding.severity) * finding.confidence)


def challenge_of(level: Level) -> Challenge:
    """Return the default proof of a level."""
    return DEFAULT_CHALLENGES[level]


def _level_of_score(score: float) -> Level:
    """Apply the bands of spec 2; a fraction belongs to the band whose upper end it does not pass.

    That sentence and its example (20.5 is low) agree only if 20.5 has passed 20: it is above the
    end of `none` and not above 40, the end of `low`.
    """
    if isnan(score) or score > 80:
        return Level.CRITICAL
    if score > 60:
        return Level.HIGH
    return Level.MEDIUM if score > 40 else Level.LOW
