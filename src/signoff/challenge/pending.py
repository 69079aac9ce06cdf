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

from collections.abc import Callable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from signoff.assess.level import Challenge, Level
from signoff.challenge.answer import AnswerTry
from signoff.challenge.card import Card
from signoff.challenge.terms.step import ProofStep
from signoff.errors import SignoffError
from signoff.values import count_of

if TYPE_CHECKING:  # 20 ms of every start
    from asyncio import Future

ANSWER_S = 300.0  # where neither settings nor the host say otherwise
USE_S = 60.0  # from the approval to the run: a late run may meet another state of the files
# An agent that asks again at once gets the refusal it had, and people are not asked twice (T-44).
JOIN_S = 60.0
SEVERAL = "what several people approve is approved once at a time"
MOST_WAITING, MOST_WAITING_PER_SESSION = 10_000, 100


class TooManyWaiting(SignoffError):
    """Too many requests or calls wait already: nobody is asked, the call is denied."""


class RequestState(StrEnum):
    """State of an approval request; `meaning` explains each to people."""

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
        """True while the request can still be answered."""
        return self is RequestState.PENDING

    @property
    def meaning(self) -> str:
        """What this state says about the call, for people; "" if the state's name says it."""
        return MEANINGS.get(self, "")


MEANINGS: Mapping[RequestState, str] = {
    RequestState.EXECUTING: "approved; nobody has reported yet that it ended",
    RequestState.FAILED: "it ended in an error, or was refused after all",
    RequestState.UNCERTAIN: "approved; whether it ran is not known",
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
    """One moment, read from two clocks.

    Args:
        wall_s: seconds since the epoch; can be changed by people.
        running_s: seconds since boot, including sleep; nobody can change it.
        boot_id: id of the boot that `running_s` counts from, "" if unknown.
    """

    wall_s: float
    running_s: float = 0.0
    boot_id: str = ""

    def since(self, earlier: ClockReading) -> float:
        """Return the seconds from `earlier` to this moment."""
        # Over a restart of the machine the running time begins anew: only the wall clock goes on
        # (T-46).
        if self.boot_id and self.boot_id == earlier.boot_id:
            return self.running_s - earlier.running_s
        return self.wall_s - earlier.wall_s


NO_TIME = ClockReading(wall_s=0.0)


class Given(Struct, frozen=True, kw_only=True):
    """One accepted answer: by one person, to one step.

    Args:
        approver: the person's id.
        proof: the kind of proof given; "" for a denial.
        took_s: seconds from showing the card to the answer.
        was_fast: True if it came faster than the card can be read and was accepted all the
            same.
        at_s: time of the answer, seconds since the epoch.
        seal: proves that the process that asks accepted it.
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
    """Where a request comes from: shown on cards and used to find it again.

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
    """A request to be stored, before it has a state.

    Args:
        digest: what an approval is bound to (see `terms/binding.py`).
        action: the canonical bytes of the action.
        steps: the proofs an approval needs, each from a different person.
        ttl_s: seconds it can be answered.
        join_s: seconds after a denial in which the same call is denied again.
        verifier: hash that the confirmation code is checked against, "" if none is needed.
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
    """One approval request in its present state, as stored.

    Args:
        nonce: 128 random bits in hex; an answer is only taken with it.
        expires_at: until when it may be answered; once approved, until when it may be used.
        ends: the same by both clocks.
        decided_by: the id of the person whose answer settled it, "" before.
        answers: the accepted proofs so far, one for each step.
        words: the approver's message to the agent, "" if none.
        edited: canonical JSON of the arguments a person put in place of the original ones, b""
            if unchanged.
        code: the confirmation code in clear text. It exists only in the process that asks and
            is never stored.
        groups: names of the approver groups asked now, () = everybody. Set only in the copy for
            channels.
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
    ends: ClockReading = NO_TIME
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
        """The next proof an approver must give; None if all were given."""
        return self.steps[len(self.answers)] if len(self.answers) < len(self.steps) else None

    @property
    def once_only(self) -> str:
        """Why only a one-time approval is possible; "" if a grant is possible."""
        return self.context.once_only or (SEVERAL if len(self.steps) > 1 else "")


class WaitingLimits(Struct, frozen=True, kw_only=True):
    """How many open requests, and how many waiting calls, are allowed at once.

    Args:
        overall: of all sessions together.
        per_session: of one session of one host.
    """

    overall: int = MOST_WAITING
    per_session: int = MOST_WAITING_PER_SESSION

    def refuse(self, *, of_session: int, overall: int) -> None:
        """Raise if one more would be too many.

        Args:
            of_session: number waiting in the session.
            overall: number waiting in all sessions.

        Raises:
            TooManyWaiting: a limit is reached.
        """
        # First: the session that asks too much is told so, also when all room is taken.
        if of_session >= self.per_session:
            waiting = "call of this session waits", "calls of this session wait"
            whose, setting = count_of(self.per_session, *waiting), "waiting_per_session"
        elif overall >= self.overall:
            whose, setting = count_of(self.overall, "call waits", "calls wait"), "waiting"
        else:
            return
        raise TooManyWaiting(
            f"{whose} for people already (`limits.{setting}`), so nobody is asked:"
            " wait until some are answered, then call it again"
        )


class Settlement(Struct, frozen=True, kw_only=True):
    """The change that one answer makes to a request.

    Args:
        to: the new state: approved or denied, or pending if more people must answer.
        use_s: seconds an approval can be used.
    """

    given: Given
    to: RequestState
    words: str = ""
    edited: bytes = b""
    use_s: float = USE_S


class PendingStore(Protocol):
    """Stores approval requests.

    Each change is one compare-and-set: False means that somebody else changed the request first.
    Every method raises StoreError if the change may not have been stored.
    """

    async def open(
        self, new: NewRequest, steps_of: Callable[[str], tuple[ProofStep, ...]] | None = None
    ) -> PendingRequest:
        """Store a request, or return the open, approved or just denied one with its digest.

        Args:
            steps_of: gives the steps that a request of another id would have; None = the same.

        Raises:
            TooManyWaiting: there is no room for one more.
        """

    async def get(self, id: str) -> PendingRequest | None:
        """Return a request as it is now, marked expired if its time is over; None if unknown."""

    async def by_nonce(self, nonce: str) -> PendingRequest | None:
        """Return the request with this nonce, None if there is none."""

    async def listed(self, *states: RequestState, limit: int = 100) -> tuple[PendingRequest, ...]:
        """Return requests in these states (none given = any state), newest first."""

    async def shown(self, id: str, approver: str) -> float:
        """Record that an approver sees the card; return seconds since they first saw it."""

    async def seen_s(self, id: str, approver: str) -> float | None:
        """Return seconds since an approver first saw the card, None if they have not."""

    async def missed(self, id: str, approver: str) -> int:
        """Count one more wrong proof by an approver; return the new count."""

    async def misses(self, id: str, approver: str) -> int:
        """Return the number of wrong proofs an approver gave for this request."""

    async def tried(self, id: str, approver: str, kind: str) -> None:
        """Count a rejected answer, by its kind (`AnswerTry.kind`)."""

    async def tries(self, id: str) -> tuple[AnswerTry, ...]:
        """Return the rejected answers to a request."""

    async def settle(self, id: str, settlement: Settlement, *, digest: str) -> bool:
        """Add an answer to a pending request of this digest and change its state, atomically."""

    async def move(
        self, id: str, to: RequestState, *, start: RequestState, digest: str = ""
    ) -> bool:
        """Change the state from `start` to `to`; with `digest`, only if it matches."""

    async def sweep(self) -> tuple[str, ...]:
        """Mark requests whose time is over as expired; return their ids."""

    async def recover(self) -> tuple[PendingRequest, ...]:
        """After a crash, mark requests that were executing as uncertain; return them."""

    async def wait(
        self,
        id: str,
        *,
        timeout_s: float | None,
        while_in: RequestState,
        answers: int | None = None,
        due_s: float | None = None,
        until: Future[object] | None = None,
    ) -> PendingRequest | None:
        """Wait until a request leaves a state; return it then, or as it is at the timeout.

        Args:
            timeout_s: None = until it leaves the state.
            answers: return, too, as soon as it has another number of answers; None = it may.
            due_s: return, too, once so much time has passed by the clocks of this store.
            until: return, too, as soon as this is done.
        """

    def forged(self, id: str) -> None:
        """Record that stored answers of a request fail verification: nobody gave them."""

    def moment(self) -> ClockReading:
        """Return the present time by this store's clocks."""
