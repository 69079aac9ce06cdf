"""Group commit: calls that wait at the same moment share one flush to the disk.

For servers that serve many agents at once. Each caller is answered only after its own entry is
durable; a draft that cannot be stored fails alone, a disk that fails fails all who waited for it,
and neither keeps later ones from being stored.

One thread for work off the loop: the next piece begins when the one before has ended. For a piece
of work a batch, thousands a second: an executor's machinery costs several times as much. The thread
starts with the first work, ends with its owner, and keeps no program alive.

    store = GroupCommit(SqliteStore(path), reader=SqliteStore(path, busy_timeout_s=0.05))
    stored = await thread.run(lambda: store.append_batch(drafts))
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import weakref
from collections import deque
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from signoff.effects.store import RecordDraft, RecordEntry, SessionKey, SessionMemory
from signoff.errors import StoreError
from signoff.storage.commits.waiting_outcomes import (
    FIELD,
    RecordedOutcome,
    WaitingOutcomes,
    outcomes_field,
)
from signoff.storage.fs_probe.offloaded import LoopTick
from signoff.storage.sessions.mirror import SessionCache
from signoff.storage.sessions.past import SessionHistory
from signoff.storage.sqlite import SqliteStore
from signoff.values import replace

BATCH_LIMIT = 256
# Under load a moment's wait makes one flush of many: each costs as much as storing ten entries.
GATHER_FROM = 4
# At most: longer than that the first caller of a batch does not wait for the others.
GATHER_S = 0.005
QUIET_TURNS = 2  # of the loop: in the first a request is read, in the second it is judged

Result = TypeVar("Result")


class _WaitingDraft(NamedTuple):
    """One draft and its waiting callers."""

    draft: RecordDraft
    stored: asyncio.Future[RecordEntry]


class GroupCommit:
    """A `Store` for one event loop that stores what waits in one transaction after another.

    Args:
        reader: the same file on a connection of its own, so that no reader waits for a flush; its
            patience is the longest the loop may stand still.
        outcomes: of earlier calls; the first entry of each batch takes some of them in.
    """

    def __init__(
        self,
        store: SqliteStore,
        *,
        reader: SqliteStore | None = None,
        outcomes: WaitingOutcomes | None = None,
    ) -> None:
        self.store = store
        self.reader = reader
        self.outcomes = outcomes or WaitingOutcomes()
        self._waiting: deque[_WaitingDraft] = deque()
        self._pump: asyncio.Task[None] | None = None
        self._last_batch = 0
        self._thread: CommitThread[list[RecordEntry | StoreError]] = CommitThread()
        self._cache = SessionCache(store.limits)
        # The head of the record is looked at once a turn.
        self._turn = LoopTick()
        self._seen_in: object = None
        self._failure = ""

    def problem(self) -> str:
        """Say why no decision can be recorded, so that every call is refused; "" if it can."""
        if self._failure:
            return self._failure
        try:
            return (self.reader or self.store).loss()
        except StoreError as error:
            return str(error)

    async def append(self, draft: RecordDraft) -> RecordEntry:
        """Store one entry; return only after it is durable."""
        loop = asyncio.get_running_loop()
        waiting = _WaitingDraft(draft, loop.create_future())
        # No lock: everything up to the await runs in one step of the event loop.
        self._waiting.append(waiting)
        if self._pump is None or self._pump.done():
            self._pump = loop.create_task(self._store_all())
        return await waiting.stored

    async def remembered(self, key: SessionKey, function: str) -> SessionMemory:
        """Return what is known of a session."""
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
            head, past = reader.past_now(key)
            self._cache.see(head, self.store.last_step)
            self._cache.keep(key, past, head)
        return past

    def _follow(self, batch: list[_WaitingDraft], results: list[RecordEntry | StoreError]) -> None:
        """Take what was stored into memory."""
        step = self.store.last_step
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

    async def _store_all(self) -> None:
        """Store what waits, batch by batch, until nothing does."""
        while self._waiting:
            # A single caller is never delayed: gathering only pays while many are waiting.
            if self._last_batch >= GATHER_FROM:
                await self._gather()
            count = min(len(self._waiting), BATCH_LIMIT)
            batch = [self._waiting.popleft() for _ in range(count)]
            self._last_batch = count
            outcomes = self.outcomes.next()
            drafts = [waiting.draft for waiting in batch]
            results = await self._stored([_with_outcomes(drafts[0], outcomes), *drafts[1:]])
            if isinstance(results[0], RecordEntry):
                self.outcomes.written(outcomes)
            # Before callers are answered: their next call must find this one in the history.
            self._follow(batch, results)
            _answer(batch, results)

    async def _gather(self) -> None:
        """Let those in who are on their way: wait as long as the turns of the loop bring more."""
        loop = asyncio.get_running_loop()
        until, still, count = loop.time() + GATHER_S, 0, len(self._waiting)
        while still < QUIET_TURNS and count < BATCH_LIMIT and loop.time() < until:
            await asyncio.sleep(0)
            is_more = len(self._waiting) > count
            still, count = (0, len(self._waiting)) if is_more else (still + 1, count)

    async def _stored(self, drafts: list[RecordDraft]) -> list[RecordEntry | StoreError]:
        """Store a batch off the loop; a failure of the whole is everybody's failure."""
        try:
            stored = await self._thread.run(lambda: self.store.append_batch(drafts))
            self._failure = ""
            return stored
        except StoreError as error:
            self._failure = str(error)
            return [error] * len(drafts)
        except Exception as error:  # noqa: BLE001 - whoever waits must hear of any failure
            self._failure = f"the record could not be written: {error}"
            return [StoreError(self._failure)] * len(drafts)


