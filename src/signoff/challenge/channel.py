"""Channels that push: what they send, what they receive, and how an answer is settled.

A channel is told of a request (`announce`) and of every change (`update`), and brings answers to
the approval service. It decides nothing itself: it reports who answered what, and shows the
outcome to them.

    response = Response(request_id=..., nonce=..., identity=..., verdict=...)
    outcome = await approval_service.answer(response)
    show(outcome.words)
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Protocol

from msgspec import Struct

from signoff.actions.action import Json
from signoff.assess.verdict import Verdict
from signoff.challenge.pending import PendingRequest
from signoff.challenge.terms.approver import Identity
from signoff.challenge.terms.step import NO_PROOF, Proof, ProofStep


class NobodyThere(Exception):
    """Raised by a channel when no person can see its card, for instance without a terminal."""


class PushChannel(Protocol):
    """A channel that shows cards and receives answers later, such as a messenger."""

    @property
    def name(self) -> str:
        """The channel's name, recorded with its answers."""

    async def announce(self, pending: PendingRequest) -> None:
        """Show the card to `pending.groups`; called again when another group is asked too.

        `pending.code` is the confirmation code. Show it on this card only.

        Raises:
            NobodyThere: nobody can be asked on this channel; any other error means it is down.
        """

    async def update(self, pending: PendingRequest) -> None:
        """Update the card: another step is next, or the request was decided."""


class ApprovalScope(StrEnum):
    """Which calls an approval covers."""

    ONCE = "once"
    SESSION = "session"  # similar calls in this session
    EXACT = "exact"  # exactly this, for some minutes


class Response(Struct, frozen=True, kw_only=True):
    """An answer a person gave on a channel, before it is checked.

    Args:
        nonce: nonce of the card that was answered; a wrong one means an old or copied card.
        identity: who answered; the channel has authenticated them.
        let_in_by: who made the sign-in link they used; "" if they signed in themselves.
        words: a message to the agent; for a denial the reason.
        minutes: for how many minutes an EXACT approval holds.
        edited: arguments to run in place of the original ones; None = unchanged.
        policy: a guideline the model will follow from now on, "" for none.
    """

    request_id: str
    nonce: str
    identity: Identity
    verdict: Verdict
    let_in_by: str = ""
    words: str = ""
    proof: Proof = NO_PROOF
    scope: ApprovalScope = ApprovalScope.ONCE
    minutes: int = 0
    edited: Mapping[str, Json] | None = None
    policy: str = ""


class OutcomeKind(StrEnum):
    """The result of giving an answer: what it changed, or why it was rejected."""

    APPROVED = "approved"
    DENIED = "denied"
    STEP = "step"  # it counts, and somebody else must answer as well
    PROOF_WANTED = "proof-wanted"  # nothing was given yet for the step that is next
    WRONG_PROOF = "wrong-proof"
    TOO_FAST = "too-fast"
    TOO_LATE = "too-late"
    ALREADY = "already"  # somebody else was first
    NOT_ALLOWED = "not-allowed"  # not by this person, or not on this channel
    UNKNOWN = "unknown"  # no such request, or an old or copied card


class AnswerOutcome(Struct, frozen=True, kw_only=True):
    """The reply to the person who answered: whether the answer counted and what comes next.

    Args:
        words: one sentence for that person.
        pending: the request as it is now, None if there is no such request.
        step: the next proof needed, None if none is.
    """

    kind: OutcomeKind
    words: str
    pending: PendingRequest | None = None
    step: ProofStep | None = None

    @property
    def counted(self) -> bool:
        """True if the answer changed the request."""
        return self.kind in (OutcomeKind.APPROVED, OutcomeKind.DENIED, OutcomeKind.STEP)


class AnswerIntake(Protocol):
    """Port: takes the answers of people; implemented by `ApprovalService`."""

    async def open(self, request_id: str, identity: Identity) -> AnswerOutcome:
        """Record that a person opened the card; the outcome's `step` is their next proof."""

    async def answer(self, response: Response) -> AnswerOutcome:
        """Check and store an answer; the outcome says whether it counted."""
