"""The one scale of a request: where its two scores fall among the four levels.

Each score has edges of its own (spec 1 and 2), so 0.57 and 67 cannot be compared as they stand.
On the scale each level is as wide as the others, and a score is within its level where it
stands between that level's edges. Further right is worse, and the mark furthest right settles the
level, unless a single finding or your own settings do.

    risk_scale(card).marks[0]   ->  ScaleMark("risk", "0.57", 47.5)
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from signoff.assess.level import Level, level_of_risk, level_of_threat
from signoff.challenge.card import Card, CardFactor

RISK_EDGES = (0.0, 0.3, 0.6, 0.8, 1.0)
THREAT_EDGES = (0.0, 40.0, 60.0, 80.0, 100.0)
FACTOR_WORDS = {
    "function_name": "What the call does",
    "arguments": "What it touches",
    "docstring": "What its description says",
    "hints": "What its author declared",
    "novelty": "How new it is in this session",
}


class ScaleMark(Struct, frozen=True):
    """A score on the scale: `at` is 0..100, left to right."""

    name: str
    value: str
    at: float


class ScaleFactor(Struct, frozen=True, kw_only=True):
    """One factor of the risk on the scale.

    Args:
        points: what it adds to the risk, 0..1, of at most `most`.
        start, width, room: of its bar, in percent of the whole risk from 0 to 1.
    """

    name: str
    points: float
    most: float
    start: float
    width: float
    room: float
    evidence: str


class RiskScale(Struct, frozen=True, kw_only=True):
    """The risk scale of one request.

    Args:
        said: what decided the level, in one sentence.
    """

    level: Level
    marks: tuple[ScaleMark, ...]
    factors: tuple[ScaleFactor, ...]
    said: str


def risk_scale(card: Card) -> RiskScale:
    """Return the risk scale of a card."""
    by_risk, by_threat = level_of_risk(card.risk), level_of_threat(card.threat)
    marks = (
        ScaleMark("risk", f"{card.risk:.2f}", _place(card.risk, RISK_EDGES)),
        ScaleMark("threat", f"{card.threat:g}", _place(card.threat, THREAT_EDGES)),
    )
    return RiskScale(
        level=card.level,
        marks=marks,
        factors=_factors(card.factors),
        said=_said(card.level, by_risk, by_threat),
    )


def _place(value: float, edges: Sequence[float]) -> float:
    """Return where a score stands, 0..100: each of four levels takes a quarter."""
    value = min(max(value, edges[0]), edges[-1])
    step = next(at for at in range(4) if value <= edges[at + 1])
    low, high = edges[step], edges[step + 1]
    return round(25 * (step + (value - low) / (high - low)), 1)


def _said(level: Level, by_risk: Level, by_threat: Level) -> str:
    highest = max(by_risk, by_threat)
    if level == highest:
        if by_risk == by_threat:
            return f"The level is {level.value} because both scores are {level.value}."
        name = "risk" if by_risk > by_threat else "threat"
        return f"The level is {level.value} because the {name} score is {level.value}."
    way = "raised" if level > highest else "lowered"
    by = "one critical finding" if level == Level.CRITICAL else "a policy or a finding"
    return f"The scores alone would be {highest.value}; {by} {way} it to {level.value}."


def _factors(factors: Sequence[CardFactor]) -> tuple[ScaleFactor, ...]:
    found: list[ScaleFactor] = []
    start = 0.0
    for factor in factors:
        found.append(
            ScaleFactor(
                name=FACTOR_WORDS.get(factor.name, factor.name),
                points=factor.contribution,
                most=factor.weight,
                start=round(100 * start, 1),
                width=round(100 * factor.contribution, 1),
                room=round(100 * factor.weight, 1),
                evidence=factor.evidence,
            )
        )
        start += factor.contribution
    return tuple(found)
