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

import yaml

from signoff.assess.rules.notation.document import text_of
from signoff.challenge.outbound.endpoint import OutboundEndpoint
from signoff.channels.settings_file import (
    FILE_LIMIT,
    ChannelFileSchema,
    Section,
    read_channel,
    write_private,
)
from signoff.channels.telegram.bot_api.arrivals import PushedTo
from signoff.channels.telegram.bot_api.client import API_URL, BotToken
from signoff.channels.telegram.bot_api.updates import Terms
from signoff.errors import BadSettings
from signoff.storage.text_file import read_text

FILE = "telegram.yaml"
TOKEN_FILE = "telegram.token"  # noqa: S105 - the name of a file
FORM = ChannelFileSchema(
    file=FILE,
    what="telegram",
    keys=("version", "api", "token_file", "chat", "users", "webhook"),
    needed=("chat", "users"),
    hint="; `signoff telegram setup`",
)
WEBHOOK_KEYS = ("url", "port", "secret_file")
PORTS = (1_024, 65_535)
LARGEST_ID = 1 << 52  # what Telegram says of its ids


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramSettings:
    """What is configured.

    Args:
        pushed_to: None = long polling.
        files: those that say it.
    """

    token: BotToken = field(repr=False)
    terms: Terms
    api: OutboundEndpoint
    pushed_to: PushedTo | None = None
    files: tuple[str, ...] = ()


def read_telegram(config_dir: str) -> TelegramSettings | None:
    """Read the file, None if there is none.

    Raises:
        BadSettings: it, or a file it names, is refused.
    """
    return read_channel(config_dir, FORM, _settings)


def write_telegram(config_dir: str, token: BotToken, terms: Terms, *, api: str = API_URL) -> str:
    """Write token and file, for their owner only; return the file's path.

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
    path = os.path.join(config_dir, FILE)
    write_private(os.path.join(config_dir, TOKEN_FILE), f"{token.value}\n")
    write_private(path, yaml.safe_dump(said, sort_keys=False))
    return path


def add_user(config_dir: str, user: int) -> None:
    """Add a person to those listened to; everything else the file says stays.

    Raises:
        BadSettings: there is no good file, or it cannot be written.
    """
    found = read_telegram(config_dir)
    path = os.path.join(config_dir, FILE)
    text = read_text(path, limit=FILE_LIMIT)
    if found is None or text is None:
        raise BadSettings("there is no bot yet: `signoff telegram setup`")
    said = {**yaml.safe_load(text), "users": sorted(found.terms.users | {user})}
    write_private(path, yaml.safe_dump(said, sort_keys=False))


def _settings(said: Section) -> TelegramSettings:
    users = frozenset(_id(said, user, "user", lowest=1) for user in said.items("users"))
    return TelegramSettings(
        token=BotToken.parse(said.secret("token_file", TOKEN_FILE)),
        terms=Terms(chat=_id(said, said.nodes["chat"], "chat"), users=users),
        api=said.address("api", API_URL),
        pushed_to=_webhook(said.part("webhook", WEBHOOK_KEYS)),
        files=tuple(said.files),
    )


def _webhook(said: Section | None) -> PushedTo | None:
    """Read where updates are pushed to; without a secret it is refused."""
    if said is None:
        return None
    url = said.text("url", limit=500)
    if not url.startswith("https://"):
        raise said.place.refuse("url: expected `https://...`", said.nodes["url"])
    port = _id(said, said.nodes["port"], "port", lowest=PORTS[0], highest=PORTS[1])
    return PushedTo(url=url, secret=said.secret("secret_file"), port=port)


def _id(
    said: Section,
    node: yaml.Node,
    what: str,
    *,
    lowest: int = -LARGEST_ID,
    highest: int = LARGEST_ID,
) -> int:
    """Read a number; names like `@ada` can change hands and are not taken."""
    text = text_of(node, said.place, what=what, limit=20)
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or not lowest <= int(text) <= highest:
        raise said.place.refuse(f"{what}: expected a numeric id, got `{text}`", node)
    return int(text)
