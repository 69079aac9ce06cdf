"""Grants: approvals that hold for more than one call, within a narrow scope and for a time.

A grant is for exactly one action, or for one shape of calls in one session (`session_scope.py`).
What runs other things (shells, interpreters, wrapper commands), what is not understood and what is
CRITICAL is never granted.
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from msgspec import Struct

from signoff.actions.operation import Operation, Trait, Verb
from signoff.assess.assessed import Assessed
from signoff.assess.level import Level

LONGEST_S = 30 * 24 * 3600
# An end of its own: hosts resume a session days later under the same id.
SESSION_S = 12 * 3600
LINE_ARGUMENT = "command"
# What they do hangs on what is run, which the next call may have changed (T-45).
NEVER_VERBS = frozenset({Verb.EXECUTE, Verb.PRIVILEGE, Verb.PERSIST})
NEVER_TRAITS = frozenset(
    {
        Trait.INLINE,
        Trait.REMOTE_CODE,
        Trait.DECODED,
        Trait.WRITTEN_NOW,
        Trait.ENVIRONMENT,
        Trait.RUNS_LATER,
        Trait.AS_ROOT,
        Trait.SELF_APPROVAL,
        Trait.HIDDEN,
    }
)


class NewGrant(Struct, frozen=True, kw_only=True):
    """A grant to be stored.

    Args:
        digest: of one exact action and what it is bound to, "" for a shape.
        shape: form shared by similar calls within `session`; "" for an exact grant.
        said: what it allows, in words.
        expires_s: its end, in seconds since the epoch.
    """

    digest: str = ""
    shape: str = ""
    session: str = ""
    agent: str = ""
    said: str = ""
    author: str = ""
    channel: str = ""
    expires_s: float = 0.0
    seal: str = ""

    @property
    def sealed(self) -> tuple[str, ...]:
        """The fields that the seal covers."""
        return sealed_parts(self)


class Grant(Struct, frozen=True, kw_only=True):
    """One stored grant; ids are `gr_0`, `gr_1` ..."""

    id: str
    digest: str
    shape: str
    session: str
    agent: str
    said: str
    author: str
    channel: str
    created_at: datetime
    expires_s: float
    uses: int = 0
    seal: str = ""

    @property
    def sealed(self) -> tuple[str, ...]:
        """The fields that the seal covers."""
        return sealed_parts(self)


def sealed_parts(grant: NewGrant | Grant) -> tuple[str, ...]:
    """Return the fields of a grant that its seal covers."""
    parts = (grant.digest, grant.shape, grant.session, grant.agent, grant.author, grant.channel)
    # Not the id and the count of uses: the store sets those after the seal was made.
    return (*parts, grant.said, repr(float(grant.expires_s)))


class GrantStore(Protocol):
    """Stores grants: approvals that cover more than one call."""

    def add(self, new: NewGrant) -> Grant:
        """Store a grant and return it with its id.

        Raises:
            StoreError: it cannot be stored.
        """

    def find(self, *, digest: str, shape: str, agent: str, session: str) -> Grant | None:
        """Return a valid grant for this call and count one use of it, None if there is none."""

    def listed(self) -> tuple[Grant, ...]:
        """Return the valid grants, newest first."""

    def seal(self, id: str, seal: str) -> None:
        """Replace the seal of a grant."""

    def revoke(self, id: str) -> bool:
        """End a grant; return whether it existed."""


def why_not_granted(assessed: Assessed) -> str:
    """Return why a call can only be approved once, "" if a grant is possible."""
    operations = assessed.operations
    if assessed.level is Level.CRITICAL:
        return "what is critical is approved once at a time"
    if any(not op.understood for op in operations):
        return "what is not understood is approved once at a time"
    if any(_runs_others(op) for op in operations):
        return "what runs other things is approved once at a time"
    return ""


def _runs_others(operation: Operation) -> bool:
    """Tell whether an operation is inside another program, or runs something."""
    return bool(
        operation.carriers
        or operation.verb in NEVER_VERBS
        or operation.traits & NEVER_TRAITS
        or not operation.program
    )
