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
    """What somebody may do, least first."""

    VIEWER = "viewer"  # sees requests
    APPROVER = "approver"  # and answers them
    ADMIN = "admin"  # and manages approvers, policies, grants and the mode

    @property
    def may_answer(self) -> bool:
        """Whether answers of this role count."""
        return self is not ApproverRole.VIEWER


class Identity(Struct, frozen=True):
    """Somebody as one channel knows them: `terminal` and `uid:1000`, `telegram` and `4711`."""

    channel: str
    id: str

    def __str__(self) -> str:
        return f"{self.channel}:{self.id}"


class Approver(Struct, frozen=True, kw_only=True):
    """One person.

    Args:
        groups: asked together; a second group may be asked later than the first.
    """

    id: str
    name: str = ""
    role: ApproverRole = ApproverRole.APPROVER
    groups: tuple[str, ...] = ()
    identities: tuple[Identity, ...] = ()

    def is_in(self, groups: tuple[str, ...]) -> bool:
        """Tell whether the person is in one of the groups; no groups are everybody."""
        return not groups or any(group in self.groups for group in groups)


class Directory(Protocol):
    """Where approvers are looked up."""

    def find(self, identity: Identity) -> Approver | None:
        """Return the person behind an identity, None if nobody is."""

    def listed(self) -> tuple[Approver, ...]:
        """Return everybody."""
