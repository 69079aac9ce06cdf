"""The five-factor risk (spec 1).

    DefaultRiskScorer().assess(RiskContext(action=action))
        delete_user("usr_123", env="production"), "Permanently remove a user account.", first call
        0.285 + 0.175 + 0.170 + 0.000 + 0.090 = 0.720

A plain Python function is scored by its name, arguments and docstring. A call that was
understood as Operations is scored by those: words inside quoted data do not count, and neither
does what the agent says about it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

from signoff.actions.action import Action, ActionKind
from signoff.actions.operation import Operations
from signoff.assess.risk.score import (
    ROUNDED_TO,
    Factor,
    RiskContext,
    RiskScore,
    clamp,
    weigh,
)
from signoff.assess.risk.sensitive import sensitivity, wording
from signoff.assess.risk.understood import REASSURING_HINTS, act_of, targets_of
from signoff.assess.risk.verbs import RAW, verb_of

Weight: TypeAlias = tuple[float, str]  # raw, 0..1, and the evidence for it

WEIGHTS = {
    "function_name": 0.30,
    "arguments": 0.25,
    "docstring": 0.20,
    "hints": 0.15,
    "novelty": 0.10,
}


class StandingRisk(Struct, frozen=True, kw_only=True, gc=False):
    """The part of a call's risk that stays the same on repetition: all factors but novelty.

    Args:
        total: sum of their contributions.
        first: the whole risk of the first such call in a session, which most calls are.
    """

    factors: tuple[Factor, ...]
    total: float
    first: RiskScore

    def at(self, prior_calls: int) -> RiskScore:
        """Return the complete risk for a call made `prior_calls` times before."""
        return _after(prior_calls, self.factors, self.total) if prior_calls else self.first


class DefaultRiskScorer:
    """The standard risk score: the weighted sum of five independent factors (spec 1)."""

    name = "default"

    def score(self, context: RiskContext) -> float:
        """Return the risk, 0..1."""
        return self.assess(context).value

    def assess(self, context: RiskContext) -> RiskScore:
        """Return the risk with its five factors."""
        return self.standing(context.action, context.operations).at(context.prior_calls)

    def standing(self, action: Action, operations: Operations) -> StandingRisk:
        """Return the four factors that do not depend on earlier calls."""
        if operations and action.kind is not ActionKind.FUNCTION:
            return _of_operations(action, operations)
        return _of_function(action)


def _of_function(action: Action) -> StandingRisk:
    """Score a function by its name, arguments and description."""
    label, verb = verb_of(action.tool)
    return _summed(
        _factor("function_name", RAW[label], f"{label} verb `{verb}`" if verb else "no known verb"),
        _factor("arguments", *sensitivity(action.arguments.values())),
        _factor("docstring", *wording(action.description)),
        _factor("hints", *_weigh_hints(action.hints)),
    )


def _of_operations(action: Action, operations: Operations) -> StandingRisk:
    """Score an understood call by its Operations."""
    hints = action.hints and {
        name: hint for name, hint in action.hints.items() if name not in REASSURING_HINTS
    }
    hinted = _weigh_hints(hints) if hints else NO_HINTS
    return _understood(act_of(operations), targets_of(operations, action.environment), hinted)


@lru_cache(maxsize=2048)
def _understood(act: Weight, targets: Weight, hinted: Weight) -> StandingRisk:
    """Weigh what calls mean; most calls mean what others did before them."""
    return _summed(
        _factor("function_name", *act),
        _factor("arguments", *targets),
        _factor("docstring", *AGENTS_DESCRIPTION),
        _factor("hints", *hinted),
    )


def _summed(*factors: Factor) -> StandingRisk:
    total = sum([one.contribution for one in factors])
    return StandingRisk(factors=factors, total=total, first=_after(0, factors, total))


def _after(prior_calls: int, factors: tuple[Factor, ...], total: float) -> RiskScore:
    """Add the factor that falls with each call."""
    novelty = _novelty(prior_calls)
    value = round(clamp(total + novelty.contribution), ROUNDED_TO)
    return RiskScore(value=value, factors=(*factors, novelty))


@lru_cache(maxsize=2048)
def _factor(name: str, raw: float, evidence: str) -> Factor:
    return weigh(name, raw=raw, weight=WEIGHTS[name], evidence=evidence)


def _weigh_hints(hints: Mapping[str, bool | int | float]) -> tuple[float, str]:
    """Score the caller's hints; one that is no proper number counts as a large one."""
    raw = 0.0
    counted: list[str] = []
    for name, hint in hints.items():
        if isinstance(hint, bool):
            added = 0.30 if hint else 0.0
        else:
            # Divided only where it is small: a huge integer would overflow a float.
            added = clamp(hint / 10_000 if abs(hint) < 10_000 else float(hint > 0)) * 0.8
            added = 0.8 if hint != hint else added  # noqa: PLR0124 - only NaN differs from itself
        if added:
            counted.append(name[:40])
        raw += added
    return raw, ", ".join(counted[:10]) or "none"


@lru_cache(maxsize=4_096)
def _novelty(prior_calls: int) -> Factor:
    """Fall in a straight line from 0.90 on the first call to 0.10 on the tenth."""
    call = max(prior_calls, 0) + 1
    raw = round(0.90 - 0.80 * (min(call, 10) - 1) / 9, 2)
    evidence = f"call {call} of this session"
    return weigh("novelty", raw=raw, weight=WEIGHTS["novelty"], evidence=evidence)


# As much as a docstring without a word of caution (`sensitive.wording`).
AGENTS_DESCRIPTION: Weight = (0.10, "not counted: the agent's own description")
NO_HINTS: Weight = _weigh_hints({})
