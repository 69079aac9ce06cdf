"""Batches: calls that wait at the same moment share one durable write.

Each caller is answered only after its own entry is durable; a draft that cannot be stored fails
alone, a store that fails fails all who waited for it, and neither keeps later ones from being
stored. What a store knows of sessions is for `GroupCommit` (SQLite) and `FleetCommit` (PostgreSQL).

One thread for work off the loop: the next piece begins when the one before has ended. For a piece
of work a batch, thousands a second: an executor's machinery costs several times as much. The thread
starts with the first work, ends with its owner, and keeps no program alive.

    stored = await thread.run(lambda: store.append_batch(drafts))
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from queue import SimpleQueue
from typing import Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from signoff.effects.store import RecordDraft, RecordEntry
from signoff.errors import StoreError
from signoff.storage.commits.counted import CommitCounts
from signoff.storage.commits.waiting_outcomes import (
    FIELD,
    RecordedOutcome,
    WaitingOutcomes,
    outcomes_field,
)
from signoff.values import replace

Result = TypeVar("Result")
BATCH_LIMIT = 256
# Under load a moment's wait makes one flush of many: each costs as much as storing ten entries.
GATHER_FROM = 4
# At most: longer than that the first caller of a batch does not wait for the others.
GATHER_S = 0.005
QUIET_TURNS = 2  # of the loop: in the first a request is read, in the second it is judged


class WaitingDraft(NamedTuple):
    """One draft to be stored, and the callers that wait for it."""

    draft: RecordDraft
    stored: asyncio.Future[RecordEntry]


class BatchStore(Protocol):
    """Port: stores several entries in one transaction."""

    def append_batch(self, drafts: Sequence[RecordDraft]) -> list[RecordEntry | StoreError]:
        """Store entries in one transaction; return an entry or a StoreError for each, in order.

        Raises:
            StoreError: none of them is durable, or that cannot be known.
        """

    def check_writable(self) -> None:
        """Make a durable write that changes nothing.

        Raises:
            StoreError: an entry could not be stored now.
        """


class Batches:
    """Stores the entries that wait on one event loop, in batches.

    Args:
        outcomes: of earlier calls; each batch's first entry includes some of them.
    """

    def __init__(self, batch_store: BatchStore, outcomes: WaitingOutcomes | None = None) -> None:
        self.outcomes = outcomes or WaitingOutcomes()
        self._batch_store = batch_store
        self._waiting: deque[WaitingDraft] = deque()
        self._pump: asyncio.Task[None] | None = None
        self._last_batch = 0
        self._thread: CommitThread[list[RecordEntry | StoreError]] = CommitThread()
        self._probes: CommitThread[None] = CommitThread()
        self._failure = ""
        self.counts = CommitCounts()

    async def check_writable(self) -> str:
        """Try a durable write; return why it failed, "" if it worked."""
        try:
            await self._probes.run(self._batch_store.check_writable)
        except Exception as error:  # noqa: BLE001 - whatever it is, nothing can be stored
            self._failure = str(error) or type(error).__name__
        else:
            self._failure = ""
        return self._failure

    async def append(self, draft: RecordDraft) -> RecordEntry:
        """Store one entry; return only after it is durable."""
        loop = asyncio.get_running_loop()
        waiting = WaitingDraft(draft, loop.create_future())
        # No lock: everything up to the await runs in one step of the event loop.
        self._waiting.append(waiting)
        if self._pump is None or self._pump.done():
            self._pump = loop.create_task(self._store_all())
        return await waiting.stored

    def _follow(self, batch: list[WaitingDraft], results: list[RecordEntry | StoreError]) -> None:
        """Update the memory with what was stored."""

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
            began = time.perf_counter()
            results = await self._stored([_with_outcomes(drafts[0], outcomes), *drafts[1:]])
            refused = sum(isinstance(result, StoreError) for result in results)
            took_s = time.perf_counter() - began
            self.counts.note(entries=count - refused, refused=refused, took_s=took_s)
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
            stored = await self._thread.run(lambda: self._batch_store.append_batch(drafts))
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


def _answer(batch: list[WaitingDraft], results: list[RecordEntry | StoreError]) -> None:
    """Give each waiting caller its result."""
    for waiting, result in zip(batch, results, strict=True):
        if waiting.stored.done():  # a caller that went away
            continue
        if isinstance(result, StoreError):
            waiting.stored.set_exception(result)
        else:
            waiting.stored.set_result(result)


class CommitThread(Generic[Result]):
    """A thread that runs callables one after another."""

    def __init__(self) -> None:
        self._work: SimpleQueue[_Work[Result] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        # Ends the thread with its owner; `None` is no work.
        weakref.finalize(self, self._work.put, None)

    def run(self, work: Callable[[], Result]) -> asyncio.Future[Result]:
        """Queue work; return the future of its result. It runs even if nobody awaits that."""
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
    """Run queued work until the owner is garbage collected."""
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
