"""Commands: for those who are listened to; they show much and approve nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from fake_bot_api import ADA, BOB, CHAT, EVE, FakeBotApi
from station import Station, approvers, build, running, until

from signoff.challenge.terms.mode import Mode
from signoff.channels.context import CommandServices
from signoff.channels.telegram.channel import TelegramWays
from signoff.effects.admin_acts import AdminAct
from signoff.errors import StoreError
from signoff.storage.approvals.database import Database
from signoff.storage.approvals.standing import SqliteMode, SqlitePolicies

Scene = Callable[[Station], Awaitable[None]]


def play(
    api: FakeBotApi, folder: Path, scene: Scene, services: CommandServices | None = None
) -> None:
    """Run a scene on a running channel."""

    async def whole() -> None:
        ways = TelegramWays(services=services or CommandServices())
        async with running(build(api, folder, ways=ways)) as station:
            await until(lambda: bool(api.offsets))
            await scene(station)

    asyncio.run(whole())


@pytest.mark.parametrize("command", ["/start", "/help", "/start 1234", "/nonsense", "/HELP"])
def test_help_is_for_the_asking(api: FakeBotApi, tmp_path: Path, command: str) -> None:
    """Also for what is not known."""

    async def scene(station: Station) -> None:
        assert "/status" in await station.told(api.write(command))

    play(api, tmp_path, scene)


def test_strangers_are_told_nothing(api: FakeBotApi, tmp_path: Path) -> None:
    """Neither another user nor another chat gets a word."""

    async def scene(station: Station) -> None:
        await station.dealt_with(api.write("/status", user=EVE))
        await station.dealt_with(api.write("/status", chat=CHAT + 1))

        assert {} == api.messages

    play(api, tmp_path, scene)


def test_a_command_for_another_bot_is_left_to_it(api: FakeBotApi, tmp_path: Path) -> None:
    """In a group every bot hears everything."""

    async def scene(station: Station) -> None:
        await station.dealt_with(api.write("/status@other_bot"))
        before = dict(api.messages)
        await station.dealt_with(api.write(f"/help@{api.username}"))

        assert ({}, 1) == (before, len(api.messages))

    play(api, tmp_path, scene)


def test_pending_lists_what_waits(api: FakeBotApi, tmp_path: Path) -> None:
    """By its id and what it would do."""

    async def scene(station: Station) -> None:
        pending = await station.asked()

        assert pending.id in await station.told(api.write("/pending"))

    play(api, tmp_path, scene)


def test_what_the_daemon_knows_is_shown(api: FakeBotApi, tmp_path: Path) -> None:
    """Status, costs and policies come from it; a lock is set by who is named."""
    policies = SqlitePolicies(Database())
    policies.add("builds may go", tool="Bash", author="ada")
    locked: list[str] = []

    def lock(by: str) -> str:
        locked.append(by)
        return "locked"

    services = CommandServices(
        status=lambda: ["all is well"],
        cost=lambda: ["3 cents"],
        policies=policies.listed,
        lock=lock,
    )

    async def scene(station: Station) -> None:
        said = [
            await station.told(api.write(command))
            for command in ("/status", "/cost", "/policies", "/lock")
        ]

        assert ["all is well", "3 cents", f"{policies.listed()[0]}, by ada", "locked"] == said
        assert [f"telegram {ADA}"] == locked

    play(api, tmp_path, scene, services)


def test_only_an_admin_changes_the_mode(api: FakeBotApi, tmp_path: Path) -> None:
    """Everybody may see it."""
    switch = SqliteMode(Database())
    acts: list[AdminAct] = []
    people = approvers(tmp_path)
    services = CommandServices(mode=switch, directory=people, record=acts.append)

    async def scene(station: Station) -> None:
        assert "mode remote" == await station.told(api.write("/mode", user=BOB))
        assert "admin" in await station.told(api.write("/mode local", user=BOB))
        assert Mode.REMOTE is switch.mode()
        await station.dealt_with(api.write("/mode local", user=ADA))
        assert Mode.LOCAL is switch.mode()
        assert "expected" in await station.told(api.write("/mode nowhere"))
        by = f"telegram:{ADA}"
        assert acts == [AdminAct(act="mode.set", by=by, said="local", channel="telegram")]

    play(api, tmp_path, scene, services)


def test_only_an_admin_accepts_a_proposed_rule(api: FakeBotApi, tmp_path: Path) -> None:
    """Everybody in the chat may see what is proposed."""
    accepted: list[tuple[str, str]] = []

    def accept(id: str, by: str) -> str:
        accepted.append((id, by))
        return f"{id} holds"

    services = CommandServices(
        learned=lambda: ["prop_1a2b3c4d allow `git push`"],
        accept=accept,
        directory=approvers(tmp_path),
    )

    async def scene(station: Station) -> None:
        assert "prop_1a2b3c4d" in await station.told(api.write("/learned", user=BOB))
        assert "admin" in await station.told(api.write("/accept prop_1a2b3c4d", user=BOB))
        assert [] == accepted
        assert "holds" in await station.told(api.write("/accept prop_1a2b3c4d", user=ADA))
        assert [("prop_1a2b3c4d", "ada (telegram)")] == accepted

    play(api, tmp_path, scene, services)


def test_a_command_that_fails_says_so(api: FakeBotApi, tmp_path: Path) -> None:
    """And nothing else fails with it."""

    def broken() -> list[str]:
        raise StoreError("the disk is full")

    async def scene(station: Station) -> None:
        assert "the disk is full" in await station.told(api.write("/cost"))

    play(api, tmp_path, scene, CommandServices(cost=broken))


def test_a_long_answer_is_cut_and_says_so(api: FakeBotApi, tmp_path: Path) -> None:
    """Whatever the daemon says fits into a message."""

    async def scene(station: Station) -> None:
        assert "more" in await station.told(api.write("/status"))

    play(api, tmp_path, scene, CommandServices(status=lambda: ["😀" * 9_000] * 500))
