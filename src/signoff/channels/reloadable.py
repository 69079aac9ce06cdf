"""A channel of the daemon that is kept as its file says: rebuilt, at once, when that changes.

The new channel is built before the old one is let go, so what cannot be built changes nothing and
is told. What is still open is shown by the new one as well. Who is asked is planned once: what was
not configured when the daemon began is asked from its next beginning on, and that is told, too. A
part of a channel that fails is restarted: its end must not be the daemon's.

    channel = ReloadableChannel("telegram", Followed(...), build=build)
    channel.open(context)
    await channel.run()
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Protocol, TypeVar

from signoff.challenge.channel import PushChannel
from signoff.challenge.pending import PendingRequest
from signoff.challenge.words.asking import QuestionChannel
from signoff.channels.account_leases import KEEP_EVERY_S, AllRequests
from signoff.channels.context import AccountLease, ChannelContext
from signoff.channels.followed import ChannelSettings, Followed
from signoff.errors import BadSettings, SignoffError

log = logging.getLogger(__name__)

LOOK_EVERY_S = 0.4  # a changed file holds before a person has switched windows
RESTART_S = 5.0  # a channel that fails at once must not keep the daemon busy
HELD = 500  # requests that are shown once the channel is back; the oldest are dropped first
NEW = "its file is there since the daemon began: `signoff down`, then `signoff up`"
TOLD_LIMIT = 20  # words for people while the channel is away: the newest say what matters
REFUSED, RED, STANDBY = "refused", "red", "standby"


Part = Callable[[], Awaitable[None]]


class BuiltChannel(PushChannel, Protocol):
    """Port: a messenger channel built from its settings."""

    @property
    def parts(self) -> tuple[Part, ...]:
        """Return the coroutines that must run side by side."""

    @property
    def in_words(self) -> QuestionChannel:
        """Return what asks an agent's questions on this channel."""

    @property
    def status(self) -> str:
        """Return its state in one or two words, for people."""

    @property
    def state(self) -> str:
        """Return its state without names of people or bots."""

    @property
    def problem(self) -> str:
        """Return what is wrong with it, "" if nothing; contains no secret."""

    async def tell(self, text: str) -> None:
        """Send a notice to everybody on the channel.

        Raises:
            SignoffError: it was not sent.
        """

    def close(self) -> None:
        """Close its files."""


S = TypeVar("S", bound=ChannelSettings)


