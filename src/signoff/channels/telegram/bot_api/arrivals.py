"""How updates arrive: polled for, or pushed to a webhook; each is dealt with once, in order.

The next poll confirms what the last one brought, so it is asked for only when all of that was
dealt with. An update that fails is tried three times, then passed over loudly. Two programs that
poll with one token take updates from each other: the status is red, and approving is paused until
this one has been alone for a while.

    poller = Poller(api, taker, link)
    await poller.run()
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from msgspec import Struct

from signoff.actions.action import Json
from signoff.channels.telegram.bot_api.client import BotApi, BotApiError
from signoff.channels.telegram.bot_api.updates import Update, read_updates
from signoff.channels.telegram.message_store import TelegramMessageStore
from signoff.errors import BadSettings, SignoffError, StoreError

log = logging.getLogger(__name__)

# Long enough to be no load, short enough for proxies that cut idle connections.
WAIT_S = 25
TRIES = 3
# More than two polls: another poller would have taken part by then.
ALONE_S = 60.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
SECRET_LIMITS = (16, 256)
PUSH_LIMIT = 1 << 20  # updates hold ids of files, never their bytes
# Telegram answers 401 or 404 for a token that is revoked or mistyped.
CONFLICT, UNKNOWN_BOT = 409, (401, 404)

Handle = Callable[[Update], Awaitable[None]]


class LinkState(StrEnum):
    """State of the connection to Telegram."""

    STARTING = "starting"
    CONNECTED = "connected"
    LOST = "lost"  # tried again and again
    CONFLICT = "conflict"  # somebody else polls with this token
    REFUSED = "refused"  # the token is not good


@dataclass(frozen=True, slots=True, kw_only=True)
class PushedTo:
    """The webhook Telegram sends updates to, in place of polling.

    Args:
        port: loopback port on which the proxy delivers them.
    """

    url: str
    secret: str = field(repr=False)
    port: int = 0


class Link(Struct):
    """Tracks the state of the connection to Telegram and its last error."""

    state: LinkState = LinkState.STARTING
    said: str = ""
    failures: int = 0
    # Never so far; a monotonic clock may begin at any value.
    conflict_at: float = float("-inf")
    alone_s: float = ALONE_S
    clock: Callable[[], float] = time.monotonic

    @property
    def is_paused(self) -> bool:
        """Whether approvals by this channel are paused."""
        return self.clock() - self.conflict_at < self.alone_s

    @property
    def problem(self) -> str:
        """What is wrong with the connection, "" if nothing."""
        # Said before "connected": the line may be fine again while approvals still wait.
        if self.is_paused:
            said = f" ({self.said})" if self.state is LinkState.CONFLICT else ""
            return f"another program takes this bot's updates: approving is paused{said}"
        if self.state in (LinkState.CONNECTED, LinkState.STARTING):
            return ""
        return self.said or self.state.value

    def worked(self) -> None:
        """Record that Telegram answered."""
        if self.state is LinkState.LOST:
            log.info("telegram: the connection is there again")
        self.state, self.said, self.failures = LinkState.CONNECTED, "", 0

    def failed(self, error: SignoffError) -> None:
        """Record a failure; the first of a series is logged as a warning."""
        code = error.code if isinstance(error, BotApiError) else 0
        if code == CONFLICT:
            self.conflict_at = self.clock()
        found = LinkState.CONFLICT if code == CONFLICT else LinkState.LOST
        found = LinkState.REFUSED if code in UNKNOWN_BOT else found
        # Once a change: a line that stays lost would fill the log.
        if found is not self.state:
            log.warning("telegram: %s", error)
        self.state, self.said = found, str(error)
        self.failures += 1


class Taker:
    """Handles each update once, even if it arrives again."""

    def __init__(self, store: TelegramMessageStore, handle: Handle) -> None:
        self._book, self._handle = store, handle
        self.given_up = 0

    async def take(self, update: Update) -> None:
        """Handle an update unless it was handled before.

        Raises:
            SignoffError: it must be tried again.
        """
        tries = self._book.begin(update.update_id)
        if not tries:
            return
        # Passed over rather than tried for ever: it would hold up every answer behind it.
        if tries > TRIES:
            self.given_up += 1
            log.error("telegram: an answer is passed over, it failed %d times", TRIES)
        else:
            await self._tried(update)
        self._book.done(update.update_id)

    async def _tried(self, update: Update) -> None:
        """Handle an update.

        Raises:
            SignoffError: it was not handled.
        """
        try:
            await self._handle(update)
        except SignoffError:
            raise
        except Exception as error:
            # Only the kind of error: texts of foreign errors carry addresses and tokens.
            raise StoreError(f"an answer failed: {type(error).__name__}") from error


class Poller:
    """Receives updates by long polling."""

    def __init__(
        self, api: BotApi, taker: Taker, link: Link, *, wait_s: int = WAIT_S, pause_s: float = 1.0
    ) -> None:
        self._api, self._taker, self._link = api, taker, link
        self._wait_s, self._pause_s = wait_s, pause_s
        self._offset = 0

    async def run(self) -> None:
        """Poll until cancelled."""
        while True:
            try:
                updates = await self._poll()
                self._link.worked()
                await self._deal_with(updates)
            except SignoffError as error:
                self._link.failed(error)
                await asyncio.sleep(self._wait_after(error))

    async def _poll(self) -> Sequence[Update]:
        """Return the updates received.

        Raises:
            BotApiError: the request failed.
        """
        result = await self._api.updates(self._offset, wait_s=self._wait_s)
        return read_updates(result, bot=self._api.token.bot_id)

    async def _deal_with(self, updates: Sequence[Update]) -> None:
        """Deal with updates in order; each that is done is confirmed by the next poll.

        Raises:
            SignoffError: one has to be tried again, and those after it wait.
        """
        for update in updates:
            await self._taker.take(update)
            # After it was handled, never before: what is confirmed is not delivered again.
            self._offset = update.update_id + 1

    def _wait_after(self, error: SignoffError) -> float:
        """Return how long to wait before the next try."""
        asked_s = error.retry_after_s if isinstance(error, BotApiError) else 0.0
        grown_s: float = FIRST_PAUSE_S * 2 ** min(self._link.failures - 1, 6)
        # What Telegram asks for is never shortened: whoever asks too soon is locked out for
        # longer.
        return max(asked_s, min(grown_s, LONGEST_PAUSE_S) * self._pause_s)


def check_secret(secret: str) -> None:
    """Raise if a webhook secret has a form that Telegram refuses.

    Raises:
        BadSettings: it has.
    """
    shortest, longest = SECRET_LIMITS
    is_plain = secret.isascii() and secret.replace("_", "").replace("-", "").isalnum()
    if not is_plain or not shortest <= len(secret) <= longest:
        raise BadSettings(
            f"a webhook needs a secret of {shortest} to {longest} letters, digits, `_` and `-`"
        )


class Webhook:
    """Receives pushed updates that carry the webhook secret.

    Raises:
        BadSettings: the secret is missing or has a form that Telegram refuses.
    """

    def __init__(self, secret: str, taker: Taker, *, bot: int) -> None:
        check_secret(secret)
        self._secret = secret.encode()
        self._taker, self._bot = taker, bot
        self._turn = asyncio.Lock()

    def is_secret(self, shown: bytes) -> bool:
        """Return whether this is the secret; compared in constant time."""
        return hmac.compare_digest(self._secret, shown)

    async def take(self, shown: bytes, body: bytes) -> int:
        """Handle a pushed update; return the HTTP status, 200 only once it is handled.

        Args:
            shown: the header `X-Telegram-Bot-Api-Secret-Token`, b"" if there is none.
        """
        # Before the length and the form: a stranger learns nothing from this port.
        if not self.is_secret(shown):
            return 401
        if len(body) > PUSH_LIMIT:
            return 413
        try:
            entry: Json = json.loads(body)
        except (ValueError, RecursionError):
            return 400
        updates = read_updates([entry], bot=self._bot)
        if not updates:
            return 400
        # One at a time: pushes arrive side by side, and answers count in order.
        async with self._turn:
            try:
                await self._taker.take(updates[0])
            except SignoffError as error:
                log.warning("telegram: an answer is to be pushed again: %s", error)
                return 500
        return 200
