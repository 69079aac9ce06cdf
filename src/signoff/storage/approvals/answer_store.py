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
    """Another node has taken over the work on this request."""


class IdempotentRequest(Struct, frozen=True, kw_only=True):
    """A request that clients may repeat under the same id without running it twice.

    Args:
        key: hash of the client and its request id.
        ticket: random token by which the answer can be fetched later.
        digest: of the action.
        files: digest of what it would run, on this machine.
    """

    key: str
    ticket: str
    digest: str
    files: str


class AnswerLease(Struct, frozen=True, kw_only=True):
    """The right to work on a request, until another node takes it over.

    Args:
        holder: random id of the holder.
        began_s, at_s: when it began, by the store's clock and by this machine's.
    """

    asked: IdempotentRequest
    holder: str
    began_s: float
    at_s: float


class StoredAnswer(Struct, frozen=True, kw_only=True):
    """The answer stored for a request id; `body` is b"" while a node works on it."""

    digest: str
    files: str
    body: bytes
    is_held: bool = True


class AnswerStore(Protocol):
    """Port: stores answers by request id for all nodes; methods raise StoreError on failure."""

    async def begin(self, asked: IdempotentRequest) -> AnswerLease | StoredAnswer:
        """Take the lease, or return what is stored if a node has it or has answered."""

    async def keep(self, lease: AnswerLease, body: bytes) -> None:
        """Store the answer.

        Raises:
            LostLease: another node has taken over, so this answer must not be given.
        """

    async def leave(self, lease: AnswerLease) -> None:
        """Give the lease up without an answer."""

    async def find(self, ticket: str) -> StoredAnswer | None:
        """Return what is stored under a ticket, None if nothing is (any more)."""
