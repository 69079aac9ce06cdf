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

import os
from dataclasses import dataclass, field
from typing import Annotated

import msgspec
from msgspec import Meta

from signoff.challenge.outbound.endpoint import OutboundEndpoint
from signoff.channels.settings_file import read_channel, read_private
from signoff.channels.slack.web_api import BASE_URL
from signoff.documents.convert import FormatVersion
from signoff.documents.node import FileForm
from signoff.errors import BadSettings

FILE = "slack.yaml"
BOT_TOKEN_FILE, APP_TOKEN_FILE = "slack.bot-token", "slack.app-token"
FORM = FileForm(what="slack", expected="`conversation` and `users`", error=BadSettings)
# Names like `#general` can change hands and are not taken.
Id = Annotated[
    str, Meta(max_length=50, pattern=r"\A[A-Z0-9]+\Z", description="an id like `C0123456789`")
]
FileName = Annotated[str, Meta(max_length=1_000)]


class SlackFile(msgspec.Struct, frozen=True, kw_only=True):
    """The content of `slack.yaml`."""

    version: FormatVersion = 1
    conversation: Id
    users: tuple[Id, ...]
    bot_token_file: FileName = BOT_TOKEN_FILE
    app_token_file: FileName = APP_TOKEN_FILE
    api: OutboundEndpoint = OutboundEndpoint.parse(BASE_URL)


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackSettings:
    """The settings of the Slack channel.

    Args:
        files: paths they were read from.
    """

    bot_token: str = field(repr=False)
    app_token: str = field(repr=False)
    conversation: str
    users: tuple[str, ...]
    api: OutboundEndpoint
    files: tuple[str, ...] = ()


def read_slack(config_dir: str) -> SlackSettings | None:
    """Read the settings file; None if it does not exist.

    Raises:
        BadSettings: it, or a file it names, is not valid.
    """
    said = read_channel(config_dir, FILE, SlackFile, FORM)
    if said is None:
        return None
    bot, app = (os.path.join(config_dir, one) for one in (said.bot_token_file, said.app_token_file))
    return SlackSettings(
        bot_token=read_private(bot),
        app_token=read_private(app),
        conversation=said.conversation,
        users=said.users,
        api=said.api,
        files=(os.path.join(config_dir, FILE), bot, app),
    )
