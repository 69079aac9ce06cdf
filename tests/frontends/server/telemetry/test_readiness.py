"""Whether a decision would be recorded: asked seldom, answered in time, never guessed."""

from __future__ import annotations

import asyncio

from signoff.frontends.server.telemetry.readiness import Readiness


def test_all_who_ask_at_once_share_one_write() -> None:
    """The route is open: who asks often must not keep the disk busy."""
    writes: list[int] = []

    async def check() -> str:
        writes.append(1)
        await asyncio.sleep(0)
        return "the disk is full"

    async def ask() -> list[str]:
        readiness = Readiness(check)
        first = await asyncio.gather(*(readiness.problem() for _ in range(50)))
        return [*first, await readiness.problem()]

    assert ["the disk is full"] * 51 == asyncio.run(ask())
    assert 1 == len(writes)


def test_a_store_that_says_nothing_is_not_ready() -> None:
    """Who watches is answered while the store still thinks, and the next asks on."""

    async def ask() -> tuple[str, str]:
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        readiness = Readiness(lambda: asyncio.wait_for(answer, None), within_s=0.01)
        silent = await readiness.problem()
        answer.set_result("")
        return silent, await readiness.problem()

    silent, after = asyncio.run(ask())

    assert "did not answer" in silent
    assert "" == after
