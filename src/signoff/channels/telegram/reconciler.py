"""The board: keeps the cards in the chat equal to the requests in the store, come what may.

It works from what is, not from what was told: each round it looks at requests that are to be shown
and at cards that stand open, and sends or edits what differs. So a lost connection, a crash or a
restart costs nothing but time, and what was sent twice is answered once.

    board.show_soon(pending)      wakes it; `run` does the rest
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable

from msgspec import Struct

from signoff.actions.action import Json
from signoff.challenge.channel import AnswerIntake
from signoff.challenge.pending import MOST_WAITING, PendingRequest
from signoff.challenge.terms.approver import Identity
from signoff.challenge.visible import visible
from signoff.channels.card_rotation import CardRotation
from signoff.channels.context import PageLink, ReadableRequests
from signoff.channels.telegram.bot_api.client import SAID_LIMIT, BotApi, BotApiError, Upload
from signoff.channels.telegram.bot_api.updates import Terms
from signoff.channels.telegram.cards import (
    NO_KEYBOARD,
    CardView,
    Drawn,
    Fit,
    draw,
    render_fingerprint,
)
from signoff.channels.telegram.message_store import (
    FINAL,
    SentMessageKind,
    TelegramMessageStore,
    TelegramSentMessage,
)
from signoff.channels.threads.card_face import groups_on
from signoff.errors import SignoffError
from signoff.values import replace

log = logging.getLogger(__name__)

CHANNEL = "telegram"
# Only a net below the changes that are named: those wake the board at once.
LOOK_EVERY_S = 5.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 30.0
READ_AT_ONCE = 20  # open cards, each look others of them: what changes is named
# What an edit fails with for good: the message is gone, or nobody may write there any more.
HOPELESS = (400, 403)


def identity(user: int) -> Identity:
    """Return the identity of a Telegram user."""
    return Identity(CHANNEL, str(user))


def _everybody(_: PendingRequest) -> tuple[str, ...]:
    return ()


class Chat(Struct, frozen=True, kw_only=True):
    """What is needed to send messages to one Telegram chat.

    Args:
        mask: removes secrets from every text that is sent; never cuts.
        witness: returns the newest checkpoint of the audit log, "" if unknown.
        groups: returns the approver groups asked about a request now; () = everybody.
        page_link: as in `ChannelContext`.
    """

    api: BotApi
    terms: Terms
    store: TelegramMessageStore
    requests: ReadableRequests
    approval_service: AnswerIntake
    mask: Callable[[str], str] = str
    witness: Callable[[], str] = str
    groups: Callable[[PendingRequest], tuple[str, ...]] = _everybody
    page_link: PageLink | None = None

    def view(self, pending: PendingRequest) -> CardView:
        """Return how the card of a request is to be drawn now."""
        sent_message = self.store.card_of(pending.id)
        return CardView(
            opened=self.store.opened(pending.id),
            mask=self.mask,
            witness=self.witness(),
            groups=self.groups(pending) if pending.state.is_open else (),
            is_wide=sent_message is not None and sent_message.is_wide,
            has_page=self.page_link is not None,
        )

    async def say_link(self, text: str, label: str, link: str, *, reply_to: int) -> int:
        """Send a text with a button that opens a link; return the id of the message."""
        reply = {"message_id": reply_to, "allow_sending_without_reply": True}
        button: Json = {"inline_keyboard": [[{"text": label, "url": link}]]}
        return await self.api.send(
            self.terms.chat, text, reply_parameters=reply, reply_markup=button
        )

    async def say(self, text: str, *, reply_to: int = 0) -> int:
        """Send a text to the chat; return the id of the message."""
        if not reply_to:
            return await self.api.send(self.terms.chat, text)
        reply = {"message_id": reply_to, "allow_sending_without_reply": True}
        return await self.api.send(self.terms.chat, text, reply_parameters=reply)


class TelegramCardReconciler:
    """Shows requests as cards in a Telegram chat and keeps them up to date."""

    def __init__(self, chat: Chat, *, look_every_s: float = LOOK_EVERY_S) -> None:
        self._chat = chat
        self._look_every_s = look_every_s
        self._named: dict[str, None] = {}
        self._codes: dict[str, str] = {}
        self._change_notifier = asyncio.Event()
        self._showing = asyncio.Lock()
        self._turns = CardRotation(READ_AT_ONCE)
        self.problem = ""

    def show_soon(self, pending: PendingRequest) -> None:
        """Have a request shown, now or after a restart.

        Raises:
            StoreError: that cannot be stored.
        """
        if pending.code:
            self._codes[pending.id] = pending.code
            # Codes are never stored, so they are bounded here; the oldest are settled or expired.
            while len(self._codes) > MOST_WAITING:
                del self._codes[next(iter(self._codes))]
        # Stored before it is sent: after a crash the card is sent late, not never.
        if self._chat.store.card_of(pending.id) is None:
            self._chat.store.want(pending.id)
        self.name(pending.id)

    def name(self, request_id: str) -> None:
        """Mark a request so that its card is updated soon."""
        self._named[request_id] = None
        self._change_notifier.set()

    async def run(self) -> None:
        """Keep the chat up to date until cancelled."""
        # Scaled, so that tests with a fast look also have short pauses.
        first_s = FIRST_PAUSE_S * self._look_every_s / LOOK_EVERY_S
        pause_s = first_s
        while True:
            try:
                await self.look()
                self.problem, pause_s = "", first_s
            except SignoffError as error:
                # After a failure anything may differ: the next look is at every open card.
                self._turns.take_all()
                # Said once, when it begins.
                if not self.problem:
                    log.warning("telegram: cards wait: %s", error)
                self.problem = str(error)
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
                continue
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._look_every_s):
                    await self._change_notifier.wait()

    async def look(self) -> None:
        """Update all cards once.

        Raises:
            SignoffError: the chat or a store cannot be reached; the rest is done next time.
        """
        # Before looking, so that a change during the look starts another one.
        self._change_notifier.clear()
        failed: SignoffError | None = None
        for request_id in self._due():
            try:
                await self.show(request_id)
            except BotApiError as error:
                if error.code not in HOPELESS:
                    raise
                failed = error  # this card alone is refused; those behind it are not kept waiting
                continue
            self._named.pop(request_id, None)
        if failed is not None:
            raise failed

    async def show(self, request_id: str) -> None:
        """Update the card of one request.

        Raises:
            SignoffError: the chat or a store cannot be reached.
        """
        # A change and a look may meet on one request: it must not get two cards.
        async with self._showing:
            pending = await self._chat.requests.get(request_id)
            if pending is None:
                self._chat.store.drop(request_id)
                return
            pending = replace(pending, code=pending.code or self._codes.get(request_id, ""))
            sent_message = self._chat.store.card_of(request_id)
            # Decided before it was ever shown: nobody needs a card any more.
            if sent_message is None and not pending.state.is_open:
                self._chat.store.drop(request_id)
                return
            view = self._chat.view(pending)
            if (
                sent_message is not None
                # A card whose file was not sent yet is not done, though its text is right.
                and sent_message.has_all
                and sent_message.face == render_fingerprint(pending, view)
            ):
                return
            # In a thread: a long card takes milliseconds to draw, and hooks would wait for it.
            drawn = await asyncio.to_thread(draw, pending, view)
            sent_message = (
                await self._sent(pending, drawn) if sent_message is None else sent_message
            )
            sent_message = await self._with_file(pending, drawn, sent_message)
            await self._notify(view, sent_message)
            await self._end_quizzes(pending)
            await self._edited(drawn, sent_message)

    def _due(self) -> Iterable[str]:
        """Return the requests to look at: those named, those to be shown, those that look open."""
        store = self._chat.store
        standing = self._turns.of([card.request_id for card in store.open_cards()])
        return list(dict.fromkeys([*self._named, *store.wanted(), *standing]))

    async def _sent(self, pending: PendingRequest, drawn: Drawn) -> TelegramSentMessage:
        """Send a card and keep which message it is."""
        chat = self._chat
        message_id = await chat.api.send(
            chat.terms.chat, drawn.text, entities=drawn.entities, reply_markup=drawn.keyboard
        )
        sent_message = TelegramSentMessage(
            message_id=message_id,
            kind=SentMessageKind.CARD,
            request_id=pending.id,
            nonce=pending.nonce,
            face=drawn.face,
            has_all=drawn.fit is not Fit.FILE,
        )
        chat.store.keep(sent_message)
        chat.store.drop(pending.id)
        if drawn.fit is not Fit.FILE:  # a file is seen by who opens it
            for user in sorted(chat.terms.users):
                await chat.approval_service.open(pending.id, identity(user))
        return sent_message

    async def _with_file(
        self, pending: PendingRequest, drawn: Drawn, sent_message: TelegramSentMessage
    ) -> TelegramSentMessage:
        """Send the whole text after a card that has no room for it."""
        if sent_message.has_all:
            return sent_message
        if drawn.file and pending.state.is_open:
            upload = Upload(f"{pending.card.code or 'request'}.txt", drawn.file)
            await self._chat.api.send_file(
                self._chat.terms.chat, upload, reply_to=sent_message.message_id
            )
        return self._kept(replace(self._now(sent_message), has_all=True))

    async def _notify(self, view: CardView, sent_message: TelegramSentMessage) -> None:
        """Say aloud that others are asked as well: nobody is told of a card that is edited."""
        added = [group for group in view.groups if group not in groups_on(sent_message.face)]
        if added:
            said = f"not answered yet; asked now as well: {visible(', '.join(added))[:SAID_LIMIT]}"
            await self._chat.say(said, reply_to=sent_message.message_id)

    async def _end_quizzes(self, pending: PendingRequest) -> None:
        """Leave no question to press on a request that was settled elsewhere, or by time."""
        if pending.state.is_open:
            return
        for sent_message in self._chat.store.open_quizzes(pending.id):
            said = f"this question is over: the request is {pending.state.value}"
            await self._replaced(sent_message, said, reply_markup=NO_KEYBOARD)
            self._kept(replace(sent_message, face=FINAL))

    async def _edited(self, drawn: Drawn, sent_message: TelegramSentMessage) -> None:
        """Edit a card that shows something else."""
        if sent_message.face == drawn.face:
            return
        await self._replaced(
            sent_message, drawn.text, entities=drawn.entities, reply_markup=drawn.keyboard
        )
        self._kept(replace(self._now(sent_message), face=drawn.face))

    async def _replaced(self, sent_message: TelegramSentMessage, text: str, **more: Json) -> None:
        """Replace the text of a message; one that cannot be edited is left as it is."""
        try:
            await self._chat.api.edit(self._chat.terms.chat, sent_message.message_id, text, **more)
        except BotApiError as error:
            if error.code not in HOPELESS:
                raise
            log.warning("telegram: a message is left as it is: %s", error)

    def _now(self, sent_message: TelegramSentMessage) -> TelegramSentMessage:
        """Return a message as stored now: somebody may have pressed More while it was sent."""
        # Read again: what was kept meanwhile must not be written over.
        return self._chat.store.at(sent_message.message_id) or sent_message

    def _kept(self, sent_message: TelegramSentMessage) -> TelegramSentMessage:
        self._chat.store.keep(sent_message)
        return sent_message
