"""Pending requests: one question, from its asking to what came of it, and how it is kept.

    pending --approve--> approved --claim--> executing --> done | failed | uncertain
       |--deny--> denied        |--expire--> expired
       |--expire--> expired
       |--withdraw--> withdrawn

Every arrow is one compare-and-set in the store: whoever comes second is told so. A request is
bound to a digest of everything it would do, is good for one use, and ends by itself. Nobody
waiting for it any more is not an answer: only its own expiry is.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from msgspec import Struct

from signoff.assess.level import Challenge, Level
from signoff.challenge.card import Card
from signoff.challenge.terms.step import ProofStep

ANSWER_S = 300.0
USE_S = 60.0
JOIN_S = 60.0


class RequestState(StrEnum):
    """Where a request stands."""

    PENDING = "pending"
    APPROVED = "approved"
    EXECUTING = "executing"
    DONE = "done"
    FAILED = "failed"
    UNCERTAIN = "uncertain"
    DENIED = "denied"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"

    @property
    def is_open(self) -> bool:
        """Whether it can still be answered."""
        return self is RequestState.PENDING

    @property
    def meaning(self) -> str:
        """What it says of the call, "" where its name says all."""
        return MEANINGS.get(self, "")


MEANINGS: Mapping[RequestState, str] = {
    RequestState.EXECUTING: "let go; nobody has said yet that it has ended",
    RequestState.FAILED: "it ended in an error, or was refused after all",
    RequestState.UNCERTAIN: "let go; whether it ran is not known",
}
ARROWS: Mapping[RequestState, frozenset[RequestState]] = {
    RequestState.PENDING: frozenset(
        {RequestState.APPROVED, RequestState.DENIED, RequestState.EXPIRED, RequestState.WITHDRAWN}
    ),
    RequestState.APPROVED: frozenset({RequestState.EXECUTING, RequestState.EXPIRED}),
    RequestState.EXECUTING: frozenset(
        {RequestState.DONE, RequestState.FAILED, RequestState.UNCERTAIN}
    ),
}


class ClockReading(Struct, frozen=True, kw_only=True):
    """One point in time by two clocks.

    Args:
        wall_s: seconds since the epoch; people can set it.
        running_s: seconds since the start of the machine, sleep included; nobody can set it.
        boot_id: the start `running_s` counts from, "" where that is unknown.
    """

    wall_s: float
    running_s: float = 0.0
    boot_id: str = ""

    def since(self, earlier: ClockReading) -> float:
        """Return the seconds from an earlier moment to this one."""
        if self.boot_id and self.boot_id == earlier.boot_id:
            return self.running_s - earlier.running_s
        return self.wall_s - earlier.wall_s


class Given(Struct, frozen=True, kw_only=True):
    """One answer that counted: one person's, to one step.

    Args:
        approver: the person's id.
        proof: the kind of proof that was given; "" for a refusal.
        took_s: from the card being shown to the answer.
        was_fast: it came faster than the card can be read and was let count all the same.
        at_s: when, in seconds since the epoch.
        seal: proves that it was taken at a desk of the process that asks.
    """

    step: int
    approver: str
    channel: str
    verdict: str
    proof: str = ""
    words: str = ""
    took_s: float = 0.0
    was_fast: bool = False
    at_s: float = 0.0
    seal: str = ""


class Context(Struct, frozen=True, kw_only=True):
    """Where a request comes from: for cards, lists and finding it again.

    Args:
        call_id: the host's id of the call.
        may_edit: the host takes changed arguments.
        shape: what an approval for the session would cover, "" if nothing.
        once_only: why it may be approved once only, "" if it may be granted.
    """

    agent: str = ""
    session: str = ""
    host: str = ""
    tool: str = ""
    cwd: str = ""
    call_id: str = ""
    may_edit: bool = False
    shape: str = ""
    once_only: str = ""


class NewRequest(Struct, frozen=True, kw_only=True):
    """What is to be asked.

    Args:
        digest: what an answer is bound to (see `binding.py`).
        action: the canonical bytes of the action.
        steps: the proofs an approval needs, one person a step.
        ttl_s: how long it may be answered.
        join_s: for how long after a refusal the same call gets the same answer.
        verifier: what the confirmation code is checked against, "" if none is needed.
    """

    id: str
    nonce: str
    digest: str
    action: bytes
    card: Card
    level: Level
    challenge: Challenge
    steps: tuple[ProofStep, ...]
    context: Context = Context()
    ttl_s: float = ANSWER_S
    join_s: float = JOIN_S
    verifier: str = ""


class PendingRequest(Struct, frozen=True, kw_only=True):
    """One request as it stands.

    Args:
        nonce: 128 bits in hex; an answer must bring them along.
        expires_at: until when it may be answered; once approved, until when it may be used.
        decided_by: the id of the person whose answer settled it, "" before.
        answers: those that counted so far, one a step.
        words: what the agent is to be told.
        edited: arguments in canonical JSON that replace those asked about, b"" if none do.
        code: the confirmation code in clear: only in the process that asks, and never kept.
        groups: the approvers asked now, () is everybody: only in what channels are told.
    """

    id: str
    nonce: str
    digest: str
    action: bytes
    card: Card
    level: Level
    challenge: Challenge
    steps: tuple[ProofStep, ...]
    context: Context
    state: RequestState
    created_at: datetime
    expires_at: datetime
    created: ClockReading
    decided_by: str = ""
    channel: str = ""
    decided_at: datetime | None = None
    consumed_at: datetime | None = None
    answers: tuple[Given, ...] = ()
    words: str = ""
    edited: bytes = b""
    verifier: str = ""
    code: str = ""
    groups: tuple[str, ...] = ()

    @property
    def next_step(self) -> ProofStep | None:
        """The proof that is wanted next, None if all were given."""
        return self.steps[len(self.answers)] if len(self.answers) < len(self.steps) else None


class Settlement(Struct, frozen=True, kw_only=True):
    """How an answer settles a request.

    Args:
        to: approved or denied; pending while more people must answer.
        use_s: how long an approval may be used.
    """

    given: Given
    to: RequestState
    words: str = ""
    edited: bytes = b""
    use_s: float = USE_S


class PendingStore(Protocol):
    """Keeps requests. Every change is one compare-and-set; False means somebody else was first.

    All methods raise StoreError if what they say cannot be known to be kept.
    """

    async def open(self, new: NewRequest) -> PendingRequest:
        """Keep a request, or return the open, approved or just denied one of the same digest."""

    async def get(self, id: str) -> PendingRequest | None:
        """Return a request as it stands now, expired if its time is over."""

    async def by_nonce(self, nonce: str) -> PendingRequest | None:
        """Return the request of a nonce."""

    async def listed(self, *states: RequestState, limit: int = 100) -> tuple[PendingRequest, ...]:
        """Return requests in these states (none given: in any), newest first."""

    async def shown(self, id: str, approver: str) -> float:
        """Note that somebody sees the card; return the seconds since they first did."""

    async def seen_s(self, id: str, approver: str) -> float | None:
        """Return the seconds since somebody first saw the card, None if that was not noted."""

    async def missed(self, id: str, approver: str) -> int:
        """Count a wrong proof of somebody; return how many there are now."""

    async def misses(self, id: str, approver: str) -> int:
        """Return how many wrong proofs somebody gave."""

    async def settle(self, id: str, settlement: Settlement, *, digest: str) -> bool:
        """Add an answer to a pending request of this digest, and move it on in the same step."""

    async def move(
        self, id: str, to: RequestState, *, start: RequestState, digest: str = ""
    ) -> bool:
        """Move a request from `start` to `to`, if its digest (where given) is this one."""

    async def sweep(self) -> tuple[str, ...]:
        """Expire what is over; return the ids."""

    async def recover(self) -> tuple[PendingRequest, ...]:
        """Mark what was executing when a process ended as uncertain; return it."""

    async def wait(
        self, id: str, *, timeout_s: float, while_in: RequestState
    ) -> PendingRequest | None:
        """Return the request as soon as it left a state, or as it stands when the time is up."""

    def moment(self) -> ClockReading:
        """Return the time by the clocks of this store."""
