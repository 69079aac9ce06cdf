"""Trust in an agent, and what it takes off a risk (spec 7).

Trust is kept by agent and domain, elsewhere; here it is a pure function of what was kept:

    trust = weighted_success_rate * recency * 0.7 ** incidents      0 .. 0.9, 0.3 at the start
    effective_risk = raw * (1 - (trust - 0.5) * 0.3)                CRITICAL is never lowered

A little trust thus adds to a risk, and only trust above one half takes away from it. The rate
starts as that of a stranger (0.3) and moves with what happens: a success counts for one, a
denial against by a quarter of one, so that one refusal is no disgrace.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite

from msgspec import Struct

from signoff.assess.risk.score import Factor, RiskScore
from signoff.values import replace

START = 0.3
HIGHEST = 0.9
FADES_A_DAY = 0.01
INCIDENT_FACTOR = 0.7
INFLUENCE = 0.3
CRITICAL_FROM = 0.8

# The stranger's rate weighs as much as this many calls: ten good ones lift 0.3 to 0.65.
PRIOR_CALLS = 10.0
DENIAL_WEIGHT = 0.25


# What agents work on, gravest first: the first that a call touches is its domain.
DOMAINS: Mapping[str, frozenset[str]] = {
    "money": frozenset({"money"}),
    "access": frozenset({"account", "credential", "protection", "guard"}),
    "databases": frozenset({"database", "backup"}),
    "infrastructure": frozenset(
        {"cluster", "cloud", "container", "image", "volume", "network", "device"}
    ),
    "machine": frozenset({"machine", "service", "process", "setting"}),
    "packages": frozenset({"package"}),
    "repositories": frozenset({"repository"}),
    "messages": frozenset({"message", "url"}),
    "files": frozenset({"file"}),
}
OTHER_DOMAIN = "other"
NAME = "trust"


class TrustRecord(Struct, frozen=True, kw_only=True):
    """The history of one agent in one domain, from which trust is computed.

    Args:
        successes: calls that went well; may be weighted by whoever keeps them.
        failures: calls that went wrong.
        denials: calls a person refused.
        incidents: harm done; each takes three tenths of all trust, at once.
        idle_days: days since the last call.
        is_revoked: a person took all trust away.
    """

    successes: float = 0.0
    failures: float = 0.0
    denials: int = 0
    incidents: int = 0
    idle_days: float = 0.0
    is_revoked: bool = False


def trust_of(record: TrustRecord) -> float:
    """Return the trust that a history earns, 0..0.9; invalid numbers earn 0."""
    figures = (record.successes, record.failures, record.denials, record.idle_days)
    is_proper = all(isfinite(figure) and figure >= 0 for figure in figures)
    if record.is_revoked or record.incidents < 0 or not is_proper:
        return 0.0
    trust = success_rate(record) * recency(record.idle_days) * INCIDENT_FACTOR**record.incidents
    return min(max(trust, 0.0), HIGHEST)


def success_rate(record: TrustRecord) -> float:
    """Return the weighted share of successes, 0..1; 0.3 for an empty history."""
    against = record.failures + record.denials * DENIAL_WEIGHT
    counted = PRIOR_CALLS + record.successes + against
    return (PRIOR_CALLS * START + record.successes) / counted


def recency(idle_days: float) -> float:
    """Return the factor for idle days, 0..1: it falls by 0.01 a day."""
    return max(1.0 - FADES_A_DAY * max(idle_days, 0.0), 0.0)


def effective_risk(raw: float, trust: float) -> float:
    """Return the risk (0..1) as trust changes it; a critical risk is never lowered."""
    if not (isfinite(raw) and isfinite(trust)):
        return 1.0
    changed = raw * (1.0 - (trust - 0.5) * INFLUENCE)
    if raw >= CRITICAL_FROM:
        changed = max(raw, changed)
    return min(max(changed, 0.0), 1.0)


def domain_of(things: Iterable[str]) -> str:
    """Return the domain of a call from the resource types it acts on."""
    touched = set(things)
    for domain, kinds in DOMAINS.items():
        if not kinds.isdisjoint(touched):
            return domain
    return OTHER_DOMAIN


def trusted(risk: RiskScore, trust: float, *, domain: str, floor: float = 0.0) -> RiskScore:
    """Return a risk as trust changes it, with a factor that explains the change.

    Args:
        floor: what the risk is never lowered below, 0..1.
    """
    value = round(effective_risk(risk.value, trust), 6)
    if value < risk.value:
        # A floor above the risk itself must not raise it.
        value = min(max(value, floor), risk.value)
    if value == risk.value:
        return risk
    factor = Factor(
        name=NAME,
        raw=trust,
        weight=INFLUENCE,
        contribution=round(value - risk.value, 6),
        evidence=f"trust {trust:.2f} with {domain}",
    )
    return replace(risk, value=value, factors=(*risk.factors, factor))
