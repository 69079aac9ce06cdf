"""One thread for work off the loop: the next piece begins when the one before has ended.

For a piece of work a batch, thousands a second: an executor's machinery costs several times as
much. The thread starts with the first work, ends with its owner, and keeps no program alive.

    stored = await thread.run(lambda: store.append_batch(drafts))
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import weakref
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from typing import Generic, TypeAlias, TypeVar

Result = TypeVar("Result")


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
