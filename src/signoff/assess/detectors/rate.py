"""Clients that do too much: too many calls, too many failures.

Finds:
    The call after `limit` calls in a window (`rate-limit`), and any call after `limit` failures
    such as refused logins or refused calls (`brute-force`). Both are refused.

Why it matters:
    Guessing, scraping and flooding show in numbers only.

Example:
    rate_limit(counter.count, limit=100)

Does not find:
    Slow attempts spread over many clients.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from signoff.assess.detectors.client import client_of
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.finding import Finding, Severity

Count = Callable[[str], int]  # the calls of a client before this one

RATE_LIMIT = "rate-limit"
BRUTE_FORCE = "brute-force"


def rate_limit(count: Count, *, limit: int = 100) -> Detector:
    """Return a detector that finds a client beyond `limit` calls.

    Args:
        count: returns the number of a client's recent calls.
    """
    return _after(RATE_LIMIT, count, limit, "calls")


def brute_force(failures: Count, *, limit: int = 5) -> Detector:
    """Return a detector that finds a client with `limit` failures or more.

    Args:
        failures: returns the number of a client's recent failures.
    """
    return _after(BRUTE_FORCE, failures, limit, "failures")


def _after(id: str, count: Count, limit: int, what: str) -> Detector:
    def run(evidence: Evidence) -> Iterator[Finding]:
        client = client_of(evidence.action)
        seen = count(client) if client else 0
        if client and seen >= limit:
            yield Finding(
                detector=id,
                category=f"{id}.over",
                severity=Severity.CRITICAL,
                evidence=f"`{client}` had {seen} {what}, {limit} are allowed",
            )

    return Detector(id=id, run=run, title=f"Too many {what}", asi=("ASI02",))
