"""Answers to actions with a request id, kept where every node finds them.

Whoever asks about an action takes a lease on it, and holds it while people are asked. Others find
the answer there, or that somebody is at it. A lease that is not held any more, because its node
died, can be taken over; its first owner can then keep nothing.
"""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from signoff.errors import StoreError


class LostLease(StoreError):
    """Another node has taken over."""


class IdempotentRequest(Struct, frozen=True, kw_only=True):
    """What is asked under a request id.

    Args:
        key: a hash of who asks and of their id.
        ticket: unguessable; the answer is asked for by it.
        digest: of the action.
        files: digest of what it would run, as it is on this machine.
    """

    key: str
    ticket: str
    digest: str
    files: str


class AnswerLease(Struct, frozen=True, kw_only=True):
    """The right to answer, until it is taken over.

    Args:
        holder: unguessable; nobody else has it.
        began_s, at_s: the same moment by the clock of the store and by that of this machine.
    """

    asked: IdempotentRequest
    holder: str
    began_s: float
    at_s: float


class StoredAnswer(Struct, frozen=True, kw_only=True):
    """What is kept under a request id; `body` is b"" while somebody is at it."""

    digest: str
    files: str
    body: bytes
    is_held: bool = True


class AnswerStore(Protocol):
    """Where nodes keep answers for each other; methods raise StoreError if that fails."""

    async def begin(self, asked: IdempotentRequest) -> AnswerLease | StoredAnswer:
        """Take the lease, if nobody has it or has answered."""

    async def keep(self, lease: AnswerLease, body: bytes) -> None:
        """Keep the answer.

        Raises:
            LostLease: another node has taken over, so this answer must not be given.
        """

    async def leave(self, lease: AnswerLease) -> None:
        """Give the lease back without an answer."""

    async def find(self, ticket: str) -> StoredAnswer | None:
        """Return what is kept under a ticket, None if nothing is (any more)."""
