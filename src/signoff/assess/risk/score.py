"""The values of the risk score (spec 1): what a scorer is asked, and what it answers.

An answer always carries its factors. A scorer is anything with `name` and `score(context)`;
one that can also say why has `assess(context)`. What a scorer of somebody else answers is
checked here: no number between 0 and 1 means 1.0, for a broken scorer must not open the gate.

    answer_of(MyScorer(), RiskContext(action=action)).value
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from signoff.actions.action import Action
from signoff.actions.operation import Operations

ROUNDED_TO = 6  # digits: keeps 0.285 + 0.175 at 0.46 and a sum on a level's edge where it belongs


class RiskContext(Struct, frozen=True, kw_only=True, gc=False):
    """What a scorer reads. `prior_calls`: earlier calls of this function in the session."""

    action: Action
    operations: Operations = ()
    prior_calls: int = 0


class Factor(Struct, frozen=True, kw_only=True, gc=False):
    """One factor of a risk score: `raw` 0..1, and `contribution` = raw * weight."""

    name: str
    raw: float
    weight: float
    contribution: float
    evidence: str


class RiskScore(Struct, frozen=True, kw_only=True, gc=False):
    """How careful to be, 0..1, and the factors it was computed from.

    Args:
        is_refused: nobody may approve it: a domain profile blocks it at this risk.
    """

    value: float
    factors: tuple[Factor, ...]
    is_refused: bool = False


class RiskScorer(Protocol):
    """Computes a risk, 0..1, for a call."""

    @property
    def name(self) -> str:
        """The scorer's name in factors and in the audit log."""

    def score(self, context: RiskContext) -> float:
        """Return the risk, 0..1."""


class ExplainingScorer(Protocol):
    """Port: a scorer that also reports the factors of its score."""

    @property
    def name(self) -> str:
        """What the scorer is called in factors and records."""

    def score(self, context: RiskContext) -> float:
        """Return the risk, 0..1."""

    def assess(self, context: RiskContext) -> RiskScore:
        """Return the risk with its factors."""


def answer_of(scorer: RiskScorer, context: RiskContext) -> RiskScore:
    """Return a scorer's result with factors; anything not a number of 0..1 counts as 1.0."""
    # Asked by name: an isinstance against the protocol costs 30 us a call.
    explain: Callable[[RiskContext], RiskScore] | None = getattr(scorer, "assess", None)
    if explain is None:
        return _checked(scorer.name, scorer.score(context))
    answer = explain(context)
    # A score without factors gets one below: a record always says why.
    if is_risk(answer.value) and answer.factors:
        return answer
    return _checked(scorer.name, answer.value)


def is_risk(value: object) -> bool:
    """Return whether a value is a number of 0..1; NaN and booleans are not."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def weigh(name: str, *, raw: float, weight: float, evidence: str) -> Factor:
    """Build a factor from `raw`, limited to 0..1, and its weight."""
    clamped = clamp(raw)
    return Factor(
        name=name,
        raw=clamped,
        weight=weight,
        contribution=round(clamped * weight, ROUNDED_TO),
        evidence=evidence,
    )


def add_up(factors: tuple[Factor, ...]) -> RiskScore:
    """Return the risk that the factors' contributions add up to, limited to 0..1."""
    total = sum([factor.contribution for factor in factors])
    return RiskScore(value=round(clamp(total), ROUNDED_TO), factors=factors)


def clamp(value: float) -> float:
    """Return the value limited to 0..1; NaN gives 1.0."""
    if 0.0 <= value <= 1.0:
        return float(value)
    return 0.0 if value < 0.0 else 1.0


def _checked(name: str, value: object) -> RiskScore:
    """Wrap the bare answer of a scorer in one factor."""
    if isinstance(value, int | float) and is_risk(value):
        return add_up((weigh(name, raw=value, weight=1.0, evidence=f"score {value:g}"),))
    evidence = f"answered `{value!r:.60}`, expected a number from 0 to 1: counted as 1.0"
    return add_up((weigh(name, raw=1.0, weight=1.0, evidence=evidence),))
