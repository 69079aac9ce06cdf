"""Keeps the cards in a conversation equal to the requests in the store.

It works from what is, not from what was told: each round it looks at cards that are still to be
sent and at those that take answers, and sends or edits what differs. So a lost connection or a
restart costs nothing but time.

    await reconciler.announce(pending)      shows it now, or as soon as it can be
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from typing import Protocol

from msgspec import Struct

from signoff.challenge.pending import MOST_WAITING, PendingRequest
from signoff.challenge.terms.approver import Identity
from signoff.challenge.visible import visible
from signoff.channels.card_rotation import CardRotation
from signoff.channels.context import ChannelContext
from signoff.channels.threads.card_face import groups_on, render_fingerprint
from signoff.channels.threads.message_store import SentCard, ThreadStore
from signoff.errors import SignoffError
from signoff.values import replace

log = logging.getLogger(__name__)

# What this process changes is told at once: this is for what other processes change.
LOOK_EVERY_S = 5.0
READ_AT_ONCE = 20  # open cards, each look others of them: what changes is named
GROUPS_LIMIT = 200


class CardClient(Protocol):
    """Port: sends and edits cards in one conversation.

    All methods raise SignoffError if the messenger cannot be reached.
    """

    async def send_card(self, pending: PendingRequest, groups: tuple[str, ...]) -> str:
        """Send the card of a request; return the id of the message."""

    async def edit_card(
        self, message: str, pending: PendingRequest, groups: tuple[str, ...]
    ) -> None:
        """Edit a card; one that cannot be edited any more is left as it is."""

    async def post_reply(self, message: str, text: str) -> None:
        """Send a message beside a card so that people are notified; an edit notifies nobody."""

    async def tell(self, user: str, text: str, *, thread: str = "") -> None:
        """Tell one person something; a failure is logged, and changes nothing."""

    async def lead(self, user: str, link: str, *, thread: str = "") -> None:
        """Give one person a link to a request's page; as with `tell`, a failure is logged."""

    def is_whole(self, pending: PendingRequest) -> bool:
        """Return whether the whole call fits on a card here, so that it can be approved."""


class ThreadPlace(Struct, frozen=True, kw_only=True):
    """One conversation on one messenger, and what is needed to ask people there.

    Args:
        channel: the name of the channel.
        users: ids of the people asked here; their reading time counts from when the card is
            sent.
        pause_s: base of the pauses after failures, in seconds; short in tests.
    """

    channel: str
    client: CardClient
    store: ThreadStore
    context: ChannelContext
    users: tuple[str, ...] = ()
    pause_s: float = 1.0
    look_every_s: float = LOOK_EVERY_S

    def identity(self, user: str) -> Identity:
        """Return the identity of a user on this channel."""
        return Identity(self.channel, user)


class CardReconciler:
    """Shows requests as cards in a conversation and edits them when they change."""

    def __init__(self, place: ThreadPlace) -> None:
        self._place, self._context = place, place.context
        # In memory only: in a file an agent could read them and answer at a terminal (T-43).
        self._codes: OrderedDict[str, str] = OrderedDict()
        # Two at a time would both find no message yet, and send the same card twice.
        self._showing = asyncio.Lock()
        self._turns = CardRotation(READ_AT_ONCE)
        self.problem = ""

    async def announce(self, pending: PendingRequest) -> None:
        """Store that a request needs a card and try to send it; a restart sends it too.

        Raises:
            SignoffError: it could not be sent now.
        """
        if pending.code:
            self._codes[pending.id] = pending.code
            while len(self._codes) > MOST_WAITING:
                self._codes.popitem(last=False)
        if self._place.store.card_of(pending.id) is None:
            self._place.store.keep(SentCard(request_id=pending.id))
        await self.show(pending.id)

    async def run(self) -> None:
        """Keep the conversation up to date until cancelled."""
        while True:
            try:
                await self.look()
                self.problem = ""
            except SignoffError as error:
                self._turns.take_all()
                if not self.problem:
                    log.warning("%s: cards wait: %s", self._place.channel, error)
                self.problem = str(error)
            await asyncio.sleep(self._place.look_every_s)

    async def look(self) -> None:
        """Update all cards once; one failure does not stop the others.

        Raises:
            SignoffError: a card could not be updated.
        """
        failed: SignoffError | None = None
        cards = self._place.store.standing()
        # Every time, not in turns: until its card is sent nobody can answer a request.
        unsent = [card.request_id for card in cards if not card.message]
        sent = self._turns.of([card.request_id for card in cards if card.message])
        for request_id in (*unsent, *sent):
            try:
                await self.show(request_id)
            except SignoffError as error:
                failed = error
        if failed is not None:
            raise failed

    async def show(self, request_id: str) -> None:
        """Update the card of one request.

        Raises:
            SignoffError: the messenger or a store cannot be reached.
        """
        async with self._showing:
            store = self._place.store
            pending = await self._context.requests.get(request_id)
            card = store.card_of(request_id)
            if card is None:
                return
            # It ended before its card was sent: nobody needs to see it.
            if pending is None or (not card.message and not pending.state.is_open):
                store.drop(request_id)
                return
            pending = replace(pending, code=pending.code or self._codes.get(pending.id, ""))
            groups = self._context.groups(pending) if pending.state.is_open else ()
            face = render_fingerprint(pending, groups)
            if card.message and card.face == face:
                return
            if not card.message:
                await self._sent(pending, groups, face)
            else:
                await self._edited(pending, groups, card)
                store.keep(replace(card, face=face))

    async def show_now(self, request_id: str) -> None:
        """Update a card; on failure the next `look` does it."""
        try:
            await self.show(request_id)
        except SignoffError as error:
            log.warning("%s: a card is brought up to date later: %s", self._place.channel, error)

    async def _sent(self, pending: PendingRequest, groups: tuple[str, ...], face: str) -> None:
        """Send a card and keep which message it is."""
        client = self._place.client
        message = await client.send_card(pending, groups)
        self._place.store.keep(SentCard(request_id=pending.id, message=message, face=face))
        # Where the card is cut off nobody has read the call, so no reading time counts.
        for user in self._place.users if client.is_whole(pending) else ():
            await self._context.approval_service.open(pending.id, self._place.identity(user))

    async def _edited(
        self, pending: PendingRequest, groups: tuple[str, ...], card: SentCard
    ) -> None:
        """Edit a card; say aloud that others are asked as well, as nobody is told of an edit."""
        added = [group for group in groups if group not in groups_on(card.face)]
        # Without a face it is not known what the card shows, and every group would look new.
        if added and card.face:
            said = f"not answered yet; asked now as well: {visible(', '.join(added))}"
            await self._place.client.post_reply(card.message, said[:GROUPS_LIMIT])
        await self._place.client.edit_card(card.message, pending, groups)
