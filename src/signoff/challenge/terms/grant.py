"""Grants: approvals that hold for more than one call, within a narrow scope and for a time.

A grant is for exactly one action, or for the like of it in one session: the same program doing
the same class of thing to the same kind of target. What runs other things (shells, interpreters,
carriers), what is not understood and what is CRITICAL is never granted.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

LONGEST_S = 30 * 24 * 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGrant:
    """What is to be granted.

    Args:
        digest: of exactly one action with everything it is bound to, "" for a shape.
        shape: what the like of it is, within `session`; "" for an exact one.
        said: what it allows, in words.
    """

    digest: str = ""
    shape: str = ""
    session: str = ""
    agent: str = ""
    said: str = ""
    author: str = ""
    channel: str = ""
    ttl_s: float = 0.0
    seal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """One grant: `gr_0`, `gr_1` ..."""

    id: str
    digest: str
    shape: str
    session: str
    agent: str
    said: str
    author: str
    channel: str
    created_at: datetime
    expires_at: datetime
    uses: int = 0
    seal: str = ""


class GrantStore(Protocol):
    """Keeps grants."""

    def add(self, new: NewGrant) -> Grant:
        """Keep a grant.

        Raises:
            StoreError: it cannot be kept.
        """

    def find(self, *, digest: str, shape: str, agent: str, session: str) -> Grant | None:
        """Return a grant in force that covers this, and count the use."""

    def listed(self) -> tuple[Grant, ...]:
        """Return the grants in force, newest first."""

    def revoke(self, id: str) -> bool:
        """End a grant; tell whether there was one."""
