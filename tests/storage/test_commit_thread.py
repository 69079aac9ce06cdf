"""The thread that commits: in order, every failure heard, nobody kept waiting."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from signoff.storage.commits.batches import CommitThread


def test_work_is_done_in_order_and_off_the_loop() -> None:
    """One after another, in one thread."""
    done: list[int] = []

    def work(number: int) -> int:
        time.sleep(0.001)
        done.append(number)
        return threading.get_ident()

    async def run() -> set[int]:
        thread: CommitThread[int] = CommitThread()
        return set(await asyncio.gather(*(thread.run(lambda n=n: work(n)) for n in range(20))))  # type: ignore[misc]  # a default binds the loop's variable

    (ident,) = asyncio.run(run())

    assert done == list(range(20))
    assert ident != threading.get_ident()


@pytest.mark.parametrize("error", [OSError("unplugged"), KeyboardInterrupt()])
def test_a_failure_is_heard_and_the_next_work_is_done(error: BaseException) -> None:
    """Whatever it is."""

    def fail() -> int:
        raise error

    async def run() -> int:
        thread: CommitThread[int] = CommitThread()
        waiting = thread.run(fail)
        await asyncio.wait([waiting])
        assert waiting.exception() is error
        return await thread.run(lambda: 1)

    assert asyncio.run(run()) == 1


def test_a_loop_that_is_gone_ends_nothing() -> None:
    """The work was done; the next loop is served."""
    thread: CommitThread[int] = CommitThread()
    is_closed = threading.Event()

    async def leave() -> None:
        thread.run(lambda: int(is_closed.wait(5)))

    async def ask() -> int:
        return await thread.run(lambda: 2)

    asyncio.run(leave())
    is_closed.set()

    assert asyncio.run(ask()) == 2


def test_it_ends_with_its_owner() -> None:
    """No thread is left behind."""

    async def run() -> threading.Thread:
        thread: CommitThread[threading.Thread] = CommitThread()
        return await thread.run(threading.current_thread)

    used = asyncio.run(run())
    used.join(60)

    assert not used.is_alive()