class ReloadableChannel:
    """A channel that is rebuilt whenever its settings file changes.

    Args:
        build: builds the channel from its settings; must send nothing until `run`.
        account: what two nodes must not run at once, by the settings.
    """

    def __init__(
        self,
        name: str,
        followed: Followed[S],
        *,
        build: Callable[[S, ChannelContext], BuiltChannel],
        account: Callable[[S], str] = lambda _: "",
    ) -> None:
        def account_now() -> str:
            return "" if followed.settings is None else account(followed.settings)

        def built(context: ChannelContext) -> BuiltChannel | None:
            settings = followed.settings
            return None if settings is None else build(settings, context)

        self.name = name
        self.channel: BuiltChannel | None = None
        self._followed: Followed[S] | Followed[ChannelSettings] = followed
        self._build, self._account = built, account_now
        self._context: ChannelContext | None = None
        self._is_planned = False
        self._has_turn = False  # where one of many nodes runs it
        self._problem = ""
        self._held: dict[str, PendingRequest] = {}
        # A deque, as any thread may append to it without a lock.
        self._to_tell: deque[str] = deque(maxlen=TOLD_LIMIT)

    @property
    def is_wanted(self) -> bool:
        """True if its settings file exists, valid or not."""
        return self._followed.settings is not None or bool(self._followed.problem)

    @property
    def problem(self) -> str:
        """What is wrong with it, "" if nothing is; contains no secret."""
        # Who is asked was settled at the start; a person must hear that this file does nothing
        # yet.
        if self.is_wanted and not self._is_planned:
            return NEW
        own = self._followed.problem or self._problem
        return own or ("" if self.channel is None or self.is_waiting else self.channel.problem)

    @property
    def status(self) -> str:
        """Its state in one or two words, for people."""
        if self.channel is None:
            return REFUSED
        return STANDBY if self.is_waiting else self.channel.status

    @property
    def state(self) -> str:
        """Like `status`, but without names of people."""
        if self.channel is None:
            return REFUSED
        if self._followed.problem or self._problem:
            return RED
        return STANDBY if self.is_waiting else self.channel.state

    @property
    def is_waiting(self) -> bool:
        """Whether another node runs it now."""
        is_shared = self._context is not None and self._context.among is not None
        return is_shared and not self._has_turn

    @property
    def in_words(self) -> QuestionChannel | None:
        """What asks an agent's questions there now, None if nothing can."""
        return None if self.channel is None or self.is_waiting else self.channel.in_words

    def open(self, context: ChannelContext) -> None:
        """Build the channel if it is configured; `context` is what every channel gets."""
        self._context = context
        self._is_planned = self.is_wanted
        self.channel = self._built()

    async def announce(self, pending: PendingRequest) -> None:
        """Show a request's card on the channel.

        Raises:
            BadSettings: the channel is not working now; the card appears once it is.
        """
        if self.is_waiting:
            return  # the node that runs it shows it
        # Kept also where it is shown now: a channel that is rebuilt later shows what is still
        # open.
        self._held[pending.id] = pending
        while len(self._held) > HELD:
            del self._held[next(iter(self._held))]
        if self.channel is None:
            raise BadSettings(f"{self.name} is not available")
        await self.channel.announce(pending)

    async def update(self, pending: PendingRequest) -> None:
        """Update the card of a request to its present state."""
        if not pending.state.is_open:
            self._held.pop(pending.id, None)
        if self.channel is not None and not self.is_waiting:
            await self.channel.update(pending)

    def tell_soon(self, text: str) -> None:
        """Queue a notice from any thread; if the queue is full, the oldest is dropped."""
        self._to_tell.append(text)

    async def run(self) -> None:
        """Run the channel, and each rebuilt one after it, until cancelled."""
        while True:
            old = self.channel
            # Notices stop with the channel: they wait in the queue and are said by the next one.
            parts = () if old is None else (*self._parts_of(old), self._tellings)
            running = [asyncio.ensure_future(self._kept_up(part)) for part in parts]
            try:
                self.channel = await self._next()
            finally:
                for task in running:
                    task.cancel()
                # Before the files are closed: a part that still runs would open them again.
                await asyncio.gather(*running, return_exceptions=True)
            if old is not None:
                old.close()
            await self._take_over()

    def close(self) -> None:
        """Close the channel's files."""
        if self.channel is not None:
            self.channel.close()

    def _parts_of(self, channel: BuiltChannel) -> tuple[Part, ...]:
        """Return what runs of a channel: all of it, or only while this node has the lease."""
        context = self._context
        if context is None or context.among is None:
            return channel.parts
        lease = context.among.lease(f"{self.name}:{self._account()}")
        everything = AllRequests(channel, context.requests, context.among)
        return (partial(self._while_leased, lease, (*channel.parts, everything.run)),)

    async def _while_leased(self, lease: AccountLease, parts: tuple[Part, ...]) -> None:
        """Run parts whenever this node has the lease, until cancelled."""
        try:
            while True:
                if await lease.has():
                    log.info("%s: this node runs it now", self.name)
                    await self._while_held(lease, parts)
                    log.warning("%s: this node runs it no longer", self.name)
                await asyncio.sleep(KEEP_EVERY_S)
        finally:
            await lease.end()

    async def _while_held(self, lease: AccountLease, parts: tuple[Part, ...]) -> None:
        self._has_turn = True
        running = [asyncio.ensure_future(self._kept_up(part)) for part in parts]
        try:
            while await lease.has():
                await asyncio.sleep(KEEP_EVERY_S)
        finally:
            self._has_turn = False
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    async def _tellings(self) -> None:
        """Say what is to be said, until cancelled; what cannot be said now is not said later."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            while self._to_tell and self.channel is not None:
                try:
                    await self.channel.tell(self._to_tell.popleft())
                except SignoffError as error:
                    log.warning("%s: something was not said: %s", self.name, error)

    async def _next(self) -> BuiltChannel | None:
        """Wait until the settings are others, and return the channel built of them."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            # Looked first in any case, so that `problem` is of now also for a channel that is not
            # planned.
            if not self._followed.look() or not self._is_planned:
                continue
            if self._followed.settings is None:
                log.warning("%s: its file is gone; nobody is asked there", self.name)
                return None
            channel = self._built()
            if channel is not None:
                log.info("%s: rebuilt, its settings have changed", self.name)
                return channel

    def _built(self) -> BuiltChannel | None:
        """Build the channel; what cannot be built is told."""
        if self._context is None:
            return None
        try:
            channel = self._build(self._context)
        except SignoffError as error:
            self._problem = str(error)
            log.error("%s is not available: %s", self.name, error)
            return None
        self._problem = ""
        return channel

    async def _take_over(self) -> None:
        """Show what is open on a channel that is new."""
        channel = self.channel
        if channel is None:
            return
        for pending in tuple(self._held.values()):
            try:
                await channel.announce(pending)
            except SignoffError as error:
                log.warning("%s: a card waits: %s", self.name, error)

    async def _kept_up(self, run: Part) -> None:
        """Run a part of a channel again and again, until cancelled."""
        while True:
            try:
                await run()
                return
            except Exception as error:  # noqa: BLE001 - its own error; the daemon goes on
                # Texts of foreign errors carry addresses and tokens; ours do not.
                own = error if isinstance(error, SignoffError) else type(error).__name__
                log.error("%s has failed and is restarted: %s", self.name, own)
                await asyncio.sleep(RESTART_S)
