"""`slack.yaml` in the configuration folder: which app asks, in which conversation, and whom.

    version: 1
    conversation: C0123456789
    users: [U0123ABCD, U0456EFGH]      # asked there; who may answer, the approvers say
    bot_token_file: slack.bot-token    # xoxb-..., beside this file, for its owner only
    app_token_file: slack.app-token    # xapp-..., the same
    api: https://slack.com/api

The tokens stand in files of their own; what others may read is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import yaml

from signoff.assess.rules.notation.document import text_of
from signoff.challenge.outbound.endpoint import OutboundEndpoint
from signoff.channels.settings_file import (
    ChannelFileSchema,
    Section,
    read_channel,
)
from signoff.channels.slack.web_api import BASE_URL

BOT_TOKEN_FILE, APP_TOKEN_FILE = "slack.bot-token", "slack.app-token"
FILE = "slack.yaml"
FORM = ChannelFileSchema(
    file=FILE,
    what="slack",
    keys=("version", "conversation", "users", "bot_token_file", "app_token_file", "api"),
    needed=("conversation", "users"),
)
ID_LIMIT = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackSettings:
    """What is configured.

    Args:
        files: those that say it.
    """

    bot_token: str = field(repr=False)
    app_token: str = field(repr=False)
    conversation: str
    users: tuple[str, ...]
    api: OutboundEndpoint
    files: tuple[str, ...] = ()


def read_slack(config_dir: str) -> SlackSettings | None:
    """Read the file, None if there is none.

    Raises:
        BadSettings: it, or a file it names, is refused.
    """
    return read_channel(config_dir, FORM, _settings)


def _settings(said: Section) -> SlackSettings:
    return SlackSettings(
        bot_token=said.secret("bot_token_file", BOT_TOKEN_FILE),
        app_token=said.secret("app_token_file", APP_TOKEN_FILE),
        conversation=_id(said, said.nodes["conversation"], "conversation"),
        users=tuple(_id(said, user, "user") for user in said.items("users")),
        api=said.address("api", BASE_URL),
        files=tuple(said.files),
    )


def _id(said: Section, node: yaml.Node, what: str) -> str:
    """Read an id; names like `#general` can change hands and are not taken."""
    text = text_of(node, said.place, what=what, limit=ID_LIMIT)
    if not (text.isascii() and text.isalnum() and text.isupper()):
        raise said.place.refuse(f"{what}: expected an id like `C0123456789`, got `{text}`", node)
    return text
