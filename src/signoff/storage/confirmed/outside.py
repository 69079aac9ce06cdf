"""Changes of the files that another process made: what they are, and how they are told.

What only makes things stricter holds at once. Everything else waits for an admin with the code.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Protocol, assert_never

from msgspec import Struct

from signoff.challenge.terms.approver import Approver
from signoff.challenge.terms.mode import Mode
from signoff.challenge.terms.policy import Policy
from signoff.challenge.visible import visible
from signoff.storage.confirmed.head import StandingState
from signoff.storage.locks.lock import EVERYTHING, Lock

SHOWN = 10


class StandingKind(StrEnum):
    """The parts of the state that a change outside the daemon can affect."""

    APPROVERS = "approvers"
    MODE = "mode"
    POLICIES = "policies"
    LOCKS = "locks"
    SIGN_IN = "sign_in"
    SHARED = "shared"  # of all nodes, in their store


FILES = tuple(kind for kind in StandingKind if kind is not StandingKind.SHARED)


class Sources(Struct, frozen=True):
    """Functions that read the files; each raises a SignoffError if its file is not valid."""

    approvers: Callable[[], tuple[Approver, ...]]
    mode: Callable[[], Mode]
    policies: Callable[[], tuple[Policy, ...]]
    locks: Callable[[], tuple[Lock, ...]]
    sign_in: Callable[[], tuple[str, ...]] = tuple


class FileFollower(Protocol):
    """Port: writes changes of the shared state into this node's files."""

    def follow(self, before: StandingState, after: StandingState) -> None:
        """Apply the difference between two states to the files; the rest of them stays.

        Raises:
            StoreError: a file cannot be written.
        """


class OutsideChange(Struct, frozen=True, kw_only=True):
    """A change to a file by another process that no admin has confirmed yet.

    Args:
        words: what would hold, in one line.
        code: what confirms it; shown on channels and to admins in the inbox, and nowhere else.
    """

    kind: StandingKind
    words: str
    code: str
    digest: str

    @property
    def told(self) -> str:
        """Description of the change that anybody may see; without the code."""
        return (
            f"CHANGED OUTSIDE: {self.words}; not in force until an admin confirms it in the inbox,"
            " or with the code shown on the channels: `signoff confirm`"
        )


def is_same(kind: StandingKind, one: StandingState, other: StandingState) -> bool:
    """Return whether a part of two states is equal; for locks, whether none is missing."""
    if kind is StandingKind.LOCKS:
        there = {lock.target for lock in one.locks}
        return EVERYTHING.target in there or {lock.target for lock in other.locks} <= there
    return bool(getattr(one, kind.value) == getattr(other, kind.value))


def words_of(kind: StandingKind, standing: StandingState) -> str:
    """Describe a part of a state in one line."""
    match kind:
        case StandingKind.APPROVERS:
            named = [
                f"{one.id} ({one.role.value}, {', '.join(map(str, one.identities))})"
                for one in standing.approvers
            ]
        case StandingKind.MODE:
            named = [standing.mode.value]
        case StandingKind.POLICIES:
            named = [
                f"{one.text} ({one.tool or 'every tool'}{', until ' if one.ends else ''}{one.ends})"
                for one in standing.policies
            ]
        case StandingKind.LOCKS:
            named = [str(one) for one in standing.locks]
        case StandingKind.SIGN_IN:
            named = list(standing.sign_in)
        case StandingKind.SHARED:
            named = [f"{kind} {version}" for kind, version in standing.versions]
        case _:
            assert_never(kind)
    more = f" and {len(named) - SHOWN} more" if len(named) > SHOWN else ""
    nothing = "none (every lock is lifted)" if kind is StandingKind.LOCKS else "none"
    return visible(f"{kind.value}: {', '.join(named[:SHOWN]) or nothing}{more}")
