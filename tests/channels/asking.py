"""What the daemon asks people with, running before one messenger's other side."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from sides import SIDES, MessengerSide, until

from signoff.assess.level import Challenge, Level
from signoff.challenge.answer import Answer
from signoff.challenge.pending import PendingRequest, RequestState
from signoff.channels.context import PageLink
from signoff.frontends.server.people.channel_manager import ChannelManager
from signoff.frontends.server.people.context import OwnChannels
from signoff.settings import Settings, load_settings
from signoff.storage.sqlite import SqliteStore
from signoff.testing import FakeAssessment, make_action

REVIEW_S = 1.0  # the least time to read a card here
AT_ONCE = {"review_s": {level.value: 0 for level in Level}}


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """A messenger, and what the daemon asks its people with."""

    side: MessengerSide
    settings: Settings
    manager: ChannelManager

    def ask(
        self, level: Level = Level.LOW, challenge: Challenge = Challenge.CONFIRM
    ) -> asyncio.Task[Answer | None]:
        """Ask about a call."""
        call = make_action("delete_user", user_id="usr_123", table="accounts")
        assessment = FakeAssessment(action=call, level=level, challenge=challenge)
        ladder = self.manager.ladder(self.settings, can_ask=False)
        return asyncio.ensure_future(ladder.escalate(call, assessment))

    async def pending(self) -> PendingRequest:
        """Return the request that waits."""
        found = await self.manager.approvals.requests.listed(RequestState.PENDING)
        return found[0]

    async def readable(self) -> str:
        """Wait for a card and for the time it takes to read it; return its id."""
        card = await self.side.card()
        await asyncio.sleep(REVIEW_S + 0.1)
        return card


Scene = Callable[[People], Awaitable[None]]


def written(side: MessengerSide, channel: str, folder: Path, **limits: float) -> Settings:
    """Write the configuration: Ada and Bob may answer on this messenger."""
    config = folder / "config"
    config.mkdir(exist_ok=True)
    said = {"min_review_s": REVIEW_S, "answer_timeout_s": 20, **limits}
    people = [
        {"id": name, "role": "approver", "identities": [{"channel": channel, "id": id}]}
        for name, id in side.people.items()
        if name != "eve"
    ]
    files = {
        "signoff.yaml": json.dumps({"channels": [], "limits": said, "approval": AT_ONCE}),
        "approvers.json": json.dumps({"version": 1, "approvers": people}),
        **side.files(),
    }
    for name, text in files.items():
        (config / name).write_text(text, encoding="utf-8")
        (config / name).chmod(0o600)
    folders = {"SIGNOFF_CONFIG_DIR": str(config), "SIGNOFF_STATE_DIR": str(folder / "state")}
    return load_settings(environment=folders)


@contextlib.asynccontextmanager
async def asking(
    side: MessengerSide, settings: Settings, *, page_link: PageLink | None = None
) -> AsyncIterator[People]:
    """Run what a daemon asks people with."""
    record = SqliteStore(settings.record_file)
    own = OwnChannels(page_link=page_link)
    manager = ChannelManager(settings, record=record, status=tuple, own=own)
    await manager.resume()
    running = asyncio.ensure_future(manager.run())
    try:
        yield People(side=side, settings=settings, manager=manager)
    finally:
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
        manager.close()
        record.close()


def play(
    channel: str,
    folder: Path,
    scene: Scene,
    *,
    page_link: PageLink | None = None,
    **limits: float,
) -> None:
    """Run a scene on a messenger that is connected."""

    async def whole() -> None:
        async with SIDES[channel]() as side:
            settings = written(side, channel, folder, **limits)
            async with asking(side, settings, page_link=page_link) as people:
                await until(lambda: people.manager.states().get(channel) == "connected")
                await scene(people)

    asyncio.run(whole())
