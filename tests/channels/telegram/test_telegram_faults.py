"""Faults on the line, restarts and second pollers: nothing is decided twice, nothing by itself."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_bot_api import TOKEN, FakeBotApi
from station import Station, build, running, until

from signoff.challenge.approval_service import ApprovalService
from signoff.challenge.channel import AnswerOutcome, Response
from signoff.challenge.pending import RequestState
from signoff.channels.telegram.bot_api.arrivals import Link, LinkState
from signoff.channels.telegram.bot_api.client import BotApi
from signoff.errors import StoreError


@pytest.mark.parametrize("fault", [500, 502, "html", "cut", 429])
@pytest.mark.parametrize("method", ["getMe", "getUpdates", "sendMessage", "editMessageText"])
def test_a_passing_fault_costs_time_only(
    api: FakeBotApi, tmp_path: Path, method: str, fault: int | str
) -> None:
    """Any method may fail for a while; the tap still counts, once."""
    api.retry_after_s = 0.05
    api.faults[method].extend([fault, fault])

    async def whole() -> None:
        async with running(build(api, tmp_path)) as station:
            pending = await station.asked()
            card = station.card(pending.id)
            await station.dealt_with(api.press(card, "Approve"))
            await until(lambda: api.messages[card]["text"].startswith("signoff: APPROVED"))

            assert RequestState.APPROVED is await station.state(pending)

    asyncio.run(whole())


@pytest.mark.parametrize("fault", [400, 500, "cut", "html"])
def test_an_answer_counts_though_nobody_could_be_told(
    api: FakeBotApi, tmp_path: Path, fault: int | str
) -> None:
    """The commit comes first; telling that fails is no reason to take the tap again."""
    api.faults["answerCallbackQuery"].append(fault)

    async def whole() -> None:
        async with running(build(api, tmp_path)) as station:
            pending = await station.asked()
            await station.dealt_with(api.press(station.card(pending.id), "Approve"))

            assert RequestState.APPROVED is await station.state(pending)
            assert 1 == len(api.said("answerCallbackQuery"))

    asyncio.run(whole())


def test_what_is_asked_to_wait_is_waited(api: FakeBotApi, tmp_path: Path) -> None:
    """After 429 nothing is sent before its time."""
    api.retry_after_s = 0.4
    api.faults["sendMessage"].append(429)

    async def whole() -> float:
        async with running(build(api, tmp_path)) as station:
            loop = asyncio.get_running_loop()
            before = loop.time()
            await station.asked()
            return loop.time() - before

    assert asyncio.run(whole()) >= 0.4


def test_a_second_poller_pauses_approving(api: FakeBotApi, tmp_path: Path) -> None:
    """409: the status is red, approve is refused, deny is not."""
    link = Link(alone_s=60)

    async def whole() -> None:
        async with running(build(api, tmp_path, link=link)) as station:
            pending = await station.asked()
            card = station.card(pending.id)
            api.is_contested = True
            await until(lambda: link.state is LinkState.CONFLICT)
            problem = station.channel.problem
            api.is_contested = False
            said = await station.told(api.press(card, "Approve"))
            paused = await station.state(pending)
            await station.dealt_with(api.press(card, "Deny"))

            assert "another program takes" in problem
            assert ("paused" in said, RequestState.PENDING) == (True, paused)
            assert RequestState.DENIED is await station.state(pending)

    asyncio.run(whole())


def test_alone_again_it_approves(api: FakeBotApi, tmp_path: Path) -> None:
    """After a while without the other one the pause is over."""
    link = Link(alone_s=0.2)

    async def whole() -> None:
        async with running(build(api, tmp_path, link=link)) as station:
            pending = await station.asked()
            api.is_contested = True
            await until(lambda: link.is_paused)
            api.is_contested = False
            await until(lambda: not link.problem)
            await station.dealt_with(api.press(station.card(pending.id), "Approve"))

            assert RequestState.APPROVED is await station.state(pending)

    asyncio.run(whole())


def test_a_token_that_is_not_good_is_a_red_status(api: FakeBotApi, tmp_path: Path) -> None:
    """401 is said, and tried again later."""
    api.faults["getMe"].extend([401] * 1_000)

    async def whole() -> str:
        async with running(build(api, tmp_path)) as station:
            await until(lambda: station.channel.link.state is LinkState.REFUSED)
            return station.channel.problem

    assert "401" in asyncio.run(whole())


STEPS = ("before the commit", "after the commit", "before telling", "before editing", "at the end")


CRASHED = threading.Event()


@pytest.mark.parametrize("step", STEPS)
def test_a_crash_at_any_step_loses_and_doubles_nothing(
    api: FakeBotApi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """T-41: the daemon ends between tap and confirmation; the next one finishes it."""

    async def first() -> tuple[str, str, int]:
        station = build(api, tmp_path)
        async with running(station):
            pending = await station.asked()
            crash_at(station, step, monkeypatch)
            api.press(station.card(pending.id), "Approve")
            await until(lambda: CRASHED.is_set())
            return pending.id, pending.nonce, station.card(pending.id)

    async def second(request_id: str, card: int) -> None:
        async with running(build(api, tmp_path)) as station:
            await until(lambda: api.messages[card]["text"].startswith("signoff: APPROVED"))
            await until(lambda: not api.updates)
            now = await station.requests.get(request_id)

            assert now is not None
            assert (RequestState.APPROVED, 1) == (now.state, len(now.answers))

    CRASHED.clear()
    request_id, _, card = asyncio.run(first())
    monkeypatch.undo()
    asyncio.run(second(request_id, card))


def crash_at(station: Station, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the process hang for good at a step, as if it had ended there."""

    async def end(*_: object, **__: object) -> None:
        CRASHED.set()
        await asyncio.Event().wait()

    answer = ApprovalService.answer

    async def answer_then_end(
        approval_service: ApprovalService, response: Response
    ) -> AnswerOutcome:
        await answer(approval_service, response)
        await end()
        raise AssertionError

    def done_is_late(*_: object) -> None:
        CRASHED.set()
        raise asyncio.CancelledError

    match step:
        case "before the commit":
            monkeypatch.setattr(ApprovalService, "answer", end)
        case "after the commit":
            monkeypatch.setattr(ApprovalService, "answer", answer_then_end)
        case "before telling":
            monkeypatch.setattr(BotApi, "answer_tap", end)
        case "before editing":
            monkeypatch.setattr(BotApi, "edit", end)
        case _:
            monkeypatch.setattr(type(station.store), "done", done_is_late)


