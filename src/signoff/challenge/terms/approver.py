"""People who may answer: who they are on which channel, and what they may do.

An identity is what a channel knows of somebody (`telegram`, `4711`); an approver is the person
behind one or more of them. Two identities of one person are one person.

    Approver(id="ada", name="Ada", role=Role.APPROVER, identities=(Identity("telegram", "4711"),))
"""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

from msgspec import Struct


class ApproverRole(StrEnum):
    """What an approver may do, least first."""

    VIEWER = "viewer"  # sees requests
    AUDITOR = "auditor"  # and exports what is recorded; changes nothing
    APPROVER = "approver"  # and answers them
    ADMIN = "admin"  # and manages approvers, policies, grants and the mode

    @property
    def may_answer(self) -> bool:
        """True if answers of this role count."""
        return self in (ApproverRole.APPROVER, ApproverRole.ADMIN)


class Identity(Struct, frozen=True):
    """A person as one channel identifies them: `terminal` and `uid:1000`, `telegram` and `4711`."""

    channel: str
    id: str

    def __str__(self) -> str:
        return f"{self.channel}:{self.id}"


class Approver(Struct, frozen=True, kw_only=True):
    """One person who may answer requests, with role, groups and identities.

    Args:
        groups: groups this person belongs to; a second group may be asked after the first.
    """

    id: str
    name: str = ""
    role: ApproverRole = ApproverRole.APPROVER
    groups: tuple[str, ...] = ()
    identities: tuple[Identity, ...] = ()

    def is_in(self, groups: tuple[str, ...]) -> bool:
        """Tell whether the person is in one of the groups; () means everybody."""
        return not groups or any(group in self.groups for group in groups)


class Directory(Protocol):
    """Finds approvers by their identity on a channel."""

    def find(self, identity: Identity) -> Approver | None:
        """Return the approver with this identity, None if there is none."""

    def listed(self) -> tuple[Approver, ...]:
        """Return all approvers."""
