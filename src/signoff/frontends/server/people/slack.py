"""The Slack channel of the daemon: built of what is configured and what the daemon knows."""

from __future__ import annotations

import os

from signoff.challenge.channels.slack.channel import SlackChannel
from signoff.challenge.channels.slack.reconciler import CHANNEL, SlackPlace
from signoff.challenge.channels.slack.web_api import SlackApi
from signoff.frontends.server.people.files.followed import Followed
from signoff.frontends.server.people.files.slack import FILE, SlackSettings, read_slack
from signoff.frontends.server.people.reloadable import ReloadableChannel
from signoff.frontends.server.people.telegram import NEVER_CUT, TelegramContext
from signoff.redaction.redact import Redactor
from signoff.settings import Settings
from signoff.storage.installation import installation_key
from signoff.storage.message_store.slack import SlackMessageFile
from signoff.wiring import build_reply_reader, build_story

BOOK_FILE = "slack.db"


def keep_slack(
    settings: Settings,
) -> ReloadableChannel[SlackSettings, SlackChannel, TelegramContext]:
    """Return the channel as its file says, now and later."""
    folder = settings.config_dir
    followed = Followed(lambda: read_slack(folder), os.path.join(folder, FILE))
    return ReloadableChannel(
        CHANNEL, followed, build=build_slack, parts=lambda _, channel: (channel.run,)
    )


def build_slack(found: SlackSettings, known: TelegramContext) -> SlackChannel:
    """Build the channel; nothing is sent before it runs.

    Raises:
        SignoffError: a key cannot be read, or what Socket Mode takes is not installed.
    """
    mask = Redactor(installation_key(known.settings.key_file), text_limit=NEVER_CUT)
    settings, approvals = known.settings, known.approvals
    place = SlackPlace(
        api=SlackApi(bot_token=found.bot_token, app_token=found.app_token, endpoint=found.api),
        conversation=found.conversation,
        book=SlackMessageFile(
            os.path.join(settings.state_dir, BOOK_FILE), conversation=found.conversation
        ),
        requests=approvals.requests,
        approval_service=approvals.approval_service,
        mask=mask.text,
        summary=build_story(known.settings, known.record),
        reader=build_reply_reader(settings),
        users=found.users,
        groups=lambda pending: approvals.plan.groups_at(
            approvals.requests.moment().since(pending.created)
        ),
    )
    return SlackChannel(place)
