"""signoff: no agent acts without the right sign-off.

    actions  ->  assess  ->  challenge  ->  decide  ->  effects        frontends   storage

A frontend turns a call into an `Action`. It is parsed into operations and assessed, a model or a
person is asked if needed, one `Decision` is made and recorded, and only then the frontend answers.
`Gate.check` in `gate.py` is the main path through these stages.

    from signoff import Denied, gate

    @gate
    def delete_user(user_id: str) -> None:
        \"\"\"Permanently remove a user account.\"\"\"

Importing signoff loads only the standard library and msgspec; parsers and engines come with the
first call.
"""

from __future__ import annotations

from signoff.actions.action import Action
from signoff.assess.finding import Finding, Severity
from signoff.assess.level import Level
from signoff.assess.risk.default import DefaultRiskScorer
from signoff.assess.risk.scorers import CompositeRiskScorer, FixedRiskScorer, MaxRiskScorer
from signoff.assess.threat.aggregators import MaxScoreAggregator, WeightedAggregator
from signoff.assess.threat.resolvers import (
    DefaultResolver,
    LenientResolver,
    MultiLevelResolver,
    StrictResolver,
)
from signoff.assess.verdict import Verdict
from signoff.decide.decision import Decision
from signoff.effects.pipeline import Pipeline
from signoff.errors import Denied

# The module `signoff.gate` is loaded first; then its name in this package goes to the decorator.
from signoff.gate import Gate

from signoff.frontends.decorator import gate  # isort: skip

__version__ = "0.1.0"

__all__ = [
    "Action",
    "CompositeRiskScorer",
    "Decision",
    "DefaultResolver",
    "DefaultRiskScorer",
    "Denied",
    "Finding",
    "FixedRiskScorer",
    "Gate",
    "LenientResolver",
    "Level",
    "MaxRiskScorer",
    "MaxScoreAggregator",
    "MultiLevelResolver",
    "Pipeline",
    "Severity",
    "StrictResolver",
    "Verdict",
    "WeightedAggregator",
    "gate",
]
