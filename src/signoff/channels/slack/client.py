"""What signoff sends to a conversation in Slack: cards, edits, words for one person."""

from __future__ import annotations

import logging
from collections.abc import Callable

from msgspec import Struct

from signoff.actions.action import Json
from signoff.challenge.pending import PendingRequest
from signoff.channels.passkey_page import LED, OPEN
from signoff.channels.slack.cards import (
    TEXT_LIMIT,
    draw,
    escaped,
    headline,
    is_whole,
    link_blocks,
)
from signoff.channels.slack.web_api import SlackApi, SlackError
from signoff.errors import SignoffError

log = logging.getLogger(__name__)

CHANNEL = "slack"
# What an edit fails with for good: the message is gone, or nobody may write there any more.
HOPELESS = frozenset(
    {"message_not_found", "cant_update_message", "edit_window_closed", "is_archived"}
)


class SlackClient(Struct, frozen=True, kw_only=True):
    """Sends and edits cards in one Slack conversation.

    Args:
        conversation: id of the channel, `C...`; button presses elsewhere are ignored.
        mask: removes secrets from every text that is sent; never cuts.
        has_page: requests have a page where a passkey is asked for.
    """

    api: SlackApi
    conversation: str
    mask: Callable[[str], str] = str
    has_page: bool = False

    async def send_card(self, pending: PendingRequest, groups: tuple[str, ...]) -> str:
        """Send the card of a request; return its timestamp, which is the message's id in Slack.

        Raises:
            CallFailed: it was not sent.
        """
        answer = await self.api.call("chat.postMessage", self._message(pending, groups))
        return str(answer.get("ts"))

    async def edit_card(
        self, message: str, pending: PendingRequest, groups: tuple[str, ...]
    ) -> None:
        """Update a card; a card that Slack no longer lets us edit is left as it is.

        Raises:
            CallFailed: Slack cannot be reached.
        """
        try:
            await self.api.call("chat.update", {**self._message(pending, groups), "ts": message})
        except SlackError as error:
            # Anything else may pass, and the reconciler tries it again.
            if error.word not in HOPELESS:
                raise
            log.warning("slack: a card is left as it is: %s", error)

    async def post_reply(self, message: str, text: str) -> None:
        """Post a notice in a card's thread and in the conversation.

        Raises:
            CallFailed: it was not posted.
        """
        body: dict[str, Json] = {
            "channel": self.conversation,
            "thread_ts": message,
            # A reply in a thread notifies only those who wrote there, and nobody has yet.
            "reply_broadcast": True,
            "text": escaped(text),
            "mrkdwn": False,
        }
        await self.api.call("chat.postMessage", body)

    async def tell(self, user: str, text: str, *, thread: str = "") -> None:
        """Show one user a text that only they see; errors are ignored, as nothing depends on it."""
        text = escaped(self.mask(text))[:TEXT_LIMIT]
        await self._tell(user, {"text": text, "mrkdwn": False}, thread)

    async def lead(self, user: str, link: str, *, thread: str = "") -> None:
        """Show one user a button that opens a link; nobody else sees it."""
        await self._tell(user, {"text": LED, "blocks": link_blocks(LED, OPEN, link)}, thread)

    async def _tell(self, user: str, said: dict[str, Json], thread: str) -> None:
        body: dict[str, Json] = {"channel": self.conversation, "user": user, **said}
        try:
            more = {"thread_ts": thread} if thread else {}
            await self.api.call("chat.postEphemeral", {**body, **more})
        except SignoffError as error:
            log.warning("slack: somebody was not told: %s", error)

    def is_whole(self, pending: PendingRequest) -> bool:
        """Tell whether the whole call fits on a card here; else it cannot be approved here."""
        return is_whole(pending)

    def _message(self, pending: PendingRequest, groups: tuple[str, ...]) -> dict[str, Json]:
        """Return the message of a request as it stands."""
        return {
            "channel": self.conversation,
            "text": headline(pending, mask=self.mask),
            "blocks": draw(pending, mask=self.mask, groups=groups, has_page=self.has_page),
            "unfurl_links": False,
            "unfurl_media": False,
        }
