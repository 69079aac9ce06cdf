"""Clients that have shown what they are.

Finds:
    Requests of clients whose standing has fallen under a line.

Why it matters:
    Who attacked a minute ago is not believed now; who behaves is believed again after a while.

Example:
    reputation(standing=handler_of_the_pipeline.of)

Does not find:
    Attackers with a new address for each request.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from signoff.assess.detectors.client import client_of
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.finding import Finding, Severity

ID = "reputation"


def recovered(standing: float, seconds: float, *, half_life_s: float) -> float:
    """Return a reputation (0..100) after some time; half of a loss returns per half-life.

    Args:
        seconds: time since it had the value `standing`.
    """
    # A clock that went back must not take more away.
    return 100.0 - (100.0 - standing) * math.pow(0.5, max(0.0, seconds) / half_life_s)


def reputation(
    standing: Callable[[str], float], *, ask_under: float = 50.0, refuse_under: float = 20.0
) -> Detector:
    """Return a detector that finds clients with a low reputation (0..100).

    Args:
        standing: returns a client's reputation.
    """

    def run(evidence: Evidence) -> Iterator[Finding]:
        client = client_of(evidence.action)
        now = standing(client) if client else 100.0
        # Written so that a standing that is no number counts as bad.
        if not now >= ask_under:
            is_bad = not now >= refuse_under
            yield Finding(
                detector=ID,
                category=f"{ID}.low",
                severity=Severity.CRITICAL if is_bad else Severity.MEDIUM,
                evidence=f"the standing of `{client}` is {now:.0f} of 100",
            )

    return Detector(id=ID, run=run, title="Clients that have shown what they are", asi=("ASI02",))
