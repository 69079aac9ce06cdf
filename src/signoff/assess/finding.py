"""What a detector says it found, and how bad it is (spec 2).

Severity carries the default policy: what nobody ever wants is `critical` and is refused alone;
what is consequential but sometimes meant is `high` or `medium` and is asked about; `low` is
worth a note. Confidence is capped so that one `high` finding never refuses by itself
(75 * 0.9 = 67.5, under the block line of 70) and one `critical` one does (100 * 0.9 = 90). A `high`
one whose harm has a bound (`harm/table.py`) has 0.8: 75 * 0.8 = 60 is the last score of the
level MEDIUM, so one tap approves it, and the first that every pack asks about.
"""

from __future__ import annotations

from msgspec import Struct

from signoff.actions.vocabulary import Vocabulary

# What protects signoff itself: its lines cannot be moved, its findings are never bounded.
FIXED_DETECTORS = frozenset({"self-protection"})
SURE = 0.9
BOUNDED = 0.8


class Severity(Vocabulary):
    """How bad a finding is. Base scores: low 25, medium 50, high 75, critical 100 (spec 2)."""

    LOW = "low"  # noted; asked about only under `strict`
    MEDIUM = "medium"  # asked about; let through under `permissive`
    HIGH = "high"  # asked about under every pack
    CRITICAL = "critical"  # refused under every pack


class Finding(Struct, frozen=True, kw_only=True, gc=False):
    """One result of a detector: a problem, how serious and how sure, and the evidence.

    Args:
        detector: the detector's id, which is its file name with dashes.
        category: the policy line it belongs to, `detector.line`, e.g. `destructive.history`.
        detected: False for a custom detector's report that it looked and found nothing.
        confidence: 0..1.
        evidence: what was found, in words for people: operation and target.
        field: place and name of the value in a web request, `body.article`; "" for none.
        group: the `Operation.group` it belongs to; -1 = the call as a whole.
    """

    detector: str
    category: str
    severity: Severity
    confidence: float = SURE
    evidence: str = ""
    detected: bool = True
    group: int = -1
    field: str = ""

    @property
    def is_bounded(self) -> bool:
        """True if the harm is limited: every pack asks, and a one-tap confirmation is enough."""
        return self.severity is Severity.HIGH and self.confidence == BOUNDED
