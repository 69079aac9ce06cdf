"""The threat score: how bad what was found is, 0..100, and its level (spec 2).

score_to_level(20.5)  ->  ThreatLevel.LOW
severity_to_score(Severity.HIGH)  ->  75.0
"""

from __future__ import annotations

import math

from msgspec import Struct

from signoff.actions.vocabulary import Vocabulary
from signoff.assess.finding import Finding, Severity

SCORES = {
    Severity.LOW: 25.0,
    Severity.MEDIUM: 50.0,
    Severity.HIGH: 75.0,
    Severity.CRITICAL: 100.0,
}


class ThreatLevel(Vocabulary):
    """Bands of the threat score, lowest first."""

    NONE = "none"  # up to 20
    LOW = "low"  # up to 40
    MEDIUM = "medium"  # up to 60
    HIGH = "high"  # up to 80
    CRITICAL = "critical"


BANDS = (
    (20.0, ThreatLevel.NONE),
    (40.0, ThreatLevel.LOW),
    (60.0, ThreatLevel.MEDIUM),
    (80.0, ThreatLevel.HIGH),
)


class ThreatScore(Struct, frozen=True, gc=False):
    """How bad the findings are: `score` 0..100, its level, and the findings that counted."""

    score: float
    level: ThreatLevel
    results: tuple[Finding, ...] = ()


def severity_to_score(severity: Severity) -> float:
    """Return the base score of a severity, 25 to 100."""
    return SCORES[severity]


def score_to_level(score: float) -> ThreatLevel:
    """Return the threat level of a score (0..100); NaN is critical."""
    for upper_end, level in BANDS:
        if score <= upper_end:
            return level
    return ThreatLevel.CRITICAL


def finding_to_score(finding: Finding) -> float:
    """Return base score times confidence, 0..100; a NaN confidence counts as 1."""
    confidence = finding.confidence
    # NaN compares false with everything: without this a broken detector would score nothing.
    certainty = 1.0 if math.isnan(confidence) else min(1.0, max(0.0, confidence))
    return severity_to_score(finding.severity) * certainty
