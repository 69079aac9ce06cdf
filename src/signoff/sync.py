"""The sync face: runs one of our coroutines to its end from code that is not async.

A caller that is inside a running loop is served by a thread of its own, as a loop cannot
wait for itself.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` builds enums and texts each time: 0.2 ms
import asyncio
import contextlib
import signal
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")


def run_now(coroutine: Coroutine[None, None, Result]) -> Result:
    """Run a coroutine from code that is not async; return its result or raise its error."""
    if not _is_in_loop():
        return _run(coroutine)
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="signoff") as pool:
        # The caller's loop stands still meanwhile, as the caller is not async.
        return pool.submit(asyncio.run, coroutine).result()


def _run(coroutine: Coroutine[None, None, Result]) -> Result:
    """Do as `asyncio.run` does, in less than half its time."""
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        task = loop.create_task(coroutine)
        with _interrupts_cancel(task) as interrupts:
            try:
                return loop.run_until_complete(task)
            except asyncio.CancelledError:
                # As in `asyncio.Runner`: a task that somebody else cancelled as well ends as
                # cancelled.
                if interrupts and task.uncancel() == 0:
                    raise KeyboardInterrupt from None
                raise


@contextlib.contextmanager
def _interrupts_cancel(task: asyncio.Task[Result]) -> Iterator[list[int]]:
    """Have Control-C cancel the task rather than break off what it writes; the second one does.

    In the main thread, where nobody else handles it. Give the list of interrupts.
    """
    interrupts: list[int] = []
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or _signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield interrupts
        return

    def interrupt(number: int, _: object) -> None:
        interrupts.append(number)
        if len(interrupts) > 1 or task.done():
            raise KeyboardInterrupt
        task.cancel()
        # Wakes the loop if it waits for a file or a timer.
        task.get_loop().call_soon_threadsafe(lambda: None)

    _signal.signal(signal.SIGINT, interrupt)
    try:
        yield interrupts
    finally:
        # Somebody may have set a handler meanwhile; it is theirs, and stays.
        if _signal.getsignal(signal.SIGINT) is interrupt:
            _signal.signal(signal.SIGINT, signal.default_int_handler)


def _is_in_loop() -> bool:
    """Tell whether this thread runs an event loop right now."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
