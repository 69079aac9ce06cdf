"""The record in memory: the same contract as on disk, gone with the process. For tests and trials.

store = MemoryStore()
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator

from signoff.effects.store import RecordDraft, RecordEntry, SessionKey, SessionMemory, SessionUpdate
from signoff.storage.chain import Head, VerifyResult, make_entry, verify_chain
from signoff.storage.sessions.session_history import MemoryLimits, SessionHistory


class MemoryStore:
    """A `Store` in this process's memory, for tests and trials."""

    def __init__(self, *, limits: MemoryLimits | None = None) -> None:
        self.limits = limits or MemoryLimits()
        self._entries: list[RecordEntry] = []
        self._head = Head()
        self._sessions: OrderedDict[SessionKey, SessionHistory] = OrderedDict()

    async def append(self, draft: RecordDraft) -> RecordEntry:
        """Store one entry and return it."""
        entry = make_entry(draft.content, self._head)
        self._entries.append(entry)
        self._head = Head(seq=entry.seq, hash=entry.hash)
        if draft.session_update is not None and draft.session_update.key.session:
            self._learn(draft.session_update)
        return entry

    async def remembered(self, key: SessionKey, function: str) -> SessionMemory:
        """Return the history of a session, and how often it called `function`."""
        past = self._sessions.get(key)
        return SessionMemory() if past is None else past.remembered(function)

    def entries(self, *, first: int = 1, last: int | None = None) -> Iterator[RecordEntry]:
        """Yield the entries from `first` to `last`, both included."""
        yield from self._entries[max(first, 1) - 1 : last]

    def head(self) -> Head:
        """Return the newest entry's number and hash."""
        return self._head

    def verify(self) -> VerifyResult:
        """Check the whole hash chain."""
        return verify_chain(self._entries, self._head)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _learn(self, session_update: SessionUpdate) -> None:
        """Add a session update; drop what is beyond the limits."""
        self._sessions.setdefault(session_update.key, SessionHistory()).learn(
            session_update, self.limits
        )
        # The order is what `_prune` goes by: the session not seen for longest stands first.
        self._sessions.move_to_end(session_update.key)
        if self._head.seq % self.limits.prune_every == 0:
            self._prune()

    def _prune(self) -> None:
        """Forget the sessions not seen for longest, and the rarest functions of crowded ones."""
        while len(self._sessions) > self.limits.sessions:
            self._sessions.popitem(last=False)
        for past in self._sessions.values():
            past.prune(self.limits)
