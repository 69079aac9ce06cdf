"""A channel of the daemon that is kept as its file says: rebuilt, at once, when that changes.

The new channel is built before the old one is let go, so what cannot be built changes nothing and
is told. What is still open is shown by the new one as well. Who is asked is planned once: what was
not configured when the daemon began is asked from its next beginning on, and that is told, too. A
part of a channel that fails is restarted: its end must not be the daemon's.

    kept = Kept("telegram", Followed(...), build=build, parts=parts)
    kept.open(known)
    await kept.run()
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Generic, Protocol, TypeVar

from signoff.challenge.channel import PushChannel
from signoff.challenge.pending import PendingRequest
from signoff.errors import BadSettings, SignoffError
from signoff.frontends.server.people.files.followed import ChannelSettings, Followed

log = logging.getLogger(__name__)

LOOK_EVERY_S = 0.4
RESTART_S = 5.0
HELD = 500
NEW = "its file is there since the daemon began: `signoff down`, then `signoff up`"
TOLD_LIMIT = 20


class BuiltChannel(PushChannel, Protocol):
    """A channel with what it holds."""

    @property
    def problem(self) -> str:
        """What is wrong with it, "" if nothing is."""

    async def tell(self, text: str) -> None:
        """Say something to everybody there.

        Raises:
            SignoffError: it was not said.
        """

    def close(self) -> None:
        """Let go of its files."""


S = TypeVar("S", bound=ChannelSettings)
C = TypeVar("C", bound=BuiltChannel)
K = TypeVar("K")
Part = Callable[[], Awaitable[None]]


class ReloadableChannel(Generic[S, C, K]):
    """One channel, under one name, whatever it is built of at the moment.

    Args:
        build: makes the channel of settings and what is known; nothing is sent before it runs.
        parts: what runs of it, side by side.
    """

    def __init__(
        self,
        name: str,
        followed: Followed[S],
        *,
        build: Callable[[S, K], C],
        parts: Callable[[S, C], tuple[Part, ...]],
    ) -> None:
        self.name = name
        self.channel: C | None = None
        self._followed, self._build, self._parts = followed, build, parts
        self._known: K | None = None
        self._is_planned = False
        self._problem = ""
        self._held: dict[str, PendingRequest] = {}
        self._to_tell: deque[str] = deque(maxlen=TOLD_LIMIT)

    @property
    def is_wanted(self) -> bool:
        """Whether it is configured, well or not."""
        return self._followed.settings is not None or bool(self._followed.problem)

    @property
    def problem(self) -> str:
        """What is wrong with it, "" if nothing is; holds no secret."""
        if self.is_wanted and not self._is_planned:
            return NEW
        own = self._followed.problem or self._problem
        return own or ("" if self.channel is None else self.channel.problem)

    def open(self, known: K) -> None:
        """Build the channel, if it is configured."""
        self._known, settings = known, self._followed.settings
        self._is_planned = self.is_wanted
        self.channel = None if settings is None else self._built(settings)

    async def announce(self, pending: PendingRequest) -> None:
        """Show the card.

        Raises:
            BadSettings: there is no channel now; it is shown as soon as there is one.
        """
        self._held[pending.id] = pending
        while len(self._held) > HELD:
            del self._held[next(iter(self._held))]
        if self.channel is None:
            raise BadSettings(f"{self.name} is not available")
        await self.channel.announce(pending)

    async def update(self, pending: PendingRequest) -> None:
        """Bring the card up to date."""
        if not pending.state.is_open:
            self._held.pop(pending.id, None)
        if self.channel is not None:
            await self.channel.update(pending)

    def tell_soon(self, text: str) -> None:
        """Have something said to everybody there, from whatever thread; the oldest goes first."""
        self._to_tell.append(text)

    async def run(self) -> None:
        """Run the channel, and the one after it, until cancelled."""
        while True:
            settings, old = self._followed.settings, self.channel
            parts: tuple[Part, ...] = ()
            if settings is not None and old is not None:
                parts = (*self._parts(settings, old), self._tellings)
            running = [asyncio.ensure_future(self._kept_up(part)) for part in parts]
            try:
                self.channel = await self._next()
            finally:
                for task in running:
                    task.cancel()
                await asyncio.gather(*running, return_exceptions=True)
            if old is not None:
                old.close()
            await self._take_over()

    def close(self) -> None:
        """Let go of the channel's files."""
        if self.channel is not None:
            self.channel.close()

    async def _tellings(self) -> None:
        """Say what is to be said, until cancelled; what cannot be said now is not said later."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            while self._to_tell and self.channel is not None:
                try:
                    await self.channel.tell(self._to_tell.popleft())
                except SignoffError as error:
                    log.warning("%s: something was not said: %s", self.name, error)

    async def _next(self) -> C | None:
        """Wait until the settings are others, and return the channel built of them."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            if not self._followed.look() or not self._is_planned:
                continue
            settings = self._followed.settings
            if settings is None:
                log.warning("%s: its file is gone; nobody is asked there", self.name)
                return None
            channel = self._built(settings)
            if channel is not None:
                log.info("%s: rebuilt, its settings have changed", self.name)
                return channel

    def _built(self, settings: S) -> C | None:
        """Build the channel; what cannot be built is told."""
        if self._known is None:
            return None
        try:
            channel = self._build(settings, self._known)
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
