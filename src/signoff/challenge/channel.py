"""Channels that push: what they are told, what they bring in, and what comes of it.

A channel is told of a request (`announce`) and of every change (`update`), and brings answers to
the one desk. It never decides anything itself: it says who spoke and what they gave, and passes
the desk's words on to them.

    outcome = await desk.answer(Response(request_id=..., nonce=..., identity=..., verdict=...))
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
    """A channel knows that nobody can see what it would show: no terminal, for instance."""


class PushChannel(Protocol):
    """A way to people who answer later."""

    @property
    def name(self) -> str:
        """The name answers of this channel are recorded under."""

    async def announce(self, pending: PendingRequest) -> None:
        """Show the card to `pending.groups`; again when another group is asked as well.

        `pending.code` is the confirmation code, to be shown on this card and nowhere else.

        Raises:
            NobodyThere: nobody can be asked here; any other error is a channel that is down.
        """

    async def update(self, pending: PendingRequest) -> None:
        """Bring the card up to date: another step is next, or its final state is reached."""


class ApprovalScope(StrEnum):
    """How far an approval reaches."""

    ONCE = "once"
    SESSION = "session"  # similar calls in this session
    EXACT = "exact"  # exactly this, for some minutes


class Response(Struct, frozen=True, kw_only=True):
    """What somebody answered, as a channel brings it in.

    Args:
        nonce: of the card they answered; a wrong one is an old or a copied card.
        identity: who they are on this channel; the channel has made sure of it.
        let_in_by: who signed them in, where that was somebody else; "" where it was themselves.
        words: for the agent; why, for a refusal.
        minutes: how long an EXACT approval holds.
        edited: arguments instead of those asked about; None = as they are.
        policy: guidance for the model to keep, "" for none.
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
    """What came of an answer."""

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
    """What an answerer is told.

    Args:
        words: one sentence for them.
        pending: the request as it stands now, None if it is unknown.
        step: the proof that is wanted next, where one is.
    """

    kind: OutcomeKind
    words: str
    pending: PendingRequest | None = None
    step: ProofStep | None = None

    @property
    def counted(self) -> bool:
        """Whether the answer changed anything."""
        return self.kind in (OutcomeKind.APPROVED, OutcomeKind.DENIED, OutcomeKind.STEP)


class AnswerIntake(Protocol):
    """Where all answers come in: the part of `desk.py` that channels use."""

    async def open(self, request_id: str, identity: Identity) -> AnswerOutcome:
        """Note that somebody sees the card; the outcome's `step` is what they must give."""

    async def answer(self, response: Response) -> AnswerOutcome:
        """Take an answer."""
