"""Updates that are pushed: only with the secret, each dealt with before it is confirmed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from fake_bot_api import BOT, FakeBotApi, tap_of
from station import Station, build, running, until

from signoff.challenge.pending import RequestState
from signoff.channels.message_database import IN_MEMORY
from signoff.channels.telegram.bot_api.arrivals import PushedTo, Taker, Webhook
from signoff.channels.telegram.bot_api.updates import Update
from signoff.channels.telegram.channel import TelegramWays
from signoff.channels.telegram.message_store import TelegramMessageStore
from signoff.errors import BadSettings

SECRET = "a-good-secret-for-tests-only"
PUSHED = TelegramWays(pushed_to=PushedTo(url="https://example.org/t", secret=SECRET))

Scene = Callable[[Station, Webhook], Awaitable[None]]


def play(api: FakeBotApi, folder: Path, scene: Scene) -> None:
    """Run a scene on a channel that is pushed to."""

    async def whole() -> None:
        async with running(build(api, folder, ways=PUSHED)) as station:
            assert station.channel.webhook is not None
            await scene(station, station.channel.webhook)

    asyncio.run(whole())


def push(update_id: int, tap: dict[str, object]) -> bytes:
    """Return a pushed update."""
    return json.dumps({"update_id": update_id, "callback_query": tap}).encode()


def test_a_pushed_tap_approves(api: FakeBotApi, tmp_path: Path) -> None:
    """Status 200 only after the commit; Telegram knows the secret, and nothing is polled."""

    async def scene(station: Station, webhook: Webhook) -> None:
        pending = await station.asked()
        card = station.card(pending.id)
        tap = tap_of(card, api.data(card, "Approve"))

        assert 200 == await webhook.take(SECRET.encode(), push(1, tap))
        assert RequestState.APPROVED is await station.state(pending)
        await until(lambda: bool(api.webhook))
        assert (SECRET, []) == (api.webhook["secret_token"], api.offsets)

    play(api, tmp_path, scene)


@pytest.mark.parametrize("shown", [b"", b"wrong", SECRET.encode()[:-1], SECRET.encode() + b"x"])
def test_a_wrong_secret_is_refused(api: FakeBotApi, tmp_path: Path, shown: bytes) -> None:
    """Whatever is pushed with it changes nothing."""

    async def scene(station: Station, webhook: Webhook) -> None:
        pending = await station.asked()
        card = station.card(pending.id)
        tap = tap_of(card, api.data(card, "Approve"))

        assert 401 == await webhook.take(shown, push(1, tap))
        assert RequestState.PENDING is await station.state(pending)

    play(api, tmp_path, scene)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b"{}", b"[" * 100_000])
def test_what_is_no_update_is_refused(api: FakeBotApi, tmp_path: Path, body: bytes) -> None:
    """With the right secret, too."""

    async def scene(_: Station, webhook: Webhook) -> None:
        assert 400 == await webhook.take(SECRET.encode(), body)

    play(api, tmp_path, scene)


def test_a_push_that_fails_is_asked_for_again(api: FakeBotApi, tmp_path: Path) -> None:
    """500 makes Telegram push it once more; after three tries it is passed over."""
    store = TelegramMessageStore(str(tmp_path / "telegram.db"), bot=BOT, chat=1)

    async def broken(_: Update) -> None:
        raise RuntimeError("no")

    async def whole() -> list[int]:
        webhook = Webhook(SECRET, Taker(store, broken), bot=BOT)
        body = push(1, tap_of(5, "x"))
        return [await webhook.take(SECRET.encode(), body) for _ in range(5)]

    assert [500, 500, 500, 200, 200] == asyncio.run(whole())
    store.close()


@pytest.mark.parametrize("secret", ["", "short", "has blanks in it, sadly", "x" * 257, "é" * 20])
def test_no_webhook_without_a_good_secret(secret: str) -> None:
    """It refuses to start."""

    async def handle(_: Update) -> None:
        return None

    store = TelegramMessageStore(IN_MEMORY, bot=BOT, chat=1)
    with pytest.raises(BadSettings, match="secret"):
        Webhook(secret, Taker(store, handle), bot=BOT)
