"""The five-factor risk score (spec 1): 0..1, with the factors that led to it.

Owns the shipped scorers and the protocol for others. Loads only the standard library and
msgspec until the first arguments are scored.

    DefaultRiskScorer().assess(RiskContext(action=action, operations=operations)).value
"""

from __future__ import annotations

from signoff.assess.risk.default import DefaultRiskScorer
from signoff.assess.risk.score import (
    ExplainingScorer,
    Factor,
    RiskContext,
    RiskScore,
    RiskScorer,
    answer_of,
)
from signoff.assess.risk.scorers import CompositeRiskScorer, FixedRiskScorer, MaxRiskScorer

__all__ = [
    "CompositeRiskScorer",
    "DefaultRiskScorer",
    "ExplainingScorer",
    "Factor",
    "FixedRiskScorer",
    "MaxRiskScorer",
    "RiskContext",
    "RiskScore",
    "RiskScorer",
    "answer_of",
]
