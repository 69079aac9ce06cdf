"""Multi-party: different people, in turn teach-back, quiz, confirm; one refusal ends it.

Different is meant of people, not of accounts: two identities of one approver are one person, and
somebody whom another person signed in may be that other person.
"""

from __future__ import annotations

from signoff.challenge.pending import PendingRequest
from signoff.challenge.terms.approver import Approver


def why_not_again(pending: PendingRequest, approver: Approver, *, let_in_by: str = "") -> str:
    """Return why this person cannot give the next proof, "" if they can."""
    if let_in_by and len(pending.steps) > 1:
        words = (
            f"`{let_in_by}` signed you in: what takes several people takes a sign-in of your own"
        )
        return f"{words}, or another channel"
    if any(given.approver == approver.id for given in pending.answers):
        left = len(pending.steps) - len(pending.answers)
        return f"you gave your part; {left} more must come from somebody else"
    return ""
