"""The record in memory: the same contract as on disk, gone with the process. For tests and trials.

store = MemoryStore()
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from signoff.actions.facts import Denial
from signoff.effects.store import Draft, Entry, Lesson, Remembered, SessionKey
from signoff.storage.chain import Head, VerifyResult, make_entry, verify_chain
from signoff.storage.session_memory import MemoryLimits

Item = TypeVar("Item")


@dataclass(slots=True)
class _Session:
    """What one session did before; mutable, and never handed out."""

    calls: dict[str, int] = field(default_factory=dict)
    written: dict[str, None] = field(default_factory=dict)
    downloaded: dict[str, None] = field(default_factory=dict)
    secrets_read: dict[str, None] = field(default_factory=dict)
    denials: dict[Denial, None] = field(default_factory=dict)


class MemoryStore:
    """A `Store` that keeps everything in this process."""

    def __init__(self, *, limits: MemoryLimits | None = None) -> None:
        self.limits = limits or MemoryLimits()
        self._entries: list[Entry] = []
        self._head = Head()
        self._sessions: OrderedDict[SessionKey, _Session] = OrderedDict()

    async def append(self, draft: Draft) -> Entry:
        """Store one entry."""
        entry = make_entry(draft.content, self._head)
        self._entries.append(entry)
        self._head = Head(seq=entry.seq, hash=entry.hash)
        if draft.lesson is not None and draft.lesson.key.session:
            self._learn(draft.lesson)
        return entry

    async def remembered(self, key: SessionKey, function: str) -> Remembered:
        """Return what is known of a session."""
        session = self._sessions.get(key, _Session())
        return Remembered(
            prior_calls=session.calls.get(function, 0),
            written=frozenset(session.written),
            downloaded=frozenset(session.downloaded),
            secrets_read=frozenset(session.secrets_read),
            denials=tuple(session.denials),
        )

    def entries(self, *, first: int = 1, last: int | None = None) -> Iterator[Entry]:
        """Yield the entries from `first` to `last`, both included."""
        yield from self._entries[max(first, 1) - 1 : last]

    def head(self) -> Head:
        """Return the newest entry's number and hash."""
        return self._head

    def verify(self) -> VerifyResult:
        """Check the whole record as it stands now."""
        return verify_chain(self._entries, self._head)

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""

    def _learn(self, lesson: Lesson) -> None:
        """Take in what one decision taught, and forget what is over the limits."""
        session = self._sessions.setdefault(lesson.key, _Session())
        self._sessions.move_to_end(lesson.key)
        if lesson.function:
            session.calls[lesson.function] = session.calls.get(lesson.function, 0) + 1
        _add(session.written, lesson.written, self.limits.paths)
        _add(session.downloaded, lesson.downloaded, self.limits.paths)
        _add(session.secrets_read, lesson.secrets_read, self.limits.paths)
        _add(session.denials, lesson.denials, self.limits.denials)
        if self._head.seq % self.limits.prune_every == 0:
            self._prune()

    def _prune(self) -> None:
        """Forget the sessions not seen for longest, and the rarest functions of crowded ones."""
        while len(self._sessions) > self.limits.sessions:
            self._sessions.popitem(last=False)
        for session in self._sessions.values():
            by_count = sorted(session.calls.items(), key=lambda call: (-call[1], call[0]))
            session.calls = dict(by_count[: self.limits.functions])


def _add(kept: dict[Item, None], new: tuple[Item, ...], limit: int) -> None:
    """Add what is new at the end and drop the oldest over the limit."""
    for item in new:
        kept.pop(item, None)
        kept[item] = None
    for item in list(kept)[: max(0, len(kept) - limit)]:
        del kept[item]
