"""The Telegram channel of the daemon: built of what is configured and what the daemon knows."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Protocol
from urllib.parse import urlsplit

from signoff.approvals import Approvals
from signoff.challenge.channels.telegram.arrivals import check_secret
from signoff.challenge.channels.telegram.channel import PushedTo, TelegramChannel, TelegramWays
from signoff.challenge.channels.telegram.client import BotApi
from signoff.challenge.channels.telegram.commands import CommandServices
from signoff.challenge.channels.telegram.reconciler import CHANNEL, Chat
from signoff.effects.store import RecordEntry
from signoff.errors import StoreError
from signoff.frontends.server.people.files.followed import Followed
from signoff.frontends.server.people.files.telegram import FILE, TelegramSettings, read_telegram
from signoff.frontends.server.people.reloadable import Part, ReloadableChannel
from signoff.frontends.server.people.webhook import serve_webhook
from signoff.redaction.redact import Redactor
from signoff.settings import Settings
from signoff.storage.chain import Head
from signoff.storage.installation import installation_key
from signoff.storage.locks.lock import EVERYTHING
from signoff.storage.locks.lock_file import LockFile
from signoff.storage.message_store.telegram import TelegramMessageFile
from signoff.wiring import build_costs, build_reply_reader, build_story

BOOK_FILE = "telegram.db"
WEBHOOK_PREFIX = b"signoff-webhook-v1\0"
NEVER_CUT = 1 << 40


class TelegramRecord(Protocol):
    """The record of decisions, to be read."""

    def entries(self, *, first: int = 1, last: int | None = None) -> Iterator[RecordEntry]:
        """Yield the entries from `first` to `last`, both included."""

    def head(self) -> Head:
        """Return the newest entry's number and hash."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramContext:
    """What the channel needs of the daemon.

    Args:
        status: what is in force, in lines.
    """

    settings: Settings
    approvals: Approvals
    record: TelegramRecord
    status: Callable[[], Sequence[str]]


def keep_telegram(
    settings: Settings,
) -> ReloadableChannel[TelegramSettings, TelegramChannel, TelegramContext]:
    """Return the channel as its file says, now and later."""
    folder = settings.config_dir
    followed = Followed(lambda: read_telegram(folder), os.path.join(folder, FILE))
    return ReloadableChannel(CHANNEL, followed, build=build_telegram, parts=_parts)


def _parts(found: TelegramSettings, channel: TelegramChannel) -> tuple[Part, ...]:
    """Return what runs: the channel, and what serves pushes where that was chosen."""
    webhook, pushed_to = channel.webhook, found.pushed_to
    if webhook is None or pushed_to is None:
        return (channel.run,)
    port, path = found.webhook_port, urlsplit(pushed_to.url).path
    return (channel.run, lambda: serve_webhook(webhook, port=port, path=path))


def build_telegram(found: TelegramSettings, known: TelegramContext) -> TelegramChannel:
    """Build the channel; nothing is sent before it runs.

    Raises:
        SignoffError: a key cannot be read, or a webhook has no secret.
    """
    settings, approvals = known.settings, known.approvals
    path = os.path.join(settings.state_dir, BOOK_FILE)
    mask = Redactor(installation_key(settings.key_file), text_limit=NEVER_CUT)
    chat = Chat(
        api=BotApi(found.api, found.token),
        terms=found.terms,
        book=TelegramMessageFile(path, bot=found.token.bot_id, chat=found.terms.chat),
        requests=approvals.requests,
        approval_service=approvals.approval_service,
        mask=mask.text,
        witness=lambda: _witness(known.record),
        groups=lambda pending: approvals.plan.groups_at(
            approvals.requests.moment().since(pending.created)
        ),
    )
    ways = TelegramWays(
        summary=build_story(settings, known.record),
        reader=build_reply_reader(settings),
        office=_office(known),
        pushed_to=_of_this_start(found.pushed_to, approvals.seal.key),
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


def _office(known: TelegramContext) -> CommandServices:
    """Return what commands show and do."""
    costs = build_costs(known.settings)
    locks = LockFile(known.settings.locks_file)

    def cost() -> Sequence[str]:
        today, month = costs.today(), costs.this_month()
        return (
            f"today {today.calls} calls, {today.cents:.2f} cents",
            f"this month {month.calls} calls, {month.cents:.2f} cents",
        )

    def lock(by: str) -> str:
        since = datetime.now(UTC).isoformat(timespec="seconds")
        locks.add(replace(EVERYTHING, since=since, by=by))
        return "everything is refused from now on; `signoff unlock` on the machine lifts it"

    return CommandServices(
        status=known.status,
        cost=cost,
        policies=known.approvals.policies.listed,
        lock=lock,
        mode=known.approvals.switch,
        directory=known.approvals.directory,
    )


def _witness(record: TelegramRecord) -> str:
    """Return the newest checkpoint of the record: its size and the start of its hash."""
    try:
        head = record.head()
    except StoreError:
        return ""
    return f"{head.seq:,} entries, {head.hash.hex()[:16]}" if head.seq else ""
