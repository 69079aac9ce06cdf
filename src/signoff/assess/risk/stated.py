"""What the caller of a function states about it: a risk it has at least.

A statement only makes a call stricter, so it needs no trust.
"""

from __future__ import annotations

from signoff.assess.risk.score import Factor, RiskScore

STATED = "stated"


def at_least_stated(risk: RiskScore, least: float) -> RiskScore:
    """Return the risk, raised to `least` (0..1) if that is higher."""
    if not least > risk.value:
        return risk
    stated = Factor(
        name=STATED,
        raw=least,
        weight=1.0,
        contribution=least,
        evidence="stated by the function's author",
    )
    return RiskScore(value=least, factors=(stated, *risk.factors))
