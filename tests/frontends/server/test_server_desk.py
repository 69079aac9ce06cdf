"""The desk: one answer an action, bound to what was asked, and bounded."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine

import pytest

from signoff.frontends.server.desk import KEPT_S, Desk, DeskFull, OtherAction

KEY = ("agent", "session", "1")


async def at_once(number: str) -> bytes:
    """Answer right away."""
    return number.encode()


async def never(_: str) -> bytes:
    """Wait for somebody who does not come."""
    await asyncio.sleep(3600)
    return b""


def run(steps: Coroutine[None, None, None]) -> None:
    """Run a test's steps; what still waits at their end is dropped."""
    asyncio.run(steps)


def test_an_answer_is_given_again() -> None:
    """To the same request, by its key and by its id."""

    async def steps() -> None:
        desk = Desk()
        first = desk.take(KEY, "d", at_once)
        answer = await desk.wait(first, seconds=1)
        again = desk.take(KEY, "d", never)
        found = desk.find(first.id)

        assert answer == first.id.encode()
        assert again is first is found

    run(steps())


def test_an_answer_that_was_there_at_once_is_found() -> None:
    """By its id, and nobody waits for it."""

    async def steps() -> None:
        desk = Desk()
        desk.keep("1", b"answer")
        ticket = desk.find("1")

        assert ticket is not None
        assert (await desk.wait(ticket, seconds=1), desk.pending) == (b"answer", 0)

    run(steps())


def test_a_full_desk_keeps_no_more_answers() -> None:
    """What waits is not forgotten for one that was given already."""

    async def steps() -> None:
        desk = Desk(limit=1)
        waiting = desk.take(KEY, "d", never)
        desk.keep("1", b"answer")

        assert (desk.find(waiting.id), desk.find("1")) == (waiting, None)

    run(steps())


def test_another_action_under_the_key_is_refused() -> None:
    """While the first is decided as well as after."""

    async def steps() -> None:
        desk = Desk()
        desk.take(KEY, "d", never)
        with pytest.raises(OtherAction):
            desk.take(KEY, "other", at_once)

    run(steps())


def test_waiting_ends_without_an_answer() -> None:
    """And the action is still pending."""

    async def steps() -> None:
        desk = Desk()
        ticket = desk.take(None, "d", never)

        assert await desk.wait(ticket, seconds=0.01) is None
        assert desk.pending == 1

    run(steps())


def test_old_answers_are_forgotten() -> None:
    """After their time the same key is decided anew."""

    async def steps() -> None:
        now = [0.0]
        desk = Desk(clock=lambda: now[0])
        first = desk.take(KEY, "d", at_once)
        await desk.wait(first, seconds=1)
        now[0] = KEPT_S + 1

        assert desk.find(first.id) is None
        assert desk.take(KEY, "other", at_once) is not first

    run(steps())


def test_what_waits_is_never_forgotten() -> None:
    """Answers make room for it; where all wait, no more are taken in."""

    async def steps() -> None:
        desk = Desk(limit=3)
        waiting = desk.take(None, "d", never)
        for _ in range(10):
            await desk.wait(desk.take(None, "d", at_once), seconds=1)
        assert desk.find(waiting.id) is waiting
        desk = Desk(limit=2)
        desk.take(None, "d", never)
        desk.take(None, "d", never)
        with pytest.raises(DeskFull):
            desk.take(None, "d", at_once)

    run(steps())
