"""The sync face: a call runs to its end, and nothing of it is left for the next one."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from signoff.sync import run_now


async def loop_of_call() -> asyncio.AbstractEventLoop:
    """Return the loop a call runs on."""
    return asyncio.get_running_loop()


def test_a_call_within_a_loop_is_served_beside_it() -> None:
    """A loop cannot wait for itself."""

    async def main() -> bool:
        return run_now(loop_of_call()) is not asyncio.get_running_loop()

    assert asyncio.run(main())


def test_the_loop_of_a_call_ends_with_it() -> None:
    """Also where the call fails."""
    loops: list[asyncio.AbstractEventLoop] = [run_now(loop_of_call())]

    async def fails() -> None:
        loops.append(asyncio.get_running_loop())
        raise ValueError("it failed")

    with pytest.raises(ValueError, match="it failed"):
        run_now(fails())

    assert [True, True] == [loop.is_closed() for loop in loops]


def test_a_task_that_outlives_its_call_is_ended() -> None:
    """Nothing runs on in the time of another call."""
    ended: list[str] = []

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")

    async def leaves() -> asyncio.Task[None]:
        task = asyncio.create_task(waits())
        await asyncio.sleep(0)
        return task

    task = run_now(leaves())

    assert task.cancelled()
    assert ["cancelled"] == ended


def test_an_interrupt_cancels_the_call_and_is_raised_after_it() -> None:
    """What it writes at that moment is written to its end."""
    written: list[str] = []

    async def writes() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        written.append("whole")
        await asyncio.Event().wait()

    # What a shell starts in the background ignores interrupts from its start on.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            run_now(writes())
        after = signal.getsignal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)

    assert ["whole"] == written
    assert after is signal.default_int_handler


def test_who_handles_interrupts_goes_on_to() -> None:
    """A program's own handler is left as it is."""
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))

    async def interrupted() -> str:
        os.kill(os.getpid(), signal.SIGINT)
        return "done"

    try:
        assert "done" == run_now(interrupted())
    finally:
        signal.signal(signal.SIGINT, before)
    assert [signal.SIGINT] == heard
