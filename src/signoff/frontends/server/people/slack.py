"""The Slack channel of the daemon: built of what is configured and what the daemon knows."""

from __future__ import annotations

from signoff.challenge.channels.slack.channel import SlackChannel, SlackPlace
from signoff.challenge.channels.slack.web_api import SlackApi
from signoff.effects.redact import Redactor
from signoff.frontends.server.people.slack_file import SlackSettings
from signoff.frontends.server.people.telegram import NEVER_CUT, Known
from signoff.storage.installation import installation_key
from signoff.wiring import build_story


def build_slack(found: SlackSettings, known: Known) -> SlackChannel:
    """Build the channel; nothing is sent before it runs.

    Raises:
        SignoffError: a key cannot be read, or what Socket Mode takes is not installed.
    """
    mask = Redactor(installation_key(known.settings.key_file), text_limit=NEVER_CUT)
    place = SlackPlace(
        api=SlackApi(bot_token=found.bot_token, app_token=found.app_token, endpoint=found.api),
        conversation=found.conversation,
        mask=mask.text,
        summary=build_story(known.settings, known.record),
        users=found.users,
    )
    return SlackChannel(place, desk=known.approvals.desk, requests=known.approvals.requests)
