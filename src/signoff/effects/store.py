"""The port to whatever keeps the record: what effects need of a store, and nothing else.

A store adds `seq` and `prev` to the content it is given, keeps the canonical bytes in a hash
chain, and takes in what the session did, all in one durable step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from signoff.actions.canonical import RawJsonTree
from signoff.actions.facts import Denial
from signoff.values import fast_frozen


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class SessionKey:
    """Whose memory it is. Without a session nothing is remembered and nothing is recalled."""

    agent: str
    session: str


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class SessionMemory:
    """What one session did before, as far as it is kept."""

    prior_calls: int = 0
    written: frozenset[str] = frozenset()
    downloaded: frozenset[str] = frozenset()
    built: frozenset[str] = frozenset()
    created: frozenset[str] = frozenset()
    moved: frozenset[str] = frozenset()
    secrets_read: frozenset[str] = frozenset()
    denials: tuple[Denial, ...] = ()


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class SessionUpdate:
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


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class RecordEntry:
    """One entry of the record as it is stored."""

    seq: int
    body: bytes
    prev: bytes
    hash: bytes
    leaf: bytes


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class RecordDraft:
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
