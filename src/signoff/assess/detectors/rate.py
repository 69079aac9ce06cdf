"""Clients that do too much: too many calls, too many failures.

Finds:
    Clients over a number of calls in a window (`rate-limit`), and over a number of failures
    such as refused logins or refused calls (`brute-force`).

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

Count = Callable[[str], int]


def rate_limit(count: Count, *, limit: int = 100) -> Detector:
    """Make a detector that finds clients over `limit` calls; twice as many are refused alone."""
    return _over("rate-limit", count, limit, "calls", refuse_at=2 * limit)


def brute_force(failures: Count, *, limit: int = 5) -> Detector:
    """Make a detector that refuses clients that failed `limit` times and more."""
    return _over("brute-force", failures, limit - 1, "failures", refuse_at=limit - 1)


def _over(id: str, count: Count, limit: int, what: str, *, refuse_at: int) -> Detector:
    def run(evidence: Evidence) -> Iterator[Finding]:
        client = client_of(evidence.action)
        seen = count(client) if client else 0
        if seen > limit:
            yield Finding(
                detector=id,
                category=f"{id}.over",
                severity=Severity.CRITICAL if seen > refuse_at else Severity.HIGH,
                evidence=f"`{client}` had {seen} {what}, {limit} are allowed",
            )

    return Detector(id=id, run=run, title=f"Too many {what}", asi=("ASI02",))
