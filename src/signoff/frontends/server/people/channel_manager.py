"""Whom the daemon asks: grants, the model, people on its channels, the host's own prompt.

Channels live as long as the daemon. If a configured channel cannot be built, the problem is
reported, and calls that need people are denied rather than approved by somebody else. Where no
channel is configured, the host's own prompt is used.

    manager = ChannelManager(settings, record=store, status=lines)
    ladder = manager.ladder(settings, can_ask=True)
    await manager.run()
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from weakref import WeakKeyDictionary

from signoff.actions.action import Action
from signoff.assess.verdict import Verdict
from signoff.build.approvals import (
    build_approvals,
    build_people,
    build_standing,
    build_switched,
)
from signoff.build.gate import build_ladder
from signoff.build.shared import SharedParts
from signoff.challenge.answer import Answer
from signoff.challenge.evaluator import Evaluator
from signoff.challenge.ladder import Ladder
from signoff.challenge.people.duplicate_prompts import DuplicatePromptSuppression, SuppressedFirst
from signoff.challenge.people.host_prompt import HostChannel
from signoff.challenge.people.nap import Napping, NapSwitch
from signoff.challenge.people.outcomes import EndedCall
from signoff.challenge.people.waiting_calls import Count, Counted, uncounted
from signoff.challenge.proofs.seal import GRANT_PREFIX
from signoff.challenge.request import Channel, Request
from signoff.challenge.terms.mode import Mode
from signoff.challenge.words.asking import QuestionChannel
from signoff.challenge.words.together import Together
from signoff.channels.registry import CHANNELS
from signoff.channels.reloadable import ReloadableChannel
from signoff.errors import SignoffError, StoreError
from signoff.frontends.client.places import Places
from signoff.frontends.hosts.adapter import HostAnswer, Report, ReportKind
from signoff.frontends.hosts.registry import EDITS, REPEATS
from signoff.frontends.mcp.adapter import NAME as MCP
from signoff.frontends.mcp.adapter import REPEATS as PROXIED
from signoff.frontends.python.wire import SOURCES
from signoff.frontends.server.people.channel_order import (
    NOT_SET_UP,
    NOTIFY,
    empty_groups,
    not_set_up,
    order_of,
)
from signoff.frontends.server.people.context import OwnChannels, build_context
from signoff.frontends.server.people.notice_channels import (
    NoticeChannels,
    denials_told,
    uncertain_told,
)
from signoff.frontends.server.people.stops import answer_for
from signoff.frontends.server.people.tamper_watch import TamperWatch
from signoff.frontends.server.sessions import NOBODY, Waiting
from signoff.settings import SET_UP_ELSEWHERE, ChannelName, Settings
from signoff.storage.confirmed.in_force import InForce
from signoff.storage.confirmed.outside import OutsideChange
from signoff.storage.reading import Readable

log = logging.getLogger(__name__)

LOOK_EVERY_S = 30.0
OPEN = "open"
EDITORS = EDITS | SOURCES | {MCP}  # callers that run edited arguments


class NoPrompt:
    """Wraps a channel for hosts without a prompt: the answer `ask` counts as none."""

    name = "people"

    def __init__(self, people: Channel) -> None:
        self._people = people

    async def ask(self, request: Request) -> Answer | None:
        """Return the wrapped channel's answer, None instead of `ask`."""
        answer = await self._people.ask(request)
        return None if answer is not None and answer.verdict is Verdict.ASK else answer


