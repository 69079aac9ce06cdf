"""Who is asked by the daemon: grants, the model, people on its channels, the host's own prompt.

Channels live as long as the daemon. A channel that is configured and cannot be built is a problem
that is told, and people are asked in vain rather than passed over: what they would have to
approve is refused. Where no channel is configured the host's own prompt is used.

    remote = Remote(settings, record=store, status=lines)
    ladder = remote.ladder(settings, can_ask=True)
    await remote.run()
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from signoff.actions.action import Action
from signoff.approvals import (
    Approvals,
    build_approvals,
    build_people,
    build_standing,
    build_switched,
)
from signoff.assess.level import Level
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import Answer
from signoff.challenge.channel import PushChannel
from signoff.challenge.channels.host import HostChannel
from signoff.challenge.channels.telegram.channel import TelegramChannel
from signoff.challenge.channels.telegram.reconciler import CHANNEL
from signoff.challenge.ladder import Ladder
from signoff.challenge.people.counted import Count, Counted, uncounted
from signoff.challenge.people.duplicate_prompts import DuplicatePromptSuppression, LookFirst
from signoff.challenge.people.outcomes import EndedCall
from signoff.challenge.proofs.seal import GRANT_PREFIX, Seal
from signoff.challenge.request import Channel, Request
from signoff.challenge.terms.mode import Mode
from signoff.challenge.words.asking import QuestionChannel
from signoff.challenge.words.together import Together
from signoff.errors import SignoffError, StoreError
from signoff.frontends.hosts.adapter import HostAnswer, Report, ReportKind
from signoff.frontends.hosts.registry import EDITS, REPEATS
from signoff.frontends.server.people.agent_questions import answer_for
from signoff.frontends.server.people.channel_order import (
    NOT_SET_UP,
    NOTIFY,
    empty_groups,
    not_set_up,
    order_of,
)
from signoff.frontends.server.people.files.telegram import TelegramSettings
from signoff.frontends.server.people.notice_channels import (
    NoticeChannels,
    denials_told,
    uncertain_told,
)
from signoff.frontends.server.people.reloadable import ReloadableChannel
from signoff.frontends.server.people.telegram import TelegramContext, TelegramRecord, keep_telegram
from signoff.frontends.server.sessions import NOBODY, Waiting
from signoff.settings import SET_UP_ELSEWHERE, ChannelName, Settings
from signoff.storage.approvals.open_requests import open_by_session
from signoff.wiring import build_evaluator

log = logging.getLogger(__name__)

LOOK_EVERY_S = 30.0
OPEN = "open"


class NoPrompt:
    """The same people for a host that has no prompt of its own: handed back to it is no answer."""

    name = "people"

    def __init__(self, people: Channel) -> None:
        self._people = people

    async def ask(self, request: Request) -> Answer | None:
        """Return what people answered."""
        answer = await self._people.ask(request)
        return None if answer is not None and answer.verdict is Verdict.ASK else answer


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnChannels:
    """The channels of the daemon itself: no file sets them up.

    Args:
        inbox: builds it; no channel where the settings do not name it as one.
        terminal: the terminal the daemon runs on; None = it runs in the background.
        in_words: those of them who can be asked in words at that moment.
    """

    inbox: Callable[[Approvals], Sequence[PushChannel]] = lambda _: ()
    terminal: PushChannel | None = None
    in_words: Callable[[], Sequence[QuestionChannel]] = tuple


class ChannelManager:
    """The daemon's channels, and the ladders that lead to them.

    Args:
        own: the channels of the daemon itself.
        asking: counts calls people are asked about.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        record: TelegramRecord,
        status: Callable[[], Sequence[str]],
        own: OwnChannels | None = None,
        asking: Count = uncounted,
    ) -> None:
        own = own or OwnChannels()
        self._in_words, terminal = own.in_words, own.terminal
        self._telegram: ReloadableChannel[TelegramSettings, TelegramChannel, TelegramContext] = (
            keep_telegram(settings)
        )
        self.others = NoticeChannels(settings)
        self._named = tuple(name.value for name in settings.channels)
        on_terminal = (terminal,) if terminal is not None and terminal.name in self._named else ()
        local = (ChannelName.WEB.value, *(one.name for one in on_terminal))
        self._local = local = tuple(name for name in local if name in self._named)
        there = (*((CHANNEL,) if self._telegram.is_wanted else ()), *self.others.names, *local)
        here = tuple(name for name in self._named if name not in SET_UP_ELSEWHERE)
        order = order_of(self._named, there=(*self.others.told, *(there or here)))
        self.approvals = build_approvals(settings, order, edits=EDITS, seal=Seal.fresh())
        known = TelegramContext(
            settings=settings, approvals=self.approvals, record=record, status=status
        )
        self._telegram.open(known)
        telegram = (self._telegram,) if self._telegram.is_wanted else ()
        answered = (*telegram, *own.inbox(self.approvals), *on_terminal)
        channels = (*answered, *self.others.open(known))
        # Who is named and not there is asked in vain, and not passed over.
        has_people = bool(answered) or bool(there) or bool(self._missing.keys() - {NOTIFY})
        self._people = build_people(self.approvals, channels, closes_s=0)
        counted = Counted(self._people, asking)
        self._asked = build_switched(self.approvals, counted) if has_people else None
        self._look = DuplicatePromptSuppression(
            store=self.approvals.requests,
            seal=self.approvals.seal,
            operands=self.approvals.operands,
            repeats=REPEATS,
        )

    @property
    def telegram(self) -> TelegramChannel | None:
        """The Telegram channel as it is built now, None if there is none."""
        return self._telegram.channel

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with channels, and with the groups that are asked on them."""
        own = self._telegram.problem
        missing = (f"{name}: {problem}" for name, problem in self._missing.items())
        empty = empty_groups(self.approvals.plan, self.approvals.directory)
        return (*((f"telegram: {own}",) if own else ()), *self.others.problems, *missing, *empty)

    @property
    def _missing(self) -> Mapping[str, str]:
        """What is wrong with those that are named and not set up, by name."""
        telegram = (CHANNEL,) if self._telegram.is_wanted else ()
        return not_set_up(self._named, there=(*telegram, *self.others.names, *self.others.wanted))

    def status(self) -> Mapping[str, str]:
        """Return how each channel is, in a word."""
        missing = dict.fromkeys(self._missing, NOT_SET_UP)
        others = {**dict.fromkeys(self._local, OPEN), **self.others.status(), **missing}
        if self.telegram is None:
            return {CHANNEL: "refused", **others} if self._telegram.is_wanted else others
        return {CHANNEL: self.telegram.status, **others}

    def states(self) -> Mapping[str, str]:
        """Return the same without anything that names anybody."""
        if self.telegram is None:
            return self.status()
        state = "red" if self._telegram.problem else self.telegram.link.state.value
        return {**self.status(), CHANNEL: state}

    def waiting(self) -> Waiting:
        """Return how many requests are open, by host and session; nothing where it is unknown."""
        requests = self.approvals.requests
        try:
            return open_by_session(requests.database, requests.moment())
        except StoreError as error:
            log.warning("open requests cannot be counted: %s", error)
            return NOBODY

    async def answer_for(self, action: Action, *, within_s: float) -> HostAnswer | None:
        """Return what the host is told where the call is a question that people answered."""
        people = self.in_words()
        if people is None:
            return None
        timeout_s = min(within_s, self.approvals.plan.answer_s)
        return await answer_for(people, action, timeout_s=timeout_s)

    async def reported(self, host: str, report: Report) -> None:
        """Note a call that has ended, where people approved it."""
        if report.kind is not ReportKind.TOOL_DONE:
            return
        call = report.call
        ended = EndedCall(
            host=host,
            session=report.session,
            call_id=report.call_id,
            tool=call.tool if call else "",
            arguments=call.arguments if call else None,
            has_failed=report.has_failed,
        )
        try:
            await self._people.outcomes.reported(ended)
        except (StoreError, ValueError) as error:
            log.warning("what came of a call is not noted: %s", error)

    async def resume(self) -> None:
        """Take up what the last daemon left: what is open is followed, what ran is uncertain."""
        try:
            lost = await self._people.resume()
        except StoreError as error:
            log.error("open requests are not followed: %s", error)
            return
        self._end_old_grants()
        if lost:
            self._telegram.tell_soon(uncertain_told(lost))
            self.others.alert_uncertain(lost)

    def _end_old_grants(self) -> None:
        """End what was granted before this start: nothing tells any more who granted it."""
        approvals = self.approvals
        for grant in approvals.grants.listed():
            if not approvals.seal.made(GRANT_PREFIX, grant.sealed, grant.seal):
                approvals.grants.revoke(grant.id)
                log.info("grant %s ended with the daemon that kept it", grant.id)

    def in_words(self) -> QuestionChannel | None:
        """Return who can be asked in words now, None if nobody is to be."""
        telegram = (self.telegram,) if self.telegram is not None else ()
        channels: tuple[QuestionChannel, ...] = (
            *telegram,
            *self.others.in_words,
            *self._in_words(),
        )
        return Together(channels) if channels and self._mode() is Mode.REMOTE else None

    def _mode(self) -> Mode:
        """Return where people are asked; by the host where it is unknown."""
        try:
            return self.approvals.switch.mode()
        except (SignoffError, ValueError):
            return Mode.LOCAL

    def ladder(self, settings: Settings, *, can_ask: bool, is_second: bool = False) -> Ladder:
        """Build who is asked under these settings.

        Args:
            can_ask: the host has a prompt of its own.
            is_second: it is asked by a host's second event about a call; what people let go there
                is not looked at once more.

        Raises:
            SignoffError: what the model needs cannot be had.
        """
        channels: tuple[Channel, ...] = (HostChannel(),) if can_ask else ()
        if self._asked is not None:
            people = self._asked if can_ask else NoPrompt(self._asked)
            channels = (people if is_second else self._look.noting(people),)
        chosen, granted = settings.evaluator, build_standing(self.approvals)
        return Ladder(
            channels,
            evaluator=build_evaluator(settings, policies=self.approvals.policies),
            standing=LookFirst(look=self._look, otherwise=granted) if is_second else granted,
            outcomes=self._people,
            model_up_to=chosen.up_to.level if chosen else Level.HIGH,
        )

    async def run(self) -> None:
        """Run the channels until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self.others.run())
            group.create_task(self._look_after())
            group.create_task(self._telegram.run())

    async def _look_after(self) -> None:
        """End what was let go long ago and not heard of since, again and again."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            try:
                await self._people.outcomes.give_up()
            except StoreError as error:
                log.warning("calls that were let go are not looked after: %s", error)

    def alert_denials(self, *, session: str, agent: str, denials: int, last_tool: str) -> None:
        """Tell people everywhere that a session was refused often."""
        self._telegram.tell_soon(denials_told(session, agent, denials, last_tool))
        self.others.alert_denials(
            session=session, agent=agent, denials=denials, last_tool=last_tool
        )

    def close(self) -> None:
        """Let go of the files, and of what tells other services."""
        self.others.close()
        self._telegram.close()
        self.approvals.close()
