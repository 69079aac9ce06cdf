"""The Telegram channel: cards out, answers in, while it runs.

`open_telegram` builds it as `telegram.yaml` says, now and later.

    channel = TelegramChannel(chat, TelegramWays(summary=summary))
    task = asyncio.create_task(channel.run())
    await channel.announce(pending)
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import os
from urllib.parse import urlsplit

from msgspec import Struct, field

from signoff.actions.action import Json
from signoff.challenge.pending import PendingRequest
from signoff.challenge.replies import ReplyReader
from signoff.channels.context import CARD_ONLY, ChannelContext, CommandServices, SessionSummary
from signoff.channels.followed import Followed
from signoff.channels.reloadable import Part, ReloadableChannel
from signoff.channels.telegram.answers import TelegramAnswerHandler
from signoff.channels.telegram.bot_api.arrivals import (
    WAIT_S,
    Link,
    Poller,
    PushedTo,
    Taker,
    Webhook,
    check_secret,
)
from signoff.channels.telegram.bot_api.client import ALLOWED, BotApi
from signoff.channels.telegram.bot_api.webhook import serve_webhook
from signoff.channels.telegram.cards import escape_invisible
from signoff.channels.telegram.commands import Commands
from signoff.channels.telegram.intake import Intake
from signoff.channels.telegram.message_store import TelegramMessageStore
from signoff.channels.telegram.questions import TelegramQuestions
from signoff.channels.telegram.reconciler import (
    CHANNEL,
    LOOK_EVERY_S,
    Chat,
    TelegramCardReconciler,
)
from signoff.channels.telegram.settings import FILE, TelegramSettings, read_telegram
from signoff.errors import SignoffError
from signoff.values import replace

log = logging.getLogger(__name__)

SETUP_PAUSE_S = 5.0
TOLD_LIMIT = 1_000  # characters

STORE_FILE = "telegram.db"
WEBHOOK_PREFIX = b"signoff-webhook-v1\0"


class TelegramWays(Struct, frozen=True, kw_only=True):
    """How the channel receives updates.

    Args:
        pushed_to: the webhook; None = long polling.
        pause_s: factor on pauses after failures; tests make them short.
    """

    summary: SessionSummary = CARD_ONLY
    reader: ReplyReader | None = None
    services: CommandServices = field(default_factory=CommandServices)
    pushed_to: PushedTo | None = None
    wait_s: int = WAIT_S
    pause_s: float = 1.0
    look_every_s: float = LOOK_EVERY_S


class TelegramChannel:
    """Asks people in one Telegram chat.

    Raises:
        BadSettings: a webhook has no secret.
    """

    name = CHANNEL

    def __init__(self, chat: Chat, ways: TelegramWays, *, link: Link | None = None) -> None:
        self.link = link or Link()
        self._chat, self._ways = chat, ways
        self._bot_name = ""
        self._reconciler = TelegramCardReconciler(chat, look_every_s=ways.look_every_s)
        self.in_words = TelegramQuestions(chat)
        answers = TelegramAnswerHandler(
            chat,
            self._reconciler,
            is_paused=lambda: self.link.is_paused,
            summary=ways.summary,
            reader=ways.reader,
        )
        commands = Commands(chat, ways.services, bot_name=lambda: self._bot_name)
        self._intake = Intake(
            chat,
            self._reconciler,
            answers=answers,
            questions=self.in_words,
            commands=commands,
            bot_name=lambda: self._bot_name,
        )
        self._taker = Taker(chat.store, self._intake.handle)
        self.webhook: Webhook | None = None
        if ways.pushed_to is not None:
            self.webhook = Webhook(ways.pushed_to.secret, self._taker, bot=chat.api.token.bot_id)

    @property
    def problem(self) -> str:
        """What is wrong with this channel, "" if nothing is; holds no secret."""
        return self.link.problem or self._reconciler.problem

    @property
    def status(self) -> str:
        """State of the connection in one word, and the bot's name."""
        bot = f" as @{self._bot_name}" if self._bot_name else ""
        refused = f", {self._intake.refused} refused" if self._intake.refused else ""
        lost = f", {self._taker.given_up} passed over" if self._taker.given_up else ""
        return f"{self.link.state.value}{bot}{refused}{lost}"

    @property
    def state(self) -> str:
        """State of the connection, without names."""
        return "red" if self.problem else self.link.state.value

    @property
    def parts(self) -> tuple[Part, ...]:
        """Return the coroutines that must run side by side."""
        webhook, pushed_to = self.webhook, self._ways.pushed_to
        if webhook is None or pushed_to is None:
            return (self.run,)
        path = urlsplit(pushed_to.url).path
        return (self.run, lambda: serve_webhook(webhook, port=pushed_to.port, path=path))

    def close(self) -> None:
        """Close the message store."""
        self._chat.store.close()

    async def announce(self, pending: PendingRequest) -> None:
        """Queue a request's card to be shown; returns at once."""
        self._reconciler.show_soon(pending)

    async def update(self, pending: PendingRequest) -> None:
        """Queue a request's card to be updated; returns at once."""
        self._reconciler.name(pending.id)

    async def tell(self, text: str) -> None:
        """Send a notice to the chat.

        Raises:
            SignoffError: it was not sent.
        """
        await self._chat.say(escape_invisible(self._chat.mask(text))[:TOLD_LIMIT])

    async def run(self) -> None:
        """Send and receive until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._reconciler.run())
            group.create_task(self._arrivals())

    async def _arrivals(self) -> None:
        """Learn who the bot is, then take updates in the way that was chosen."""
        while not await self._is_set_up():
            await asyncio.sleep(SETUP_PAUSE_S * self._ways.pause_s)
        if self._ways.pushed_to is None:
            ways = self._ways
            poller = Poller(
                self._chat.api, self._taker, self.link, wait_s=ways.wait_s, pause_s=ways.pause_s
            )
            await poller.run()

    async def _is_set_up(self) -> bool:
        """Tell whether the bot is known, and pushed to where that was chosen."""
        try:
            bot = await self._chat.api.call("getMe", {})
            name = bot.get("username") if isinstance(bot, dict) else None
            self._bot_name = name if isinstance(name, str) and name.isidentifier() else ""
            await self._set_way()
        except SignoffError as error:
            self.link.failed(error)
            return False
        return True

    async def _set_way(self) -> None:
        """Have updates pushed, or take back that this program once had them pushed.

        What another program has set is left as it is: that is a conflict, which is told.

        Raises:
            SignoffError: Telegram or the store cannot be reached.
        """
        store, pushed_to = self._chat.store, self._ways.pushed_to
        if pushed_to is not None:
            store.note_push(pushed_to.url)
            await self._chat.api.call("setWebhook", _webhook(pushed_to))
            self.link.worked()
        elif store.pushed_to():
            await self._chat.api.call("deleteWebhook", {"drop_pending_updates": False})
            store.note_push("")


def _webhook(pushed_to: PushedTo) -> dict[str, Json]:
    return {
        "url": pushed_to.url,
        "secret_token": pushed_to.secret,
        "allowed_updates": [*ALLOWED],
        "max_connections": 1,
    }


def open_telegram(config_dir: str) -> ReloadableChannel:
    """Build the Telegram channel; it follows its settings file in `config_dir`."""
    followed = Followed(lambda: read_telegram(config_dir), os.path.join(config_dir, FILE))
    return ReloadableChannel(
        CHANNEL, followed, build=build_telegram, account=lambda found: str(found.token.bot_id)
    )


def build_telegram(found: TelegramSettings, context: ChannelContext) -> TelegramChannel:
    """Build the channel from its settings; nothing is sent before it runs.

    Raises:
        SignoffError: a webhook has no secret.
    """
    path = os.path.join(context.state_dir, STORE_FILE)
    chat = Chat(
        api=BotApi(found.api, found.token),
        terms=found.terms,
        store=TelegramMessageStore(path, bot=found.token.bot_id, chat=found.terms.chat),
        requests=context.requests,
        approval_service=context.approval_service,
        mask=context.mask,
        witness=context.witness,
        groups=context.groups,
        page_link=context.page_link,
    )
    ways = TelegramWays(
        summary=context.summary,
        reader=context.reader,
        services=context.services,
        pushed_to=_of_this_start(found.pushed_to, context.key),
    )
    return TelegramChannel(chat, ways)


def _of_this_start(pushed_to: PushedTo | None, key: bytes) -> PushedTo | None:
    """Return where updates are pushed to, with a secret that no file holds.

    Telegram is told it at each start; whoever reads the file cannot push answers of their own.

    Raises:
        BadSettings: the secret in the file is not good.
    """
    if pushed_to is None:
        return None
    check_secret(pushed_to.secret)
    mixed = hmac.new(key, WEBHOOK_PREFIX + pushed_to.secret.encode(), hashlib.sha256)
    return replace(pushed_to, secret=mixed.hexdigest())
