"""What was seen holds for one turn of the loop, and never for what is read after it."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Coroutine

import pytest
import uvloop

from signoff.storage.fs_probe.offloaded import LoopTick
from signoff.storage.fs_probe.probe import HERE

Run = Callable[[Coroutine[None, None, list[bool]]], list[bool]]


class Server(asyncio.Protocol):
    """Serves from the loop's queue whatever it reads, as every server here does."""

    def __init__(self, serve: Callable[[], None]) -> None:
        self._serve = serve

    def data_received(self, data: bytes) -> None:
        """Take in what has arrived."""

        async def serve() -> None:
            self._serve()

        self._task = asyncio.get_running_loop().create_task(serve())


async def open_on(end: socket.socket, serve: Callable[[], None]) -> asyncio.BaseTransport:
    """Serve one end of a pair of sockets."""
    loop = asyncio.get_running_loop()
    return (await loop.create_connection(lambda: Server(serve), sock=end))[0]


LOOPS = pytest.mark.parametrize("run", [asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])


@LOOPS
def test_those_served_in_one_turn_share_it(run: Run) -> None:
    """Whatever they do there, as long as they do not wait."""
    turn = LoopTick()

    async def served() -> object:
        return turn.moment()

    async def steps() -> list[bool]:
        moments = await asyncio.gather(*(served() for _ in range(3)))
        return [moments[0] is moments[1] is moments[2]]

    assert [True] == run(steps())


@LOOPS
def test_the_next_turn_is_another(run: Run) -> None:
    """Nothing that was seen outlives its turn."""
    turn = LoopTick()

    async def steps() -> list[bool]:
        before = turn.moment()
        await asyncio.sleep(0)
        return [before is turn.moment()]

    assert [False] == run(steps())


@LOOPS
def test_what_is_sent_after_a_look_is_served_by_a_later_one(run: Run) -> None:
    """However many others look meanwhile."""
    turn = LoopTick()

    async def look_on() -> None:
        while True:
            turn.moment()
            await asyncio.sleep(0)

    async def steps() -> list[bool]:
        looking = [asyncio.create_task(look_on()) for _ in range(3)]
        served: asyncio.Queue[object] = asyncio.Queue()
        theirs, ours = socket.socketpair()
        ours.settimeout(0)
        with theirs:
            transport = await open_on(ours, lambda: served.put_nowait(turn.moment()))
            shared = []
            for _ in range(200):
                before = turn.moment()
                theirs.send(b"x")
                shared.append(before is await served.get())
            transport.close()
        for task in looking:
            task.cancel()
        return shared

    assert not any(run(steps()))


@LOOPS
def test_another_thread_shares_nothing(run: Run) -> None:
    """It may look whenever it likes."""
    turn, elsewhere = LoopTick(), list[object]()

    async def steps() -> list[bool]:
        known = turn.moment()
        thread = threading.Thread(target=lambda: elsewhere.extend((turn.moment(), turn.moment())))
        thread.start()
        thread.join()
        return [known is turn.moment(), known in elsewhere, elsewhere[0] is elsewhere[1]]

    assert [True, False, False] == run(steps())


def test_a_loop_that_ended_leaves_nothing_behind() -> None:
    """The next one begins with a turn of its own."""
    turn = LoopTick()

    async def moment() -> object:
        return turn.moment()

    assert asyncio.run(moment()) is not asyncio.run(moment())


def test_without_a_loop_nothing_is_shared() -> None:
    """Nor where looks are taken at once."""
    turn = LoopTick()

    assert turn.moment() is not turn.moment()
    assert HERE.moment() is not HERE.moment()
