"""The idempotency store: one answer an action, bound to what was asked, and bounded."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Coroutine

import pytest

from signoff.frontends.server.idempotency import (
    KEPT_S,
    IdempotencyStore,
    IdempotencyStoreFull,
    OtherAction,
)

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
        approval_service = IdempotencyStore()
        first = approval_service.take(KEY, "d", at_once)
        answer = await approval_service.wait(first, seconds=1)
        again = approval_service.take(KEY, "d", never)
        found = approval_service.find(first.id)

        assert answer == first.id.encode()
        assert again is first is found

    run(steps())


def test_callers_that_ask_again_leave_nothing_behind() -> None:
    """An action may be asked for every few seconds for as long as people take."""

    async def steps() -> None:
        approval_service = IdempotencyStore()
        ticket = approval_service.take(KEY, "d", never)
        assert isinstance(ticket.work, asyncio.Task)

        for _ in range(5):
            assert None is await approval_service.wait(ticket, seconds=0.001)
        callbacks = ticket.work._callbacks

        assert 1 == len(callbacks)

    run(steps())


def test_an_answer_that_was_there_at_once_is_found() -> None:
    """By its id, and nobody waits for it."""

    async def steps() -> None:
        approval_service = IdempotencyStore()
        approval_service.keep("1", b"answer")
        ticket = approval_service.find("1")

        assert ticket is not None
        assert (await approval_service.wait(ticket, seconds=1), approval_service.pending) == (
            b"answer",
            0,
        )

    run(steps())


def test_a_full_desk_keeps_no_more_answers() -> None:
    """What waits is not forgotten for one that was given already."""

    async def steps() -> None:
        approval_service = IdempotencyStore(limit=1)
        waiting = approval_service.take(KEY, "d", never)
        approval_service.keep("1", b"answer")

        assert (approval_service.find(waiting.id), approval_service.find("1")) == (waiting, None)

    run(steps())


def test_another_action_under_the_key_is_refused() -> None:
    """While the first is decided as well as after."""

    async def steps() -> None:
        approval_service = IdempotencyStore()
        approval_service.take(KEY, "d", never)
        with pytest.raises(OtherAction):
            approval_service.take(KEY, "other", at_once)

    run(steps())


def test_waiting_ends_without_an_answer() -> None:
    """And the action is still pending."""

    async def steps() -> None:
        approval_service = IdempotencyStore()
        ticket = approval_service.take(None, "d", never)

        assert await approval_service.wait(ticket, seconds=0.01) is None
        assert approval_service.pending == 1

    run(steps())


def test_old_answers_are_forgotten() -> None:
    """After their time the same key is decided again."""

    async def steps() -> None:
        now = [0.0]
        approval_service = IdempotencyStore(clock=lambda: now[0])
        first = approval_service.take(KEY, "d", at_once)
        await approval_service.wait(first, seconds=1)
        now[0] = KEPT_S + 1

        assert approval_service.find(first.id) is None
        assert approval_service.take(KEY, "other", at_once) is not first

    run(steps())


def test_what_waits_is_never_forgotten() -> None:
    """Answers make room for it; where all wait, no more are taken in."""

    async def steps() -> None:
        approval_service = IdempotencyStore(limit=3)
        waiting = approval_service.take(None, "d", never)
        for _ in range(10):
            await approval_service.wait(approval_service.take(None, "d", at_once), seconds=1)
        assert approval_service.find(waiting.id) is waiting
        approval_service = IdempotencyStore(most_waiting=2)
        approval_service.take(None, "d", never)
        approval_service.take(None, "d", never)
        with pytest.raises(IdempotencyStoreFull):
            approval_service.take(None, "d", at_once)

    run(steps())


def test_what_waits_keeps_nothing_of_its_caller() -> None:
    """The caller's context holds its connection, which may be closed long before the answer."""
    connection = contextvars.ContextVar("connection", default="none")
    seen: list[str] = []

    async def noting(number: str) -> bytes:
        seen.append(connection.get())
        return number.encode()

    async def steps() -> None:
        connection.set("open")
        approval_service = IdempotencyStore()
        await approval_service.wait(approval_service.take(None, "d", noting), seconds=60)

        assert ["none"] == seen

    run(steps())


def test_a_failure_is_no_answer() -> None:
    """Who asks again is decided about anew; an answer that is kept elsewhere is not kept here."""

    async def fails(_: str) -> bytes:
        raise OtherAction

    async def steps() -> None:
        approval_service = IdempotencyStore()
        with pytest.raises(OtherAction):
            await approval_service.wait(approval_service.take(KEY, "d", fails), seconds=60)
        second = approval_service.take(KEY, "d", at_once, is_kept=False)
        await approval_service.wait(second, seconds=60)

        assert approval_service.take(KEY, "d", at_once) is not second
        assert approval_service.find(second.id) is second

    run(steps())