class ChannelManager:
    """The daemon's channels, and the ladders that use them.

    Args:
        own: channels that no settings file configures.
        asking: counts the calls that people are asked about.
        shared: parts that other components of the process share; None = built new.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        record: Readable,
        status: Callable[[], Sequence[str]],
        own: OwnChannels | None = None,
        asking: Count = uncounted,
        shared: SharedParts | None = None,
    ) -> None:
        self._shared = shared = shared or SharedParts(settings)
        self._evaluators: WeakKeyDictionary[SharedParts, Evaluator | None] = WeakKeyDictionary()
        own = own or OwnChannels()
        self._in_words, terminal = own.in_words, own.terminal
        opened = tuple(one.open(settings.config_dir) for one in CHANNELS)
        self._messengers = {one.name: one for one in opened}
        self.notices = NoticeChannels(settings, shared)
        self._named = settings.channels
        on_terminal = (terminal,) if terminal is not None and terminal.name in self._named else ()
        local = (ChannelName.WEB.value, *(one.name for one in on_terminal))
        self._local = local = tuple(name for name in local if name in self._named)
        wanted = tuple(one for one in opened if one.is_wanted)
        there = (*(one.name for one in wanted), *local)
        here = tuple(name for name in self._named if name not in SET_UP_ELSEWHERE)
        order = order_of(self._named, there=(*self.notices.told, *(there or here)))
        self.approvals = build_approvals(
            settings, order, edits=EDITORS, shared=shared, tell=self._changed
        )
        self._first_sealed = self._start_in_force(record)
        context = build_context(settings, self.approvals, own, record=record, status=status)
        for one in opened:
            one.open(context)
        answered = (*wanted, *own.inbox(self.approvals), *on_terminal)
        notifier = self.notices.notifier
        channels = (*answered, *((notifier,) if notifier is not None else ()))
        # Who is named and not there is asked in vain, and not passed over.
        has_people = bool(answered) or bool(there) or bool(self._missing.keys() - {NOTIFY})
        self.people = build_people(self.approvals, channels, closes_s=0)
        counted = Counted(self.people, asking)
        self._asked = build_switched(self.approvals, counted) if has_people else None
        self._watch = TamperWatch(self.approvals, Places(settings.state_dir).socket)
        self.approvals.ledger.alarms.listeners.append(self._alarm)
        self.nap = NapSwitch()
        self._suppression = DuplicatePromptSuppression(
            store=self.approvals.requests,
            seal=self.approvals.seal,
            operands=self.approvals.operands,
            repeats={**REPEATS, **PROXIED},
        )

    @property
    def in_force(self) -> InForce:
        """Approvers, mode, policies and locks as confirmed by an admin.

        Raises:
            StoreError: it was built without.
        """
        if self.approvals.in_force is None:
            raise StoreError("nothing is confirmed here")
        return self.approvals.in_force

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with channels and approver groups; () if nothing."""
        own = {name: one.problem for name, one in self._messengers.items() if one.problem}
        told = (f"{name}: {problem}" for name, problem in {**own, **self._missing}.items())
        empty = empty_groups(self.approvals.plan, self.approvals.directory)
        alarms = self.approvals.ledger.alarms.told()
        changes = (change.told for change in self.in_force.waiting())
        standing = self.in_force.enforcement().warning
        shared = self.in_force.problem
        standing_ones = [one for one in (shared, standing) if one]  # nobody is to forget them
        return (*standing_ones, *alarms, *changes, *self.notices.problems, *told, *empty)

    @property
    def naps(self) -> tuple[str, ...]:
        """The nap in force, in words; () if there is none. A person started it: no problem."""
        nap = self.nap.current()
        return (str(nap),) if nap is not None else ()

    @property
    def _missing(self) -> Mapping[str, str]:
        """What is wrong with those that are named and not set up, by name."""
        wanted = (name for name, one in self._messengers.items() if one.is_wanted)
        return not_set_up(self._named, there=(*wanted, *self.notices.wanted))

    def status(self) -> Mapping[str, str]:
        """Return the state of each channel, in words for people."""
        return self._each(lambda one: one.status)

    def states(self) -> Mapping[str, str]:
        """Return the state of each channel in one word, without names."""
        return self._each(lambda one: one.state)

    def _each(self, said: Callable[[ReloadableChannel], str]) -> Mapping[str, str]:
        """Return one word per channel, by name."""
        messengers = {name: said(one) for name, one in self._messengers.items() if one.is_wanted}
        missing = dict.fromkeys(self._missing, NOT_SET_UP)
        return {**messengers, **dict.fromkeys(self._local, OPEN), **missing}

    def waiting(self) -> Waiting:
        """Return the number of open requests, by (host, session); {} if unknown."""
        try:
            return self.approvals.requests.open_by_session()
        except StoreError as error:
            log.warning("open requests cannot be counted: %s", error)
            return NOBODY

    async def answer_for(self, action: Action, *, within_s: float) -> HostAnswer | None:
        """Return the reply to the host if the call is a question that people answered."""
        people = self.in_words()
        if people is None:
            return None
        timeout_s = min(within_s, self.approvals.plan.answer_s)
        return await answer_for(people, action, timeout_s=timeout_s)

    async def reported(self, host: str, report: Report) -> None:
        """Record a call that has ended, if people approved it."""
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
            await self.people.outcomes.reported(ended)
        # The call has happened: there is nothing left to refuse.
        except (StoreError, ValueError) as error:
            log.warning("what came of a call is not noted: %s", error)

    async def finished(self, request_id: str, *, has_failed: bool, user: str = "") -> bool:
        """Record how the call of a request ended; False if it waits for no outcome."""
        try:
            return await self.people.finish(request_id, has_failed=has_failed, user=user)
        except StoreError as error:
            log.warning("what came of a call is not noted: %s", error)
            return False

    async def resume(self) -> None:
        """After a restart, follow open requests again and mark executing calls uncertain."""
        try:
            lost = await self.people.resume()
        except StoreError as error:
            log.error("open requests are not followed: %s", error)
            return
        self._end_old_grants()
        if lost:
            self._tell_soon(uncertain_told(lost))
            self.notices.alert_uncertain(lost)

    def _end_old_grants(self) -> None:
        """End what was granted before this start: nothing tells any more who granted it."""
        approvals = self.approvals
        for grant in approvals.grants.listed():
            if not approvals.seal.made(GRANT_PREFIX, grant.sealed, grant.seal):
                approvals.grants.revoke(grant.id)
                log.info("grant %s ended with the daemon that kept it", grant.id)

    def in_words(self) -> QuestionChannel | None:
        """Return what asks an agent's questions now, None if nothing can."""
        built = (one.in_words for one in self._messengers.values())
        channels: tuple[QuestionChannel, ...] = (
            *(channel for channel in built if channel is not None),
            *self._in_words(),
        )
        return Together(channels) if channels and self.mode() is Mode.REMOTE else None

    def mode(self) -> Mode:
        """Return where people are asked; "local" if that cannot be read."""
        try:
            return self.approvals.switch.mode()
        except (SignoffError, ValueError):
            return Mode.LOCAL

    def ladder(self, settings: Settings, *, can_ask: bool, is_second: bool = False) -> Ladder:
        """Build the order of asking under these settings.

        Args:
            can_ask: the host has a prompt of its own.
            is_second: for a host's second event about a call, whose approval is not looked up.

        Raises:
            SignoffError: what the model needs is missing.
        """
        channels: tuple[Channel, ...] = (HostChannel(),) if can_ask else ()
        if self._asked is not None:
            people = self._asked if can_ask else NoPrompt(self._asked)
            channels = (people if is_second else self._suppression.noting(people),)
        granted = Napping(switch=self.nap, granted=build_standing(self.approvals))
        return build_ladder(
            settings,
            channels,
            evaluator=self._evaluator(settings),
            standing=SuppressedFirst(suppression=self._suppression, otherwise=granted)
            if is_second
            else granted,
            outcomes=self.people,
        )

    def _evaluator(self, settings: Settings) -> Evaluator | None:
        """Return the model these settings name; all that name the same one share it."""
        shared = self._shared.under(settings)
        if shared not in self._evaluators:
            self._evaluators[shared] = shared.evaluator(self.approvals.policies)
        return self._evaluators[shared]

    async def run(self) -> None:
        """Run the channels until cancelled."""
        if self._first_sealed:
            self._tell_soon(self._first_sealed)
        async with asyncio.TaskGroup() as group:
            group.create_task(self._look_after())
            group.create_task(self._watch.run())
            for one in self._messengers.values():
                group.create_task(one.run())

    async def _look_after(self) -> None:
        """Regularly end calls that were allowed long ago and whose end nobody reported."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            try:
                await self.people.outcomes.give_up()
            except StoreError as error:
                log.warning("calls that were let go are not looked after: %s", error)

    def alert_denials(self, *, session: str, agent: str, denials: int, last_tool: str) -> None:
        """Tell people on every channel that a session was denied often."""
        self._tell_soon(denials_told(session, agent, denials, last_tool))
        self.notices.alert_denials(
            session=session, agent=agent, denials=denials, last_tool=last_tool
        )

    def alert_tool(self, text: str) -> None:
        """Tell people on every channel that a tool of an MCP server is held back."""
        self.tell(text)
        self.notices.alert_tool(text)

    def _start_in_force(self, record: Readable) -> str:
        """Load what was confirmed; return what to tell people about it.

        A new installation is sealed without a word; one that has decided before was upgraded, or
        has lost its seal.
        """
        try:
            said, has_decided = self.in_force.start(), record.head().seq > 0
        except SignoffError as error:
            log.error("nothing is confirmed, as a file is refused: %s", error)
            return ""
        if said:
            # A warning is shown as a problem from then on, and the first start is none.
            log.log(logging.WARNING if has_decided else logging.INFO, "%s", said)
        return said if has_decided else ""

    def _changed(self, change: OutsideChange) -> None:
        """Tell people that another process changed what holds, and how to confirm it."""
        log.critical("%s", change.told)
        # The code goes to channels only: an agent could read it in the log (T-63).
        self._tell_soon(f"{change.told}. Code: {change.code}")
        self.notices.alert_tampering(change.told)

    def tell(self, text: str) -> None:
        """Send a notice to every messenger and to the log."""
        log.warning("%s", text)
        self._tell_soon(text)

    def tell_act(self, text: str) -> None:
        """Send a notice of what an admin did to every messenger; it leaves no warning behind."""
        log.info("%s", text)
        self._tell_soon(text)

    def _alarm(self, text: str) -> None:
        """Tell people everywhere that what is kept was tampered with."""
        self._tell_soon(text)
        self.notices.alert_tampering(text)

    def _tell_soon(self, text: str) -> None:
        """Have something said on every messenger."""
        for one in self._messengers.values():
            one.tell_soon(text)

    def close(self) -> None:
        """Close files and the notifier."""
        self.notices.close()
        for one in self._messengers.values():
            one.close()
        self.approvals.close()
