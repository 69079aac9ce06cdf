"""What sessions did, in memory, as long as nobody else writes to the record.

One process writes nearly always, and need not read again what it wrote itself. The mirror holds
for one head of the record: an entry of another process moves the head, and then all of it is
forgotten and read again. So what any process recorded is seen by the next call.

    mirror.see(store.head(), store.last_step)   forgets everything if somebody else wrote
    mirror.keep(key, past, head)                as it was read when this was the head
    mirror.follow(step, lessons)                what this process has appended itself
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import TypeAlias

from msgspec import Struct

from signoff.effects.store import SessionKey, SessionUpdate
from signoff.storage.chain import Head
from signoff.storage.sessions.session_history import MemoryLimits, SessionHistory, size_of

# What is dropped is read from the store again: a bound on memory, not on what is known.
SESSIONS_LIMIT = 1_024
SIZE_LIMIT = 8 << 20  # characters of all of them together

Named: TypeAlias = tuple[str, str]  # a session by its agent and its own name


class SessionTransaction(Struct, frozen=True, kw_only=True):
    """One transaction of this process: the head before and after it.

    Every entry names the one before, so the same head means the same log.
    """

    before: Head
    after: Head
    is_pruned: bool = False


class _CachedSession(Struct):
    """One session, and up to which entry it is known."""

    past: SessionHistory
    seq: int
    size: int = 0


class SessionCache:
    """Caches the history of sessions in use; the least recently used one goes first."""

    def __init__(self, limits: MemoryLimits) -> None:
        self._limits = limits
        self._head: Head | None = None
        self._kept: OrderedDict[Named, _CachedSession] = OrderedDict()
        self._size = 0

    def find(self, key: SessionKey) -> SessionHistory | None:
        """Return the cached history of a session, None if it is not cached."""
        name = _name(key)
        kept = self._kept.get(name)
        if kept is None:
            return None
        self._kept.move_to_end(name)
        return kept.past

    def see(self, head: Head, step: SessionTransaction | None) -> None:
        """Drop everything if the log's head is not one that this process made.

        Args:
            step: the transaction in progress, which may already be visible.
        """
        # As each entry names the one before, the same head is the same record.
        if head == self._head:
            return
        if step is not None and head == step.after and step.before == self._head:
            return
        self.forget()
        self._head = head

    def keep(self, key: SessionKey, past: SessionHistory, head: Head) -> None:
        """Cache a session's history as read at this head."""
        name = _name(key)
        self._drop(name)
        kept = self._kept[name] = _CachedSession(past, head.seq)
        self._grow(kept, past.size)

    def follow(
        self, step: SessionTransaction, lessons: Iterable[tuple[int, SessionUpdate]]
    ) -> None:
        """Update the cache with what a transaction stored.

        Args:
            lessons: session updates by entry number.
        """
        known = self._head
        if step.is_pruned or known is None or (step.before != known and known.seq < step.after.seq):
            self.forget()
        if known is None or known.seq < step.after.seq:
            self._head = step.after
        for seq, session_update in lessons:
            kept = self._kept.get(_name(session_update.key))
            if kept is not None and kept.seq < seq:
                self._learn(kept, session_update, seq)

    def forget(self) -> None:
        """Drop everything."""
        self._kept.clear()
        self._size = 0
        self._head = None

    def _learn(self, kept: _CachedSession, session_update: SessionUpdate, seq: int) -> None:
        kept.seq = seq
        kept.past.learn(session_update, self._limits)
        # The store drops the rarest functions; which these are is read from there again.
        if len(kept.past.calls) > self._limits.functions:
            self._drop(_name(session_update.key))
        elif added := size_of(session_update):
            self._grow(kept, added)

    def _grow(self, kept: _CachedSession, size: int) -> None:
        """Count what was added, never what went for it: who is dropped too early is read again."""
        kept.size += size
        self._size += size
        while self._kept and (len(self._kept) > SESSIONS_LIMIT or self._size > SIZE_LIMIT):
            self._drop(next(iter(self._kept)))

    def _drop(self, name: Named) -> None:
        kept = self._kept.pop(name, None)
        if kept is not None:
            self._size -= kept.size


def _name(key: SessionKey) -> Named:
    """Return what a session is found by: a tuple's hash and comparison run in C."""
    return key.agent, key.session
