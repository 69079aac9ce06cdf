"""Shows decoys: now and then, after a person answered a real request, a call that must be refused.

Off unless `decoys.share` is set. One at a time, in the hours that are set, only while nothing else
waits, and only where people answer on a channel that knows who they are. Which request is one
stands in the memory of this process alone; its answer goes to the audit log as an entry of its
own kind. No agent waits for it, and it counts as no question.

    decoys = Decoys(settings.decoys, channels=channels, parts=parts)
    await decoys.run()
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime

from msgspec import Struct

from signoff.actions.action import Action
from signoff.assess.assessed import Assessed
from signoff.assess.level import Level
from signoff.assess.verdict import Verdict
from signoff.challenge.channels.notify import Notifier
from signoff.challenge.decoys.calls import decoy_calls
from signoff.challenge.decoys.register import APPROVED_WORDS, DecoyAnswer
from signoff.challenge.pending import PendingRequest, RequestState
from signoff.challenge.proofs.seal import GRANT_PREFIX
from signoff.challenge.request import Request
from signoff.challenge.terms.mode import Mode
from signoff.decide.decision import Enforcement
from signoff.effects.decoys import decoy_content
from signoff.effects.dispatch import Effects
from signoff.effects.store import RecordDraft
from signoff.errors import SignoffError
from signoff.frontends.server.people.channel_manager import ChannelManager
from signoff.sections import DecoysSection

log = logging.getLogger(__name__)

# After the answer that it follows: soon enough for the person to be there still.
DELAY_S = (60.0, 600.0)


class DecoyParts(Struct, frozen=True):
    """What showing decoys needs.

    Args:
        judge: judges a call like an agent's.
        recorded: returns the number of decoys in the audit log on a day; reads files.
        effects: records decisions.
    """

    judge: Callable[[Action], Awaitable[Assessed]]
    recorded: Callable[[date], int]
    effects: Effects


class Decoys:
    """Shows decoys (test requests) and records how they were answered.

    Args:
        delay_s: least and most seconds from an answer to the decoy that follows it.
        now: returns the present time, UTC.
    """

    def __init__(
        self,
        section: DecoysSection,
        *,
        channels: ChannelManager,
        parts: DecoyParts,
        delay_s: tuple[float, float] = DELAY_S,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._section, self._channels, self._approvals = section, channels, channels.approvals
        self._parts, self._delay_s, self._now = parts, delay_s, now
        self._draw = random.SystemRandom()  # who can foresee it can wait for it
        self._follows: PendingRequest | None = None
        self._wanted = asyncio.Event()
        self._shown: dict[date, int] = {}
        self._approvals.decoys.noted = self._note

    def _note(self, pending: PendingRequest, channel: str) -> None:
        """Take note of a real answer; now and then a decoy is to follow it."""
        plan = self._approvals.plan
        # Where a code says who speaks, an agent could answer in its owner's name.
        if self._follows is not None or channel in plan.coded or channel == Notifier.name:
            return
        if self._draw.random() < self._section.share:
            self._follows = pending
            self._wanted.set()

    async def run(self) -> None:
        """Show decoys until cancelled."""
        while True:
            await self._wanted.wait()
            await asyncio.sleep(self._draw.uniform(*self._delay_s))
            follows, self._follows = self._follows, None
            self._wanted.clear()
            try:
                if follows is not None and await self._may_show():
                    await self._show(follows)
            except (SignoffError, ValueError) as error:
                log.warning("no test request is shown: %s", error)

    async def _may_show(self) -> bool:
        """Tell whether one may be shown now."""
        now, store = self._now(), self._approvals.requests
        # Another node would take its answer for one to a real request.
        if self._approvals.seal.is_shared:
            return False
        if not self._section.is_in_hours(now.astimezone().strftime("%H:%M")):
            return False
        # An agent that waits must not wait for longer because of it.
        if not self._is_asking or await store.listed(RequestState.PENDING, limit=1):
            return False
        recorded = await asyncio.to_thread(self._parts.recorded, now.date())
        return max(recorded, self._shown.get(now.date(), 0)) < self._section.per_day

    @property
    def _is_asking(self) -> bool:
        """Whether people are asked on channels, and what they answer holds."""
        is_enforced = self._channels.in_force.enforcement() is Enforcement.ENFORCE
        return is_enforced and self._channels.mode() is Mode.REMOTE

    async def _show(self, follows: PendingRequest) -> None:
        """Show one, wait until it is settled, and record what became of it."""
        request = await self._request(follows)
        if request is None:
            return
        register, hidden = self._approvals.decoys, list[str]()

        def hide(id: str) -> None:
            hidden.append(id)
            register.hide(id)

        try:
            id = await self._channels.people.open_decoy(request, hide)
            if id:
                day = self._now().date()
                self._shown = {day: self._shown.get(day, 0) + 1}
                await self._settled(id)
        finally:
            for id in hidden:
                register.take(id)
                # Cancelled: the next daemon could not know what it is.
                await self._approvals.requests.move(
                    id, RequestState.WITHDRAWN, start=RequestState.PENDING
                )

    async def _request(self, follows: PendingRequest) -> Request | None:
        """Return a call that people are asked about here, as the rules in force judge it."""
        for action in decoy_calls(follows, self._draw):
            assessment = await self._parts.judge(action)
            if self._is_asked(assessment):
                return Request(action=action, assessment=assessment)
        return None

    def _is_asked(self, assessment: Assessed) -> bool:
        """Tell whether one person is asked about a call, and nobody is alarmed by it."""
        return (
            assessment.preliminary is Verdict.ASK
            and assessment.level < Level.CRITICAL
            and len(self._approvals.plan.steps_of(assessment.challenge)) == 1
        )

    async def _settled(self, id: str) -> None:
        """Wait until it is settled, and record it."""
        store, register = self._approvals.requests, self._approvals.decoys
        now = await store.wait(id, timeout_s=None, while_in=RequestState.PENDING)
        if now is None:
            return
        if now.state is RequestState.APPROVED:
            await self._void(now)
        answer = register.take(id) or self._given_elsewhere(now)
        effects = self._parts.effects
        content = decoy_content(now, answer, origin=effects.origin, at=self._now())
        await effects.store.append(RecordDraft(content=content))

    async def _void(self, pending: PendingRequest) -> None:
        """End an approval by `signoff approve`, a process that cannot know what it approves."""
        approvals = self._approvals
        await approvals.requests.move(pending.id, RequestState.EXPIRED, start=RequestState.APPROVED)
        # Sealed with the request's code, it holds for nothing, and would be taken for tampering.
        coded = approvals.seal.by_code(pending.id)
        for grant in approvals.grants.listed():
            if coded is not None and coded.made(GRANT_PREFIX, grant.sealed, grant.seal):
                approvals.grants.revoke(grant.id)
        self._channels.tell(f"request {pending.id[:8]}: {APPROVED_WORDS}")

    def _given_elsewhere(self, pending: PendingRequest) -> DecoyAnswer | None:
        """Return an answer that another process took; nothing proves whose it is."""
        if not pending.answers:
            return None
        last = pending.answers[-1]
        return DecoyAnswer(
            approver="", channel=last.channel, verdict=Verdict(last.verdict), took_s=last.took_s
        )
