"""Whether decisions are enforced, or only made and recorded.

enforce     a denied call does not run, and people are asked
shadow      nothing is blocked; the model is asked and people are not
audit_only  as `shadow`, without the model

Locks, and calls that touch signoff itself, are enforced in every mode. What cannot be judged or
recorded is denied in every mode. A mode other than `enforce` has an end.
"""

from __future__ import annotations

from enum import StrEnum


class Enforcement(StrEnum):
    """What a decision does."""

    ENFORCE = "enforce"
    SHADOW = "shadow"
    AUDIT_ONLY = "audit_only"

    @property
    def warning(self) -> str:
        """What everybody is to know; "" where decisions are enforced."""
        if self is Enforcement.ENFORCE:
            return ""
        return (
            f"NOT ENFORCED: mode {self.value}, nothing is blocked and nobody is asked;"
            " `signoff shadow report` says what enforcing would do, `signoff shadow off` enforces"
        )


def always_enforce() -> Enforcement:
    """Return what holds unless an admin has said otherwise."""
    return Enforcement.ENFORCE
