"""Group commit to the shared store, and what sessions did, read at most `FRESH_S` ago.

What this node stores is in its memory at once. What other nodes store of the same session is seen
by the next read, so a session that moves to another machine is known there within half a second.

    store = FleetCommit(record)
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from msgspec import Struct

from signoff.effects.store import RecordEntry, SessionKey, SessionMemory
from signoff.errors import StoreError
from signoff.storage.commits.batches import Batches, WaitingDraft
from signoff.storage.commits.waiting_outcomes import WaitingOutcomes
from signoff.storage.postgresql.record import PostgresRecord
from signoff.storage.sessions.session_history import SessionHistory

FRESH_S = 0.5
SESSIONS_KEPT = 1_024


class _KnownSession(Struct):
    """A session: what it did as far as is known, until when, and how often it was written here."""

    past: SessionHistory | None = None
    until_s: float = 0.0
    writes: int = 0


class FleetCommit(Batches):
    """A `Store` for one event loop whose audit log is in the shared database."""

    def __init__(
        self,
        record: PostgresRecord,
        *,
        outcomes: WaitingOutcomes | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(record, outcomes)
        self.record = record
        self._clock = clock
        self._known: OrderedDict[SessionKey, _KnownSession] = OrderedDict()

    def problem(self) -> str:
        """Return why decisions cannot be recorded, so that every call is denied; "" if they can."""
        return self._failure or self.record.link.problem()

    async def remembered(self, key: SessionKey, function: str) -> SessionMemory:
        """Return the history of a session, and how often it called `function`."""
        if not key.session:
            return SessionMemory()
        known = self._session(key)
        if known.past is None or self._clock() >= known.until_s:
            writes = known.writes
            past = await self.record.past(key)
            if known.writes != writes:  # it may lack what was stored meanwhile
                return past.remembered(function)
            known.past, known.until_s = past, self._clock() + FRESH_S
        return known.past.remembered(function)

    def close(self) -> None:
        """Close the connections."""
        self.record.close()

    def _session(self, key: SessionKey) -> _KnownSession:
        known = self._known.setdefault(key, _KnownSession())
        self._known.move_to_end(key)
        while len(self._known) > SESSIONS_KEPT:
            self._known.popitem(last=False)
        return known

    def _follow(self, batch: list[WaitingDraft], results: list[RecordEntry | StoreError]) -> None:
        """Take what was stored into memory; what may have been stored is read again."""
        for waiting, result in zip(batch, results, strict=True):
            update = waiting.draft.session_update
            if update is None or (known := self._known.get(update.key)) is None:
                continue
            # Also where it failed: a read that began before must not be kept.
            known.writes += 1
            if isinstance(result, StoreError):
                # It may have been stored all the same, so the session is read again.
                known.past = None
            elif known.past is not None:
                known.past.learn(update, self.record.limits)
