"""The port to whatever keeps the record: what effects need of a store, and nothing else.

A store adds `seq` and `prev` to the content it is given, keeps the canonical bytes in a hash
chain, and takes in what the session did, all in one durable step.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct, field

from signoff.actions.canonical import RawJsonTree
from signoff.actions.facts import Denial


class SessionKey(Struct, frozen=True, kw_only=True, gc=False):
    """Whose memory it is. Without a session nothing is remembered and nothing is recalled."""

    agent: str
    session: str


class SessionMemory(Struct, frozen=True, kw_only=True, gc=False):
    """What one session did before, as far as it is kept."""

    prior_calls: int = 0
    written: frozenset[str] = frozenset()
    downloaded: frozenset[str] = frozenset()
    built: frozenset[str] = frozenset()
    created: frozenset[str] = frozenset()
    moved: frozenset[str] = frozenset()
    secrets_read: frozenset[str] = frozenset()
    denials: tuple[Denial, ...] = ()


class SessionUpdate(Struct, frozen=True, kw_only=True, gc=False):
    """What one decision adds to the memory of its session.

    Args:
        function: counted as called, "" if nothing was called.
    """

    key: SessionKey
    function: str = ""
    written: tuple[str, ...] = ()
    downloaded: tuple[str, ...] = ()
    built: tuple[str, ...] = ()
    created: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    secrets_read: tuple[str, ...] = ()
    denials: tuple[Denial, ...] = ()


class RecordEntry(Struct, frozen=True, kw_only=True, gc=False):
    """One entry of the record as it is stored."""

    seq: int
    body: bytes
    prev: bytes
    hash: bytes
    leaf: bytes


class RecordDraft(Struct, frozen=True, kw_only=True, gc=False):
    """What is to be appended: the content without `seq` and `prev`, and what to remember."""

    content: Mapping[str, RawJsonTree] = field(default_factory=dict)
    session_update: SessionUpdate | None = None


class Store(Protocol):
    """Appends to the record, durably, and remembers sessions."""

    async def append(self, draft: RecordDraft) -> RecordEntry:
        """Store one entry; return only after it is durable.

        Raises:
            StoreError: it is not, or cannot be known to be, durable.
        """

    async def remembered(self, key: SessionKey, function: str) -> SessionMemory:
        """Return what is known of a session and how often it called the function.

        Raises:
            StoreError: the memory cannot be read.
        """
