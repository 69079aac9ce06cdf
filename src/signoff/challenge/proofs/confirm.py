"""Confirm: yes or no, no default, after the card could be read. The lightest proof.

The yes itself is the answer; what this proof asks for is time, which the approval service measures.
"""

from __future__ import annotations

from signoff.challenge.terms.step import ProofKind, ProofStep


def make_confirm(*, min_review_s: float) -> ProofStep:
    """Return the step."""
    return ProofStep(kind=ProofKind.CONFIRM, min_review_s=min_review_s)
