"""Telling the channels: who is asked when, and what became of it afterwards.

A request is announced on one channel after another, again when a second group of approvers is
asked as well, and every card is brought up to date when something changes, whichever process it
was answered in.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from msgspec import Struct

from signoff.assess.level import Level
from signoff.challenge.channel import NobodyThere, PushChannel
from signoff.challenge.pending import ClockReading, PendingRequest, PendingStore, RequestState
from signoff.challenge.terms.plan import ApprovalPlan
from signoff.values import replace

log = logging.getLogger(__name__)

CALL_S = 20.0  # a channel that hangs must not keep the others from being asked


class FollowedRequest(Struct, frozen=True, kw_only=True):
    """The little that stays in memory of an open request whose cards are kept up to date.

    Args:
        answers: how many answers its cards show.
        code: the confirmation code in clear text, "" if this process did not open it.
    """

    id: str
    level: Level
    created: ClockReading
    answers: int
    code: str


def followed_request(pending: PendingRequest) -> FollowedRequest:
    """Return what is kept of a request while its cards are followed."""
    return FollowedRequest(
        id=pending.id,
        level=pending.level,
        created=pending.created,
        answers=len(pending.answers),
        code=pending.code,
    )


class Announcer(Struct, frozen=True, kw_only=True):
    """Shows requests on the channels of the approval plan and keeps their cards up to date.

    Args:
        plan: says which channels are asked, in which order.
    """

    store: PendingStore
    plan: ApprovalPlan
    channels: tuple[PushChannel, ...]

    async def announce(self, pending: PendingRequest) -> bool:
        """Show the request on the first channels; False if certainly nobody can see it."""
        told = self._told_at(pending.level, 0.0)
        reached = await asyncio.gather(*(self._announce(one, pending, 0.0) for one in told))
        # Somebody who is asked later can still see it, so the call is not refused yet.
        later = len(self._moments(pending.level)) > 1
        return any(reached) or later

    async def follow(self, followed: FollowedRequest) -> None:
        """Show it on later channels when they are due, and update all cards until it is decided."""
        waiting = [at_s for at_s in self._moments(followed.level) if at_s > 0]
        given = followed.answers
        is_open = True
        while is_open:
            elapsed_s = self.store.moment().since(followed.created)
            now = await self.store.wait(
                followed.id,
                timeout_s=None,
                while_in=RequestState.PENDING,
                answers=given,
                due_s=waiting[0] - elapsed_s if waiting else None,
            )
            if now is None:
                return
            await self._show_later(followed, now, waiting)
            is_open = now.state.is_open
            if len(now.answers) > given or not is_open:
                given = len(now.answers)
                await self.update(now)
            del now  # its card would stay in memory for as long as people take

    async def _show_later(
        self, followed: FollowedRequest, now: PendingRequest, waiting: list[float]
    ) -> None:
        """Show it where it is due by now, and take what was due from `waiting`."""
        elapsed_s = self.store.moment().since(followed.created)
        while waiting and waiting[0] <= elapsed_s and now.state.is_open:
            at_s = waiting.pop(0)
            # What is read from the store has no code: it keeps only a hash.
            fresh = replace(now, code=followed.code)
            told = self._told_at(followed.level, at_s)
            await asyncio.gather(*(self._announce(one, fresh, at_s) for one in told))

    async def update(self, pending: PendingRequest) -> None:
        """Update the card on every channel."""
        await asyncio.gather(*(_quietly(one.name, one.update, pending) for one in self.channels))

    def _moments(self, level: Level) -> list[float]:
        """Return the seconds at which somebody is notified, in order."""
        starts = {at_s for _, at_s in self.plan.asked(level)}
        return sorted(starts.union(self.plan.moments())) or [0.0]

    def _told_at(self, level: Level, at_s: float) -> list[PushChannel]:
        """Return the channels notified at a moment: those that begin, all if people are added."""
        is_escalation = at_s in self.plan.moments()
        names = {
            terms.name
            for terms, start_s in self.plan.asked(level)
            if start_s == at_s or (is_escalation and start_s <= at_s)
        }
        return [one for one in self.channels if one.name in names]

    async def _announce(self, channel: PushChannel, pending: PendingRequest, at_s: float) -> bool:
        """Show a request on one channel; False if nobody can see it there."""
        now_s = self.store.moment().wall_s
        said = replace(pending, groups=self.plan.asked_now(at_s, now_s))
        return await _quietly(channel.name, channel.announce, said)


async def _quietly(
    name: str, call: Callable[[PendingRequest], Awaitable[None]], pending: PendingRequest
) -> bool:
    """Call a channel; its failure is its own. False if it knows that nobody is there."""
    try:
        await asyncio.wait_for(call(pending), CALL_S)
    # A channel that is down may come back and show the card; this one says nobody will.
    except NobodyThere:
        return False
    except Exception as error:  # noqa: BLE001 - its own error; the others are told
        # Only the kind of error: texts of errors carry addresses and tokens.
        log.error("channel `%s` is down: %s", name, type(error).__name__)
    return True
