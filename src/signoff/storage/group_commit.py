"""Group commit: calls that wait at the same moment share one flush to the disk.

For servers that serve many agents at once. Each caller is answered only after its own entry is
durable; a draft that cannot be stored fails alone, a disk that fails fails all who waited for it,
and neither keeps later ones from being stored.

    store = GroupCommit(SqliteStore(path), reader=SqliteStore(path, busy_timeout_s=0.05))
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from dataclasses import dataclass

from signoff.effects.store import Draft, Entry, Remembered, SessionKey
from signoff.errors import StoreError
from signoff.storage.sqlite import SqliteStore

BATCH_LIMIT = 256
# Under load a moment's wait makes one flush of many: each costs as much as storing ten entries.
GATHER_FROM = 4
GATHER_S = 0.002


@dataclass(frozen=True, slots=True)
class _Waiting:
    """One draft and whoever waits for it."""

    draft: Draft
    stored: asyncio.Future[Entry]


class GroupCommit:
    """A `Store` for one event loop that stores what waits in one transaction after another.

    Args:
        reader: the same file on a connection of its own, so that no reader waits for a flush; its
            patience is the longest the loop may stand still.
    """

    def __init__(self, store: SqliteStore, *, reader: SqliteStore | None = None) -> None:
        self.store = store
        self.reader = reader
        self._waiting: deque[_Waiting] = deque()
        self._pump: asyncio.Task[None] | None = None
        self._last_batch = 0

    async def append(self, draft: Draft) -> Entry:
        """Store one entry; return only after it is durable."""
        loop = asyncio.get_running_loop()
        waiting = _Waiting(draft, loop.create_future())
        self._waiting.append(waiting)
        if self._pump is None or self._pump.done():
            self._pump = loop.create_task(self._store_all())
        return await waiting.stored

    async def remembered(self, key: SessionKey, function: str) -> Remembered:
        """Return what is known of a session."""
        if self.reader is not None:
            # What stands in the way of the quick look gets the full patience, off the loop.
            with contextlib.suppress(StoreError):
                return self.reader.remembered_now(key, function)
        return await asyncio.to_thread(self.store.remembered_now, key, function)

    async def _store_all(self) -> None:
        """Store what waits, batch by batch, until nothing does."""
        while self._waiting:
            if self._last_batch >= GATHER_FROM and len(self._waiting) < BATCH_LIMIT:
                await asyncio.sleep(GATHER_S)
            count = min(len(self._waiting), BATCH_LIMIT)
            batch = [self._waiting.popleft() for _ in range(count)]
            self._last_batch = count
            _answer(batch, await _stored(self.store, [waiting.draft for waiting in batch]))


async def _stored(store: SqliteStore, drafts: list[Draft]) -> list[Entry | StoreError]:
    """Store a batch off the loop; a failure of the whole is everybody's failure."""
    try:
        return await asyncio.to_thread(store.append_batch, drafts)
    except StoreError as error:
        return [error] * len(drafts)
    except Exception as error:  # noqa: BLE001 - whoever waits must hear of any failure
        return [StoreError(f"the record could not be written: {error}")] * len(drafts)


def _answer(batch: list[_Waiting], results: list[Entry | StoreError]) -> None:
    """Tell everybody who still waits."""
    for waiting, result in zip(batch, results, strict=True):
        if waiting.stored.done():  # a caller that went away
            continue
        if isinstance(result, StoreError):
            waiting.stored.set_exception(result)
        else:
            waiting.stored.set_result(result)
