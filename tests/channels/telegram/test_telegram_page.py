"""The way from a card to the page of a critical request, where a passkey is asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from fake_bot_api import ADA, EVE, FakeBotApi
from station import Station, build, running, until

from signoff.assess.level import Level
from signoff.challenge.pending import PendingRequest
from signoff.challenge.terms.approver import Identity

BUTTON = "Answer with my passkey"


def link_of(pending: PendingRequest, identity: Identity) -> str:
    """Return a link for Ada alone."""
    return f"https://a.example.com/#{pending.id}" if identity.id == str(ADA) else ""


async def shown(station: Station, level: Level) -> int:
    """Ask for something of a level; return the message of its card."""
    pending = await station.opened(level=level)
    await station.channel.announce(pending)
    await until(lambda: station.card(pending.id) != 0)
    return station.card(pending.id)


def play(
    api: FakeBotApi,
    folder: Path,
    scene: Callable[[Station], Awaitable[None]],
    *,
    has_page: bool = True,
) -> None:
    """Run a scene on a running channel."""

    async def whole() -> None:
        made = build(api, folder, page_link=link_of if has_page else None)
        async with running(made) as station:
            await scene(station)

    asyncio.run(whole())


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("has_page", [True, False])
def test_the_button_is_on_critical_cards_where_there_is_a_page(
    api: FakeBotApi, tmp_path: Path, level: Level, *, has_page: bool
) -> None:
    """And on no other."""

    async def scene(station: Station) -> None:
        card = await shown(station, level)
        assert (has_page and level is Level.CRITICAL) == (BUTTON in api.labels(card))

    play(api, tmp_path, scene, has_page=has_page)


def test_who_presses_gets_a_link_of_their_own(api: FakeBotApi, tmp_path: Path) -> None:
    """As a button under a message; the request still waits."""

    async def scene(station: Station) -> None:
        pending = await station.opened(level=Level.CRITICAL)
        await station.channel.announce(pending)
        await until(lambda: station.card(pending.id) != 0)
        await station.dealt_with(api.press(station.card(pending.id), BUTTON))
        told = api.said("sendMessage")[-1]
        (row,) = told["reply_markup"]["inline_keyboard"]
        assert [{"text": "Open", "url": f"https://a.example.com/#{pending.id}"}] == row
        assert (await station.state(pending)).is_open

    play(api, tmp_path, scene)


def test_a_stranger_gets_none(api: FakeBotApi, tmp_path: Path) -> None:
    """Whoever is not listed is told so, and nothing else."""

    async def scene(station: Station) -> None:
        card = await shown(station, Level.CRITICAL)
        before = len(api.said("sendMessage"))
        await station.dealt_with(api.press(card, BUTTON, user=EVE))
        assert before == len(api.said("sendMessage"))

    play(api, tmp_path, scene)
