"""Group commit: calls that wait at the same moment share one flush to the disk.

For servers that serve many agents at once. Each caller is answered only after its own entry is
durable; a draft that cannot be stored fails alone, a disk that fails fails all who waited for it,
and neither keeps later ones from being stored.

    store = GroupCommit(SqliteStore(path), reader=SqliteStore(path, busy_timeout_s=0.05))
"""

from __future__ import annotations

import asyncio

from signoff.effects.store import RecordEntry, SessionKey, SessionMemory
from signoff.errors import StoreError
from signoff.storage.commits.batches import Batches, WaitingDraft
from signoff.storage.commits.waiting_outcomes import WaitingOutcomes
from signoff.storage.fs_probe.offloaded import LoopTick
from signoff.storage.sessions.session_cache import SessionCache
from signoff.storage.sessions.session_history import SessionHistory
from signoff.storage.sqlite import SqliteStore


class GroupCommit(Batches):
    """A `Store` for one event loop that commits all waiting entries in one transaction.

    Args:
        reader: a second connection to the same file, so that reads do not wait for a flush; its
            timeout is the longest time the loop may be blocked.
        outcomes: outcomes of earlier calls; each batch stores some of them with its first entry.
    """

    def __init__(
        self,
        store: SqliteStore,
        *,
        reader: SqliteStore | None = None,
        outcomes: WaitingOutcomes | None = None,
    ) -> None:
        super().__init__(store, outcomes)
        self.store = store
        self.reader = reader
        self._cache = SessionCache(store.limits)
        # The head of the record is looked at once a turn.
        self._turn = LoopTick()
        self._seen_in: object = None

    def close(self) -> None:
        """Close the file."""
        self.store.close()

    def problem(self) -> str:
        """Return why decisions cannot be recorded, so that every call is denied; "" if they can."""
        if self._failure:
            # What failed last, without another try: each call would wait for the disk once more.
            return self._failure
        try:
            return (self.reader or self.store).loss()
        except StoreError as error:
            return str(error)

    async def remembered(self, key: SessionKey, function: str) -> SessionMemory:
        """Return the history of a session, and how often it called `function`."""
        if self.reader is not None:
            try:
                return self._past(key, self.reader).remembered(function)
            except StoreError:
                # What stands in the way of the quick look gets the full patience, off the loop.
                self._cache.forget()
        return await asyncio.to_thread(self.store.remembered_now, key, function)

    def _past(self, key: SessionKey, reader: SqliteStore) -> SessionHistory:
        """Return what a session did, from memory where nobody else has written meanwhile."""
        moment = self._turn.moment()
        if self._seen_in is not moment:
            # Another process may have written: then the cached sessions are dropped, not merged.
            self._cache.see(reader.head(), self.store.last_step)
            self._seen_in = moment
        past = self._cache.find(key)
        if past is None:
            # Read together, as of one moment: an entry stored in between would be missed for
            # good.
            head, past = reader.past_now(key)
            self._cache.see(head, self.store.last_step)
            self._cache.keep(key, past, head)
        return past

    def _follow(self, batch: list[WaitingDraft], results: list[RecordEntry | StoreError]) -> None:
        """Update the memory with what was stored."""
        step = self.store.last_step
        # Whether anything reached the disk is not known, so nothing in memory is believed.
        if step is None or all(isinstance(result, StoreError) for result in results):
            self._cache.forget()
            return
        stored = zip(batch, results, strict=True)
        self._cache.follow(
            step,
            [
                (result.seq, waiting.draft.session_update)
                for waiting, result in stored
                if isinstance(result, RecordEntry) and waiting.draft.session_update is not None
            ],
        )
