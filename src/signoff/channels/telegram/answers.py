"""Answers to cards: who said what on which card, authenticated, and handed to the approval service.

An answer counts only if the person is listed, the chat is the one, the message is the card that
was sent for this request, and the nonce on the button is the request's own. Everything else is
rejected, with a message if possible, and does not change the request. An answer is stored first;
only then the person is told and the card is edited.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from msgspec import Struct

from signoff.actions.action import Json
from signoff.assess.verdict import Verdict
from signoff.challenge.channel import AnswerOutcome, OutcomeKind, Response
from signoff.challenge.channels.scopes import ONCE, ScopeChoice, reaches, why_once
from signoff.challenge.pending import PendingRequest
from signoff.challenge.replies import (
    NOT_UNDERSTOOD,
    Intent,
    Reply,
    ReplyReader,
    read_reply,
    understand_reply,
)
from signoff.channels.context import SessionSummary
from signoff.channels.passkey_page import LED, NO_PAGE
from signoff.channels.passkey_page import OPEN as OPEN_PAGE
from signoff.channels.telegram.bot_api.updates import TelegramTap, TelegramText, read_data
from signoff.channels.telegram.cards import (
    APPROVE,
    DENY,
    DETAILS,
    LESS,
    MORE,
    OPEN,
    PAGE,
    STATE_WORDS,
    WHY,
    Fit,
    escape_invisible,
    fit_of_card,
)
from signoff.channels.telegram.message_store import SentMessageKind, TelegramSentMessage
from signoff.channels.telegram.proofs import Carried, Proofs
from signoff.channels.telegram.reconciler import Chat, TelegramCardReconciler, identity
from signoff.errors import SignoffError
from signoff.values import replace

log = logging.getLogger(__name__)

DETAILS_LIMIT = 1_750  # characters, of two units each at most
# Each may wait for a model's summary: more at once would let one person's taps queue up.
SAYING_LIMIT = 5
REPLY_LIMIT = 4_000  # characters; a message of Telegram's has at most 4,096

FOREIGN = "You are not among those who may answer here. Nothing was changed."
OLD_CARD = "This is an old or copied card. Nothing was changed; answer on the newest one."
NOT_YOURS = "This was asked of somebody else. Press Approve on the card yourself."
PAUSED = "Another program polls with this bot's token: approving here is paused. Denying works."
TOO_LONG = "That is too long to be read as an answer. The request still waits."
NOTHING_LIKE_IT = "no other call can be taken to be like it"
ASK_WHY = (
    "Reply to this message and say why, or what to do instead: it is denied, and the agent is told."
)
NO_TEXT = "There is no text in that reply. The request still waits."


class AnswerNotice(Struct, frozen=True):
    """The reply to a person who answered, and the card to update.

    Args:
        is_aloud: True sends it to the chat too, in place of a short toast.
    """

    words: str
    is_alert: bool = True
    request_id: str = ""
    is_aloud: bool = False


class TelegramAnswerHandler:
    """Handles answers that people give on Telegram cards."""

    def __init__(
        self,
        chat: Chat,
        reconciler: TelegramCardReconciler,
        *,
        is_paused: Callable[[], bool],
        summary: SessionSummary,
        reader: ReplyReader | None = None,
    ) -> None:
        self._chat, self._reconciler = chat, reconciler
        self._is_paused, self._summary, self._reader = is_paused, summary, reader
        self._proofs = Proofs(chat)
        self._saying: set[asyncio.Task[None]] = set()

    async def tapped(self, tap: TelegramTap, sent_message: TelegramSentMessage) -> AnswerNotice:
        """Handle a button press of an allowed user on a message of ours.

        Raises:
            SignoffError: it cannot be known whether it counted.
        """
        pressed = read_data(tap.data)
        # The nonce is the request's own: a button copied from another card says nothing about
        # this one.
        if pressed is None or pressed.nonce != sent_message.nonce:
            return AnswerNotice(OLD_CARD)
        # A quiz belongs to the person who began it, whoever else may see it in a group.
        if sent_message.user not in (0, tap.user):
            return AnswerNotice(NOT_YOURS)
        pending = await self._chat.requests.get(sent_message.request_id)
        if pending is None or pending.nonce != sent_message.nonce:
            return AnswerNotice(OLD_CARD)
        if not pending.state.is_open:
            said = f"Too late: {STATE_WORDS[pending.state]}."
            return AnswerNotice(said, request_id=pending.id)
        if sent_message.kind is not SentMessageKind.CARD:
            return await self._chosen(pressed.code, tap, sent_message, pending)
        return await self._pressed(pressed.code, tap, pending)

    async def replied(
        self, written: TelegramText, sent_message: TelegramSentMessage
    ) -> AnswerNotice:
        """Handle a text reply to a message of ours.

        Raises:
            SignoffError: it cannot be known whether it counted.
        """
        if sent_message.user not in (0, written.user):
            return AnswerNotice(NOT_YOURS)
        pending = await self._chat.requests.get(sent_message.request_id)
        if pending is None or pending.nonce != sent_message.nonce:
            return AnswerNotice(OLD_CARD)
        if not pending.state.is_open:
            return AnswerNotice(f"Too late: {STATE_WORDS[pending.state]}.", request_id=pending.id)
        # A photo or a sticker sent as a reply has no text.
        if not written.text.strip():
            return AnswerNotice(NO_TEXT)
        if len(written.text) > REPLY_LIMIT:
            return AnswerNotice(TOO_LONG)
        return await self._read(written, sent_message, pending)

    async def _pressed(self, code: str, tap: TelegramTap, pending: PendingRequest) -> AnswerNotice:
        """Perform the action of a card's button."""
        if code == APPROVE:
            return await self._approve(tap.user, pending, Carried())
        if code == DENY:
            return await self._deny(tap.user, pending, "")
        if code == DETAILS:
            return self._details(tap, pending)
        if code == OPEN:
            return await self._open(tap.user, pending)
        if code in (WHY, PAGE):
            return await (self._ask_why if code == WHY else self._lead)(tap, pending)
        return await self._widened(code, tap, pending)

    async def _widened(self, code: str, tap: TelegramTap, pending: PendingRequest) -> AnswerNotice:
        """Show or hide the richer answers, or take one of them."""
        if code in (MORE, LESS):
            sent_message = self._chat.store.card_of(pending.id)
            if sent_message is None:
                return AnswerNotice(OLD_CARD)
            # Only how the card looks is stored; the board draws it anew from there.
            self._chat.store.keep(replace(sent_message, is_wide=code == MORE))
            return AnswerNotice("", is_alert=False, request_id=pending.id)
        reach = ScopeChoice.of(code)
        if reach is None or reach == ONCE:
            return AnswerNotice(OLD_CARD)
        # Checked again here: an old card may show a button for what can no longer be granted.
        if reach not in reaches(pending):
            return AnswerNotice(f"That cannot be granted: {why_once(pending) or NOTHING_LIKE_IT}")
        return await self._approve(tap.user, pending, Carried(reach=reach))

    async def _read(
        self, written: TelegramText, sent_message: TelegramSentMessage, pending: PendingRequest
    ) -> AnswerNotice:
        """Interpret a text reply and act on it."""
        if sent_message.kind is SentMessageKind.REASON:
            return await self._deny(written.user, pending, written.text.strip())
        # "no" in reply to a call for an explanation is a denial, not a bad explanation.
        is_proof = sent_message.kind is SentMessageKind.TEACH_BACK
        if is_proof and read_reply(written.text).intent is not Intent.DENY:
            if self._is_paused():
                return AnswerNotice(PAUSED)
            return _told(await self._proofs.explained(written, sent_message), pending)
        reply = await understand_reply(written.text, pending, self._reader)
        if reply.intent is Intent.UNCLEAR:
            return AnswerNotice(NOT_UNDERSTOOD)
        if reply.intent is Intent.DENY:
            return await self._deny(written.user, pending, reply.words)
        return await self._approve(written.user, pending, _carried(reply))

    async def _approve(self, user: int, pending: PendingRequest, carried: Carried) -> AnswerNotice:
        """Approve, or begin the proof an approval needs."""
        if self._is_paused():
            return AnswerNotice(PAUSED)
        # Measured again: nobody approves here what was never shown to them whole.
        fit = await asyncio.to_thread(fit_of_card, pending, self._chat.view(pending))
        if fit is Fit.DENY_ONLY:
            return AnswerNotice(
                "It is too long to be shown here whole: approve it elsewhere, or deny it."
            )
        if fit is Fit.FILE and user not in self._chat.store.opened(pending.id):
            return AnswerNotice("Press Open and read the file first.")
        outcome = await self._chat.approval_service.answer(
            Response(
                request_id=pending.id,
                nonce=pending.nonce,
                identity=identity(user),
                verdict=Verdict.ALLOW,
                words=carried.words,
                policy=carried.policy,
                scope=carried.reach.scope,
                minutes=carried.reach.minutes,
            )
        )
        if outcome.kind is OutcomeKind.PROOF_WANTED and outcome.step is not None:
            await self._proofs.begin(pending, outcome.step, user=user, carried=carried)
        return _told(outcome, pending, carried.reach)

    async def _deny(self, user: int, pending: PendingRequest, words: str) -> AnswerNotice:
        """Deny the request in this user's name."""
        outcome = await self._chat.approval_service.answer(
            Response(
                request_id=pending.id,
                nonce=pending.nonce,
                identity=identity(user),
                verdict=Verdict.DENY,
                words=words,
            )
        )
        return _told(outcome, pending)

    async def _ask_why(self, tap: TelegramTap, pending: PendingRequest) -> AnswerNotice:
        """Ask one person why they deny; what they reply denies."""
        asks: dict[str, Json] = {"force_reply": True, "selective": True}
        reply: dict[str, Json] = {
            "message_id": tap.message_id,
            "allow_sending_without_reply": True,
        }
        message_id = await self._chat.api.send(
            self._chat.terms.chat, ASK_WHY, reply_markup=asks, reply_parameters=reply
        )
        self._chat.store.keep(
            TelegramSentMessage(
                message_id=message_id,
                kind=SentMessageKind.REASON,
                request_id=pending.id,
                nonce=pending.nonce,
                user=tap.user,
            )
        )
        return AnswerNotice("Say why, in a reply.", is_alert=False)

    async def _chosen(
        self,
        code: str,
        tap: TelegramTap,
        sent_message: TelegramSentMessage,
        pending: PendingRequest,
    ) -> AnswerNotice:
        """Handle a choice in a quiz."""
        if self._is_paused():
            return AnswerNotice(PAUSED)
        outcome = await self._proofs.tapped(tap, sent_message, code)
        if isinstance(outcome, str):
            return AnswerNotice(outcome, is_alert=False)
        return _told(outcome, pending, sent_message.reach)

    async def _open(self, user: int, pending: PendingRequest) -> AnswerNotice:
        """Record that a user opens the whole text."""
        sent_message = self._chat.store.card_of(pending.id)
        if sent_message is None or not sent_message.has_all:
            return AnswerNotice("The file is not there yet. Try again in a moment.")
        self._chat.store.note_open(pending.id, user)
        await self._chat.approval_service.open(pending.id, identity(user))
        return AnswerNotice(
            "Read the file above to its end.", is_alert=False, request_id=pending.id
        )

    async def _lead(self, tap: TelegramTap, pending: PendingRequest) -> AnswerNotice:
        """Send who pressed a link of their own to the request's page."""
        made = self._chat.page_link
        link = made(pending, identity(tap.user)) if made else ""
        if not link:
            return AnswerNotice(NO_PAGE)
        await self._chat.say_link(LED, OPEN_PAGE, link, reply_to=tap.message_id)
        return AnswerNotice("The link follows.", is_alert=False)

    def _details(self, tap: TelegramTap, pending: PendingRequest) -> AnswerNotice:
        """Have said what the session did so far; the card stays open, and others may answer it."""
        # A task of its own, so that a slow summary does not hold up answers behind this one.
        if len(self._saying) >= SAYING_LIMIT:
            return AnswerNotice("Others wait for details already. Try again in a moment.")
        task = asyncio.get_running_loop().create_task(self._say_details(tap, pending))
        self._saying.add(task)
        task.add_done_callback(self._saying.discard)
        return AnswerNotice("The details follow.", is_alert=False)

    async def _say_details(self, tap: TelegramTap, pending: PendingRequest) -> None:
        try:
            once = why_once(pending)
            said = f"approved once only: {once}\n" if once else ""
            text = escape_invisible(self._chat.mask(said + await self._summary.summary(pending)))
            shown = text if len(text) <= DETAILS_LIMIT else f"{text[:DETAILS_LIMIT]}..."
            await self._chat.say(f"so far:\n{shown}", reply_to=tap.message_id)
        except SignoffError as error:
            log.warning("telegram: details are not sent: %s", error)


def _carried(reply: Reply) -> Carried:
    """Return what an approval in words carries."""
    return Carried(words=reply.words, policy=reply.policy)


def _told(
    outcome: AnswerOutcome, pending: PendingRequest, reach: ScopeChoice = ONCE
) -> AnswerNotice:
    """Return the reply to somebody about an outcome."""
    is_aloud = outcome.kind is OutcomeKind.APPROVED and reach != ONCE
    return AnswerNotice(
        outcome.words,
        # A window that has to be closed: whoever was not counted should not believe they were.
        is_alert=not outcome.counted,
        request_id=pending.id,
        is_aloud=is_aloud,
    )
