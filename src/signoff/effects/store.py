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


class Origin(Struct, frozen=True, kw_only=True):
    """The machine, process start and version that audit log entries come from."""

    host: str = ""
    boot_id: str = ""
    version: str = ""


class SessionKey(Struct, frozen=True, kw_only=True, gc=False):
    """Identifies a session's history. An empty session stores and recalls nothing."""

    agent: str
    session: str


class SessionMemory(Struct, frozen=True, kw_only=True, gc=False):
    """The history of one session, limited in size."""

    prior_calls: int = 0
    acts: Mapping[str, int] = field(default_factory=dict)
    written: frozenset[str] = frozenset()
    downloaded: frozenset[str] = frozenset()
    built: frozenset[str] = frozenset()
    created: frozenset[str] = frozenset()
    moved: frozenset[str] = frozenset()
    secrets_read: frozenset[str] = frozenset()
    denials: tuple[Denial, ...] = ()


class SessionUpdate(Struct, frozen=True, kw_only=True, gc=False):
    """What one decision adds to the history of its session.

    Args:
        function: the function whose call is counted, "" if none.
        acts: what is counted beside it, each once a call; see `signoff.actions.facts`.
    """

    key: SessionKey
    function: str = ""
    acts: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    downloaded: tuple[str, ...] = ()
    built: tuple[str, ...] = ()
    created: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    secrets_read: tuple[str, ...] = ()
    denials: tuple[Denial, ...] = ()


class RecordEntry(Struct, frozen=True, kw_only=True, gc=False):
    """One stored entry of the audit log.

    Args:
        seq: its number, counted from 1.
        body: its content as canonical JSON; contains `seq` and `prev`.
        prev: hash of the entry before it; `GENESIS` for the first.
        hash: SHA-256 of the body with a prefix; the next entry names it as `prev`.
        leaf: the body's leaf hash in a Merkle tree (RFC 6962), for checkpoints.
    """

    seq: int
    body: bytes
    prev: bytes
    hash: bytes
    leaf: bytes


class RecordDraft(Struct, frozen=True, kw_only=True, gc=False):
    """An audit entry to append: its content without `seq` and `prev`, and what to remember."""

    content: Mapping[str, RawJsonTree] = field(default_factory=dict)
    session_update: SessionUpdate | None = None


class Store(Protocol):
    """The audit log and the session history, durable."""

    async def append(self, draft: RecordDraft) -> RecordEntry:
        """Store one entry and return it once it is durable.

        Raises:
            StoreError: it is not durable, or that cannot be known.
        """

    async def remembered(self, key: SessionKey, function: str) -> SessionMemory:
        """Return the history of a session, and how often it called `function`.

        Raises:
            StoreError: the history cannot be read.
        """
