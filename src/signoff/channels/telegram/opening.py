"""Opens Telegram: the channel as `telegram.yaml` says, now and later."""

from __future__ import annotations

import hashlib
import hmac
import os

from signoff.channels.context import ChannelContext
from signoff.channels.followed import Followed
from signoff.channels.reloadable import ReloadableChannel
from signoff.channels.telegram.bot_api.arrivals import PushedTo, check_secret
from signoff.channels.telegram.bot_api.client import BotApi
from signoff.channels.telegram.channel import TelegramChannel, TelegramWays
from signoff.channels.telegram.message_store import TelegramMessageStore
from signoff.channels.telegram.reconciler import CHANNEL, Chat
from signoff.channels.telegram.setup.settings import FILE, TelegramSettings, read_telegram
from signoff.values import replace

STORE_FILE = "telegram.db"
WEBHOOK_PREFIX = b"signoff-webhook-v1\0"


def open_telegram(config_dir: str) -> ReloadableChannel:
    """Return the channel as its file says, now and later."""
    followed = Followed(lambda: read_telegram(config_dir), os.path.join(config_dir, FILE))
    return ReloadableChannel(CHANNEL, followed, build=build_telegram)


def build_telegram(found: TelegramSettings, context: ChannelContext) -> TelegramChannel:
    """Build the channel; nothing is sent before it runs.

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
    )
    ways = TelegramWays(
        summary=context.summary,
        reader=context.reader,
        office=context.services,
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