def _with_outcomes(draft: RecordDraft, outcomes: tuple[RecordedOutcome, ...]) -> RecordDraft:
    """Return a draft that also tells how earlier calls ended."""
    if not outcomes:
        return draft
    return replace(draft, content={**draft.content, FIELD: outcomes_field(outcomes)})


def _answer(batch: list[_WaitingDraft], results: list[RecordEntry | StoreError]) -> None:
    """Tell everybody who still waits."""
    for waiting, result in zip(batch, results, strict=True):
        if waiting.stored.done():  # a caller that went away
            continue
        if isinstance(result, StoreError):
            waiting.stored.set_exception(result)
        else:
            waiting.stored.set_result(result)


class CommitThread(Generic[Result]):
    """Runs callables one after another."""

    def __init__(self) -> None:
        self._work: SimpleQueue[_Work[Result] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        weakref.finalize(self, self._work.put, None)

    def run(self, work: Callable[[], Result]) -> asyncio.Future[Result]:
        """Return what the work will give or raise; it is done even if nobody waits for it."""
        loop = asyncio.get_running_loop()
        result: asyncio.Future[Result] = loop.create_future()
        self._work.put((loop, result, work))
        if self._thread is None or not self._thread.is_alive():
            # The thread knows its queue and not its owner, who could not end otherwise.
            self._thread = threading.Thread(
                target=_drain, args=(self._work,), name="signoff-commit", daemon=True
            )
            self._thread.start()
        return result


_Work: TypeAlias = "tuple[asyncio.AbstractEventLoop, asyncio.Future[Result], Callable[[], Result]]"


def _drain(queue: SimpleQueue[_Work[Result] | None]) -> None:
    """Work until the owner is gone."""
    while (item := queue.get()) is not None:
        loop, future, work = item
        told: Callable[[], None]
        try:
            told = partial(_give, future, work())
        except BaseException as error:  # noqa: BLE001 - whoever waits must hear of any failure
            told = partial(_fail, future, error)
        # A loop that is closed has nobody left who waits.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(told)


def _give(future: asyncio.Future[Result], result: Result) -> None:
    if not future.done():
        future.set_result(result)


def _fail(future: asyncio.Future[Result], error: BaseException) -> None:
    if not future.done():
        future.set_exception(error)
