"""`telegram.yaml` in the configuration folder: which bot asks, in which chat, and who may answer.

    version: 1
    token_file: telegram.token       # beside this file, for its owner only
    chat: 4711
    users: [4711, 42]
    api: https://api.telegram.org
    webhook: {url: https://example.org/telegram, port: 8443, secret_file: telegram.secret}

The token and the webhook's secret stand in files of their own; what others may read is refused.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Annotated

import msgspec
from msgspec import Meta

from signoff.challenge.outbound.endpoint import OutboundEndpoint
from signoff.channels.settings_file import (
    read_channel,
    read_private,
    replace_users,
    write_channel,
    write_private,
)
from signoff.channels.telegram.bot_api.arrivals import PushedTo
from signoff.channels.telegram.bot_api.client import API_URL, BotToken
from signoff.channels.telegram.bot_api.updates import Terms
from signoff.documents.convert import FormatVersion
from signoff.documents.node import FileForm
from signoff.errors import BadSettings

FILE = "telegram.yaml"
TOKEN_FILE = "telegram.token"  # noqa: S105 - the name of a file
FORM = FileForm(
    what="telegram",
    expected="`chat` and `users`",
    error=BadSettings,
    hint="; `signoff telegram setup`",
)
LARGEST_ID = 1 << 52  # what Telegram says of its ids
# Names like `@ada` can change hands and are not taken.
ChatId = Annotated[int, Meta(ge=-LARGEST_ID, le=LARGEST_ID, description="a numeric id")]
UserId = Annotated[int, Meta(ge=1, le=LARGEST_ID, description="a numeric id")]
HttpsUrl = Annotated[str, Meta(max_length=500, pattern=r"\Ahttps://", description="`https://...`")]
FileName = Annotated[str, Meta(max_length=1_000)]


class WebhookSection(msgspec.Struct, frozen=True, kw_only=True):
    """The section `webhook`: where Telegram pushes updates to; it needs a secret.

    Args:
        port: loopback port to which a proxy forwards them.
    """

    url: HttpsUrl
    port: Annotated[int, Meta(ge=1_024, le=65_535)]
    secret_file: FileName


class TelegramFile(msgspec.Struct, frozen=True, kw_only=True):
    """The content of `telegram.yaml`."""

    version: FormatVersion = 1
    api: OutboundEndpoint = OutboundEndpoint.parse(API_URL)
    token_file: FileName = TOKEN_FILE
    chat: ChatId
    users: tuple[UserId, ...]
    webhook: WebhookSection | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramSettings:
    """The settings of the Telegram channel.

    Args:
        pushed_to: the webhook; None = long polling.
        files: paths they were read from.
    """

    token: BotToken = field(repr=False)
    terms: Terms
    api: OutboundEndpoint
    pushed_to: PushedTo | None = None
    files: tuple[str, ...] = ()


def read_telegram(config_dir: str) -> TelegramSettings | None:
    """Read the settings file; None if it does not exist.

    Raises:
        BadSettings: it, or a file it names, is not valid.
    """
    said = read_channel(config_dir, FILE, TelegramFile, FORM)
    if said is None:
        return None
    token, webhook = os.path.join(config_dir, said.token_file), said.webhook
    files, pushed_to = [os.path.join(config_dir, FILE), token], None
    if webhook is not None:
        files.append(os.path.join(config_dir, webhook.secret_file))
        secret = read_private(files[-1])
        pushed_to = PushedTo(url=webhook.url, secret=secret, port=webhook.port)
    return TelegramSettings(
        token=BotToken.parse(read_private(token)),
        terms=Terms(chat=said.chat, users=frozenset(said.users)),
        api=said.api,
        pushed_to=pushed_to,
        files=tuple(files),
    )


def write_telegram(config_dir: str, token: BotToken, terms: Terms, *, api: str = API_URL) -> str:
    """Write the token and the settings file, readable by their owner only; return its path.

    Raises:
        BadSettings: they cannot be written.
    """
    said = {
        "version": 1,
        "token_file": TOKEN_FILE,
        "chat": terms.chat,
        "users": sorted(terms.users),
        "api": api,
    }
    write_private(os.path.join(config_dir, TOKEN_FILE), f"{token.value}\n")
    return write_channel(config_dir, FILE, said)


def add_user(config_dir: str, user: int) -> None:
    """Add a user id to the settings file; the rest stays as it is.

    Raises:
        BadSettings: the file is missing or not valid, or cannot be written.
    """
    found = read_telegram(config_dir)
    if found is None:
        raise BadSettings("there is no bot yet: `signoff telegram setup`")
    replace_users(config_dir, FILE, sorted(found.terms.users | {user}))
