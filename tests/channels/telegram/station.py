"""A channel with everything around it real: Bot API on loopback, store, approvals, approvers."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from fake_bot_api import ADA, BOB, BOT, CHAT, TOKEN, FakeBotApi

from signoff.actions.action import Action
from signoff.assess.level import Challenge, Level
from signoff.challenge.approval_service import ApprovalService
from signoff.challenge.card import make_card
from signoff.challenge.extras import Extras
from signoff.challenge.outbound.endpoint import OutboundEndpoint
from signoff.challenge.pending import Context, NewRequest, PendingRequest, RequestState
from signoff.challenge.proofs.seal import Seal
from signoff.challenge.request import Request
from signoff.challenge.terms.approver import Approver, ApproverRole, Identity
from signoff.challenge.terms.plan import ApprovalPlan
from signoff.challenge.terms.step import ProofKind, ProofStep
from signoff.channels.context import PageLink
from signoff.channels.telegram.bot_api.arrivals import Link
from signoff.channels.telegram.bot_api.client import BotApi, BotToken, Pace
from signoff.channels.telegram.bot_api.updates import Terms
from signoff.channels.telegram.channel import TelegramChannel, TelegramWays
from signoff.channels.telegram.message_store import TelegramMessageStore
from signoff.channels.telegram.reconciler import Chat
from signoff.storage.approvals.approver_file import ApproverFile
from signoff.storage.approvals.database import Database
from signoff.storage.approvals.requests import SqliteRequests
from signoff.storage.approvals.standing import SqliteGrants, SqlitePolicies
from signoff.testing import FakeAssessment
from signoff.values import replace

CONTEXT = Context(agent="claude", session="s1", tool="Bash")
CONFIRM = ProofStep(kind=ProofKind.CONFIRM)
PLAN = ApprovalPlan(review_s={}, proof_review_s={})
WITHIN_S = 40.0


@dataclass(slots=True)
class Station:
    """A running channel and its parts."""

    api: FakeBotApi
    folder: Path
    requests: SqliteRequests
    approval_service: ApprovalService
    directory: ApproverFile
    policies: SqlitePolicies
    grants: SqliteGrants
    channel: TelegramChannel
    store: TelegramMessageStore
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    async def asked(
        self, *steps: ProofStep, command: str = "rm -rf build", context: Context | None = None
    ) -> PendingRequest:
        """Open a request, announce it, and wait until its card stands."""
        pending = await self.opened(*steps, command=command, context=context)
        await self.channel.announce(pending)
        await until(lambda: self.card(pending.id) != 0)
        return pending

    async def opened(
        self,
        *steps: ProofStep,
        command: str = "rm -rf build",
        ttl_s: float = 60.0,
        context: Context | None = None,
        level: Level = Level.MEDIUM,
    ) -> PendingRequest:
        """Open a request."""
        action = Action(tool="Bash", arguments={"command": command}, agent="claude", session="s1")
        card = make_card(Request(action=action, assessment=FakeAssessment(action=action)))
        new = NewRequest(
            id=secrets.token_hex(4),
            nonce=secrets.token_hex(16),
            digest=secrets.token_hex(32),
            action=action.canonical_bytes,
            card=card,
            level=level,
            challenge=Challenge.CONFIRM,
            steps=steps or (CONFIRM,),
            context=context or CONTEXT,
            ttl_s=ttl_s,
        )
        return await self.requests.open(new)

    def card(self, request_id: str) -> int:
        """Return the message a request's card is, 0 if there is none."""
        sent_message = self.store.card_of(request_id)
        return 0 if sent_message is None else sent_message.message_id

    async def state(self, pending: PendingRequest) -> RequestState:
        """Return where a request stands."""
        now = await self.requests.get(pending.id)
        assert now is not None
        return now.state

    async def dealt_with(self, update_id: int) -> None:
        """Wait until an update was confirmed."""
        await until(lambda: max(self.api.offsets, default=0) > update_id)

    async def told(self, update_id: int) -> str:
        """Wait until an update was confirmed; return what was said last."""
        await self.dealt_with(update_id)
        said = [
            str(call.params["text"])
            for call in list(self.api.calls)
            if call.method in ("answerCallbackQuery", "sendMessage")
        ]
        return said[-1]


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(WITHIN_S):
        while not holds():
            await asyncio.sleep(0.005)


def approvers(folder: Path) -> ApproverFile:
    """Return a directory with Ada, who is an admin, and Bob."""
    directory = ApproverFile(str(folder / "approvers.json"))
    for name, user, role in (("ada", ADA, ApproverRole.ADMIN), ("bob", BOB, ApproverRole.APPROVER)):
        known = (Identity("telegram", str(user)),)
        directory.add(Approver(id=name, name=name, role=role, identities=known))
    return directory


def build(
    api: FakeBotApi,
    folder: Path,
    *,
    ways: TelegramWays | None = None,
    plan: ApprovalPlan = PLAN,
    link: Link | None = None,
    pace: float = 0.0,
    mask: Callable[[str], str] = str,
    place: int = CHAT,
    page_link: PageLink | None = None,
) -> Station:
    """Build a channel on the files in a folder."""
    database = Database(str(folder / "approvals.db"))
    requests, policies = SqliteRequests(database), SqlitePolicies(database)
    grants = SqliteGrants(database)
    directory = approvers(folder)
    approval_service = ApprovalService(
        requests,
        directory,
        seal=Seal(b"a key for tests only"),
        plan=plan,
        extras=Extras(grants=grants, policies=policies),
    )
    store = TelegramMessageStore(str(folder / "telegram.db"), bot=BOT, chat=place)
    chat = Chat(
        api=BotApi(OutboundEndpoint.parse(api.url), BotToken.parse(TOKEN), pace=Pace(scale=pace)),
        terms=Terms(chat=place, users=frozenset({ADA, BOB})),
        store=store,
        requests=requests,
        approval_service=approval_service,
        mask=mask,
        groups=lambda pending: plan.groups_at(requests.moment().since(pending.created)),
        page_link=page_link,
    )
    chosen = replace(ways or TelegramWays(), wait_s=1, pause_s=0.01, look_every_s=0.1)
    channel = TelegramChannel(chat, chosen, link=link)
    return Station(
        api, folder, requests, approval_service, directory, policies, grants, channel, store
    )


@asynccontextmanager
async def running(station: Station) -> AsyncIterator[Station]:
    """Run a channel; its end is that of a process: nothing is finished first."""
    task = asyncio.create_task(station.channel.run())
    try:
        yield station
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        station.store.close()
        station.requests.database.close()


__all__ = ["CONFIRM", "CONTEXT", "PLAN", "Station", "approvers", "build", "running", "until"]
