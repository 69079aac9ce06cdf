"""The Slack channel: cards out over the Web API, answers in over Socket Mode, while it runs.

`open_slack` builds it as `slack.yaml` says, now and later.

    channel = SlackChannel(place, client)
    task = asyncio.create_task(channel.run())
    await channel.announce(pending)
"""

from __future__ import annotations

import asyncio
import os
from functools import partial

from signoff.actions.action import Json
from signoff.challenge.pending import PendingRequest
from signoff.channels.context import ChannelContext
from signoff.channels.followed import Followed
from signoff.channels.reloadable import Part, ReloadableChannel
from signoff.channels.slack.answers import SlackAnswerHandler
from signoff.channels.slack.cards import escaped
from signoff.channels.slack.client import CHANNEL, SlackClient
from signoff.channels.slack.payloads import ThreadMessage, read_payload
from signoff.channels.slack.questions import SlackQuestions
from signoff.channels.slack.settings import FILE, SlackSettings, read_slack
from signoff.channels.slack.socket_mode import Payload, SocketMode, Taken
from signoff.channels.slack.web_api import SlackApi
from signoff.channels.threads.answers import confirmed
from signoff.channels.threads.card_face import NOTE_LIMIT
from signoff.channels.threads.message_store import ThreadStore
from signoff.channels.threads.reconciler import CardReconciler, ThreadPlace

STORE_FILE = "slack.db"


class SlackChannel:
    """Asks people in one Slack conversation.

    Raises:
        BadSettings: the package for Socket Mode is not installed.
    """

    name = CHANNEL

    def __init__(self, place: ThreadPlace, client: SlackClient) -> None:
        self._place, self._client = place, client
        self._reconciler = CardReconciler(place)
        self._answers = SlackAnswerHandler(place, client, self._reconciler)
        self.in_words = SlackQuestions(client, place.users)
        self._socket = SocketMode(client.api, self._take, pause_s=place.pause_s)

    @property
    def problem(self) -> str:
        """What is wrong with this channel, "" if nothing is; holds no secret."""
        return self._socket.problem or self._reconciler.problem

    @property
    def status(self) -> str:
        """State of the connection in one word."""
        lost = (
            f", {self._answers.replies.given_up} passed over"
            if self._answers.replies.given_up
            else ""
        )
        return f"{'down' if self._socket.problem else 'connected'}{lost}"

    @property
    def is_idle(self) -> bool:
        """Whether everything that arrived was handled and shown."""
        return not self._socket.following

    async def run(self) -> None:
        """Send and receive until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._socket.run())
            group.create_task(self._reconciler.run())
            group.create_task(self._answers.replies.run())

    @property
    def state(self) -> str:
        """State of the connection, without names."""
        return self.status

    @property
    def parts(self) -> tuple[Part, ...]:
        """Return the coroutines that must run side by side."""
        return (self.run,)

    def close(self) -> None:
        """Close the message store."""
        self._place.store.close()

    async def _take(self, kind: str, payload: Payload) -> Taken:
        """Take an envelope: about a question of an agent's, or else about a card.

        Raises:
            SignoffError: it cannot be known whether it counted.
        """
        # Questions first: a reply to an agent's question must never count as an answer to a
        # request.
        said = await self.in_words.take(kind, payload)
        if said is None:
            said = await self._confirmed(kind, payload)
        return said if said is not None else await self._answers.take(kind, payload)

    async def _confirmed(self, kind: str, payload: Payload) -> Taken | None:
        """Take `confirm CODE`, written in the thread of a message about a change."""
        wrote = read_payload(kind, payload)
        if not isinstance(wrote, ThreadMessage) or wrote.conversation != self._client.conversation:
            return None
        words = await confirmed(self._place, wrote.user, wrote.text)
        tell = partial(self._client.tell, wrote.user, words, thread=wrote.thread)
        return Taken(after=tell) if words else None

    async def tell(self, text: str) -> None:
        """Send a notice to the conversation.

        Raises:
            SignoffError: it was not sent.
        """
        said = escaped(self._client.mask(text))[:NOTE_LIMIT]
        body: dict[str, Json] = {
            "channel": self._client.conversation,
            "text": said,
            "mrkdwn": False,
            "unfurl_links": False,
            "unfurl_media": False,
        }
        await self._client.api.call("chat.postMessage", body)

    async def announce(self, pending: PendingRequest) -> None:
        """Show a request's card, or update the one that is there.

        Raises:
            SignoffError: it could not be shown now; it is retried while the channel runs.
        """
        await self._reconciler.announce(pending)

    async def update(self, pending: PendingRequest) -> None:
        """Update the card of a request, if one was sent.

        Raises:
            SignoffError: it could not be edited now; it is retried while the channel runs.
        """
        await self._reconciler.show(pending.id)


def open_slack(config_dir: str) -> ReloadableChannel:
    """Build the Slack channel; it follows its settings file in `config_dir`."""
    followed = Followed(lambda: read_slack(config_dir), os.path.join(config_dir, FILE))
    return ReloadableChannel(
        CHANNEL, followed, build=build_slack, account=lambda found: found.app_token
    )


def build_slack(found: SlackSettings, context: ChannelContext) -> SlackChannel:
    """Build the channel from its settings; nothing is sent before it runs.

    Raises:
        SignoffError: the package for Socket Mode is not installed.
    """
    client = SlackClient(
        api=SlackApi(bot_token=found.bot_token, app_token=found.app_token, endpoint=found.api),
        conversation=found.conversation,
        mask=context.mask,
        has_page=context.has_page,
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
