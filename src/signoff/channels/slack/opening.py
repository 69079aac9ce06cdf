"""Opens Slack: the channel as `slack.yaml` says, now and later."""

from __future__ import annotations

import os

from signoff.channels.context import ChannelContext
from signoff.channels.followed import Followed
from signoff.channels.reloadable import ReloadableChannel
from signoff.channels.slack.channel import SlackChannel
from signoff.channels.slack.client import CHANNEL, SlackClient
from signoff.channels.slack.settings import FILE, SlackSettings, read_slack
from signoff.channels.slack.web_api import SlackApi
from signoff.channels.threads.message_store import ThreadStore
from signoff.channels.threads.reconciler import ThreadPlace

STORE_FILE = "slack.db"


def open_slack(config_dir: str) -> ReloadableChannel:
    """Return the channel as its file says, now and later."""
    followed = Followed(lambda: read_slack(config_dir), os.path.join(config_dir, FILE))
    return ReloadableChannel(CHANNEL, followed, build=build_slack)


def build_slack(found: SlackSettings, context: ChannelContext) -> SlackChannel:
    """Build the channel; nothing is sent before it runs.

    Raises:
        SignoffError: what Socket Mode takes is not installed.
    """
    client = SlackClient(
        api=SlackApi(bot_token=found.bot_token, app_token=found.app_token, endpoint=found.api),
        conversation=found.conversation,
        mask=context.mask,
    )
    path = os.path.join(context.state_dir, STORE_FILE)
    place = ThreadPlace(
        channel=CHANNEL,
        client=client,
        store=ThreadStore(path, conversation=found.conversation),
        context=context,
        users=found.users,
    )
    return SlackChannel(place, client)
