"""More than is read.

Finds:
    Calls with so much text, so many values or such deep nesting that not all of it was scanned.

Why it matters:
    What was not read cannot be said to be harmless; padding is a way past a limit.

Example:
    A file of a megabyte written in one call.

Does not find:
    Anything in what was read: that is for the other detectors.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.action import Action
from signoff.assess.detectors.detector import CallMark, Detector, Evidence
from signoff.assess.detectors.leaking import result
from signoff.assess.detectors.matching import request
from signoff.assess.finding import Finding, Severity
from signoff.assess.patterns.pattern_set import TEXT_LIMIT

ID = "unread-text"


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield a finding if a text was too long to be searched completely."""
    if evidence.is_cut:
        yield Finding(
            detector=ID,
            category=f"{ID}.cut",
            severity=Severity.MEDIUM,
            evidence="the call holds more text than is read",
        )


DETECTOR = Detector(
    id=ID,
    run=run,
    title="More than is read",
    lines="cut",
    cwe=("CWE-400",),
    asi=("ASI02",),
    marks=frozenset({CallMark.CUT}),
    fires=(
        Action(tool="Write", arguments={"content": "x" * (TEXT_LIMIT + 1)}),
        request(body="x" * (1 << 20 | 1)),
        Action(tool="f", arguments={"rows": [""] * 30_000}),
    ),
    passes=(
        Action(tool="Write", arguments={"content": "x" * 10_000}),
        request(query={"q": "x" * 1000}),
        result("y" * 100_000),
    ),
)
