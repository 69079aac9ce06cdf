"""The board: keeps the cards in the conversation equal to the requests in the store.

It works from what is, not from what was told: each round it looks at cards that are still to be
sent and at those that take answers, and sends or edits what differs. So a lost connection or a
restart costs nothing but time.

    await board.announce(pending)      shows it now, or as soon as it can be
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from signoff.actions.action import Json
from signoff.challenge.channel import AnswerIntake
from signoff.challenge.channels.slack.cards import (
    TEXT_LIMIT,
    draw,
    escaped,
    groups_on,
    headline,
    is_whole,
    render_fingerprint,
)
from signoff.challenge.channels.slack.message_store import SlackMessageStore, SlackSentMessage
from signoff.challenge.channels.slack.web_api import SlackApi, SlackError
from signoff.challenge.pending import PendingRequest
from signoff.challenge.replies import ReplyReader
from signoff.challenge.terms.approver import Identity
from signoff.challenge.visible import visible
from signoff.errors import SignoffError

log = logging.getLogger(__name__)

CHANNEL = "slack"
LOOK_EVERY_S = 5.0
CODES_KEPT = 500
GROUPS_LIMIT = 200
# What an edit fails with for good: the message is gone, or nobody may write there any more.
HOPELESS = frozenset(
    {"message_not_found", "cant_update_message", "edit_window_closed", "is_archived"}
)


class SlackRequests(Protocol):
    """The part of the store of requests that is read here."""

    async def get(self, id: str) -> PendingRequest | None:
        """Return a request as it stands now, expired if its time is over."""

    async def by_nonce(self, nonce: str) -> PendingRequest | None:
        """Return the request of a nonce."""


class SlackSummary(Protocol):
    """Says what a session did so far."""

    async def summary(self, pending: PendingRequest) -> str:
        """Return it as text."""


def _everybody(_: PendingRequest) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackPlace:
    """Where it is asked.

    Args:
        conversation: the id of the channel, `C...`; taps from elsewhere do not count.
        mask: takes secrets out of all that is sent; never cuts.
        reader: reads replies no explicit form covers.
        users: ids of those who are asked here; from the card on their time to read it counts.
        groups: gives the approvers who are asked about a request now, () is everybody.
        pause_s: a scale for pauses after failures; tests make them short.
    """

    api: SlackApi
    conversation: str
    book: SlackMessageStore
    requests: SlackRequests
    approval_service: AnswerIntake
    mask: Callable[[str], str] = str
    summary: SlackSummary | None = None
    reader: ReplyReader | None = None
    users: tuple[str, ...] = ()
    groups: Callable[[PendingRequest], tuple[str, ...]] = _everybody
    pause_s: float = 1.0
    look_every_s: float = LOOK_EVERY_S

    async def tell(self, user: str, text: str, *, thread: str = "") -> None:
        """Tell one person something only they see; a failure changes nothing that was decided."""
        body: dict[str, Json] = {
            "channel": self.conversation,
            "user": user,
            "text": escaped(self.mask(text))[:TEXT_LIMIT],
            "mrkdwn": False,
        }
        try:
            more = {"thread_ts": thread} if thread else {}
            await self.api.call("chat.postEphemeral", {**body, **more})
        except SignoffError as error:
            log.warning("slack: somebody was not told: %s", error)


class SlackCardReconciler:
    """Shows requests in the conversation."""

    def __init__(self, place: SlackPlace) -> None:
        self._place = place
        self._codes: OrderedDict[str, str] = OrderedDict()
        self._showing = asyncio.Lock()
        self.problem = ""

    async def announce(self, pending: PendingRequest) -> None:
        """Show a request, if not now then later, after a restart too.

        Raises:
            SignoffError: it could not be shown now.
        """
        if pending.code:
            self._codes[pending.id] = pending.code
            while len(self._codes) > CODES_KEPT:
                self._codes.popitem(last=False)
        if self._place.book.card_of(pending.id) is None:
            self._place.book.keep(SlackSentMessage(request_id=pending.id))
        await self.show(pending.id)

    async def run(self) -> None:
        """Keep the conversation up to date, until cancelled."""
        while True:
            try:
                await self.look()
                self.problem = ""
            except SignoffError as error:
                if not self.problem:
                    log.warning("slack: cards wait: %s", error)
                self.problem = str(error)
            await asyncio.sleep(self._place.look_every_s)

    async def look(self) -> None:
        """Bring everything up to date once; one card that fails holds up no other.

        Raises:
            SignoffError: one could not be brought up to date.
        """
        failed: SignoffError | None = None
        for sent_message in self._place.book.standing():
            try:
                await self.show(sent_message.request_id)
            except SignoffError as error:
                failed = error
        if failed is not None:
            raise failed

    async def show(self, request_id: str) -> None:
        """Bring the card of one request up to date.

        Raises:
            SignoffError: Slack or a store cannot be reached.
        """
        async with self._showing:
            book = self._place.book
            pending, sent_message = (
                await self._place.requests.get(request_id),
                book.card_of(request_id),
            )
            if sent_message is None:
                return
            if pending is None or (not sent_message.message and not pending.state.is_open):
                book.drop(request_id)
                return
            groups = self._place.groups(pending) if pending.state.is_open else ()
            face = render_fingerprint(pending, groups)
            if sent_message.message and sent_message.face == face:
                return
            if not sent_message.message:
                await self._sent(pending, groups, face)
            else:
                await self._edited(pending, groups, sent_message)
                book.keep(replace(sent_message, face=face))

    async def _sent(self, pending: PendingRequest, groups: tuple[str, ...], face: str) -> None:
        """Send a card and keep which message it is."""
        answer = await self._place.api.call("chat.postMessage", self._message(pending, groups))
        sent_message = SlackSentMessage(
            request_id=pending.id, message=str(answer.get("ts")), face=face
        )
        self._place.book.keep(sent_message)
        for user in self._place.users if is_whole(pending) else ():
            await self._place.approval_service.open(pending.id, Identity(CHANNEL, user))

    async def _edited(
        self, pending: PendingRequest, groups: tuple[str, ...], sent_message: SlackSentMessage
    ) -> None:
        """Edit a card; say aloud that others are asked as well, as nobody is told of an edit."""
        added = [group for group in groups if group not in groups_on(sent_message.face)]
        if added and sent_message.face:
            said = f"not answered yet; asked now as well: {visible(', '.join(added))}"
            body: dict[str, Json] = {
                "channel": self._place.conversation,
                "thread_ts": sent_message.message,
                "reply_broadcast": True,
                "text": escaped(said[:GROUPS_LIMIT]),
                "mrkdwn": False,
            }
            await self._place.api.call("chat.postMessage", body)
        try:
            message = {**self._message(pending, groups), "ts": sent_message.message}
            await self._place.api.call("chat.update", message)
        except SlackError as error:
            if error.word not in HOPELESS:
                raise
            log.warning("slack: a card is left as it is: %s", error)

    def _message(self, pending: PendingRequest, groups: tuple[str, ...]) -> dict[str, Json]:
        """Return the message of a request as it stands."""
        pending = replace(pending, code=pending.code or self._codes.get(pending.id, ""))
        return {
            "channel": self._place.conversation,
            "text": headline(pending, mask=self._place.mask),
            "blocks": draw(pending, mask=self._place.mask, groups=groups),
            "unfurl_links": False,
            "unfurl_media": False,
        }