def test_an_answer_that_keeps_failing_is_passed_over_loudly(
    api: FakeBotApi,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Three tries, then the next update's turn; the request stays open."""

    async def broken(*_: object) -> None:
        raise StoreError("the disk is full")

    async def whole() -> None:
        async with running(build(api, tmp_path)) as station:
            pending = await station.asked()
            card = station.card(pending.id)
            with monkeypatch.context() as patch:
                patch.setattr(ApprovalService, "answer", broken)
                await station.dealt_with(api.press(card, "Approve"))
            state = await station.state(pending)
            await station.dealt_with(api.press(card, "Deny"))

            assert RequestState.PENDING is state
            assert RequestState.DENIED is await station.state(pending)
            assert "1 passed over" in station.channel.status

    with caplog.at_level(logging.ERROR):
        asyncio.run(whole())
    assert "passed over" in caplog.text


def test_a_card_that_could_not_be_sent_is_sent_after_a_restart(
    api: FakeBotApi, tmp_path: Path
) -> None:
    """What was announced is shown, whenever the chat can be reached again."""
    api.faults["sendMessage"].extend([500] * 1_000)

    async def whole() -> None:
        async with running(build(api, tmp_path)) as station:
            pending = await station.opened()
            await station.channel.announce(pending)
            await until(lambda: len(api.said("sendMessage")) > 1)
        api.faults["sendMessage"].clear()
        async with running(build(api, tmp_path)) as station:
            await until(lambda: station.card(pending.id) != 0)
            await station.dealt_with(api.press(station.card(pending.id), "Approve"))

            assert RequestState.APPROVED is await station.state(pending)

    asyncio.run(whole())


def test_one_card_that_is_refused_holds_up_no_other(api: FakeBotApi, tmp_path: Path) -> None:
    """What Telegram does not take for good is tried again, behind the others."""

    async def whole() -> None:
        station = build(api, tmp_path)
        first, second = await station.opened(), await station.opened()
        await station.channel.announce(first)
        await station.channel.announce(second)
        api.faults["sendMessage"].append(400)
        async with running(station):
            await until(lambda: station.card(first.id) > station.card(second.id) > 0)

    asyncio.run(whole())


def test_a_card_left_open_is_closed_after_a_restart(api: FakeBotApi, tmp_path: Path) -> None:
    """Answered elsewhere while the daemon was down: the card says so."""

    async def whole() -> None:
        async with running(build(api, tmp_path)) as station:
            pending = await station.asked()
            card = station.card(pending.id)
        other = build(api, tmp_path)
        await other.requests.move(pending.id, RequestState.WITHDRAWN, start=RequestState.PENDING)
        async with running(other):
            await until(lambda: api.messages[card]["text"].startswith("signoff: WITHDRAWN"))

            assert [] == api.labels(card)

    asyncio.run(whole())


def test_silence_ends_in_an_expired_card(api: FakeBotApi, tmp_path: Path) -> None:
    """Nobody taps: the request expires and its card says so without being told."""

    async def whole() -> None:
        async with running(build(api, tmp_path)) as station:
            pending = await station.opened(ttl_s=0.4)
            await station.channel.announce(pending)
            await until(lambda: station.card(pending.id) != 0)
            card = station.card(pending.id)
            await until(lambda: api.messages[card]["text"].startswith("signoff: EXPIRED"))

            assert [] == api.labels(card)

    asyncio.run(whole())


@pytest.fixture
def everything_logged(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """Take in all that is logged, of any kind."""
    with caplog.at_level(logging.DEBUG):
        yield caplog


def test_the_token_is_never_written_anywhere(
    api: FakeBotApi, tmp_path: Path, everything_logged: pytest.LogCaptureFixture
) -> None:
    """Neither in logs and their traces, nor in the status, nor in any file, whatever fails."""
    secret = TOKEN.partition(":")[2]

    async def whole() -> str:
        for method in ("getMe", "getUpdates", "sendMessage", "editMessageText"):
            api.faults[method].extend([500, "cut", "html", 401, 409])
        async with running(build(api, tmp_path)) as station:
            pending = await station.opened()
            await station.channel.announce(pending)
            await asyncio.sleep(1.0)
            channel = station.channel
            return f"{channel.problem} {channel.status} {channel!r} {station.channel.link!r}"

    said = asyncio.run(whole())
    traces = "".join(
        str(record.exc_info) + str(record.args) for record in everything_logged.records
    )
    files = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())

    assert len(everything_logged.records) > 2
    assert secret not in everything_logged.text + traces + said
    assert secret.encode() not in files
