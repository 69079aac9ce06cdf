"""Answers to cards: who said what on which card, made sure of, and handed to the desk.

An answer counts only if the person is listed, the chat is the one, the message is the card that
was sent for this request, and the nonce on the button is the request's own. Everything else is
refused, said so where it can be, and leaves the request as it was. The desk commits; only then
the person is told and the card is edited.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from signoff.actions.action import Json
from signoff.assess.verdict import Verdict
from signoff.challenge.channel import AnswerOutcome, OutcomeKind, Response
from signoff.challenge.channels.reaches import ONCE, Reach, reaches, why_once
from signoff.challenge.channels.telegram.board import Board, Chat, identity
from signoff.challenge.channels.telegram.book import Sheet, SheetKind
from signoff.challenge.channels.telegram.cards import (
    APPROVE,
    DENY,
    DETAILS,
    LESS,
    MORE,
    OPEN,
    STATE_WORDS,
    WHY,
    Fit,
    fit_of_card,
    last_look,
)
from signoff.challenge.channels.telegram.proofs import Carried, Proofs
from signoff.challenge.channels.telegram.updates import Tap, Written, read_data
from signoff.challenge.pending import PendingRequest
from signoff.challenge.replies import (
    NOT_UNDERSTOOD,
    Intent,
    Reply,
    ReplyReader,
    read_reply,
    understand_reply,
)
from signoff.errors import SignoffError

log = logging.getLogger(__name__)

DETAILS_LIMIT = 1_750  # characters, of two units each at most
SAYING_LIMIT = 5
REPLY_LIMIT = 4_000  # characters; a message of Telegram's has at most 4,096

FOREIGN = "You are not among those who may answer here. Nothing was changed."
OLD_CARD = "This is an old or copied card. Nothing was changed; answer on the newest one."
NOT_YOURS = "This was asked of somebody else. Press Approve on the card yourself."
PAUSED = "Another program polls with this bot's token: approving here is paused. Denying works."
TOO_LONG = "That is too long to be read as an answer. The request still waits."
NOTHING_LIKE_IT = "nothing can be told to be like it"
ASK_WHY = (
    "Reply to this message and say why, or what to do instead: it is denied, and the agent is told."
)
NO_TEXT = "There is no text in that reply. The request still waits."


class Summary(Protocol):
    """Says what a session did so far: a model's summary, or the list of its last calls."""

    async def summary(self, pending: PendingRequest) -> str:
        """Return it as text; an error is said in words."""


@dataclass(frozen=True, slots=True)
class Told:
    """What somebody is told, and which card is to be looked at.

    Args:
        is_aloud: said in the chat as well, where a tap is answered: it holds for longer.
    """

    words: str
    is_alert: bool = True
    request_id: str = ""
    is_aloud: bool = False


class Answers:
    """Takes answers to cards."""

    def __init__(
        self,
        chat: Chat,
        board: Board,
        *,
        is_paused: Callable[[], bool],
        summary: Summary,
        reader: ReplyReader | None = None,
    ) -> None:
        self._chat, self._board = chat, board
        self._is_paused, self._summary, self._reader = is_paused, summary, reader
        self._proofs = Proofs(chat)
        self._saying: set[asyncio.Task[None]] = set()

    async def tapped(self, tap: Tap, sheet: Sheet) -> Told:
        """Take a tap of somebody who is listened to, on a sheet of ours.

        Raises:
            SignoffError: it cannot be known whether it counted.
        """
        pressed = read_data(tap.data)
        if pressed is None or pressed.nonce != sheet.nonce:
            return Told(OLD_CARD)
        if sheet.user not in (0, tap.user):
            return Told(NOT_YOURS)
        pending = await self._chat.requests.get(sheet.request_id)
        if pending is None or pending.nonce != sheet.nonce:
            return Told(OLD_CARD)
        if not pending.state.is_open:
            said = f"Too late: {STATE_WORDS[pending.state]}."
            return Told(said, request_id=pending.id)
        if sheet.kind is not SheetKind.CARD:
            return await self._chosen(pressed.code, tap, sheet, pending)
        return await self._pressed(pressed.code, tap, pending)

    async def replied(self, written: Written, sheet: Sheet) -> Told:
        """Take a text in reply to a sheet of ours.

        Raises:
            SignoffError: it cannot be known whether it counted.
        """
        if sheet.user not in (0, written.user):
            return Told(NOT_YOURS)
        pending = await self._chat.requests.get(sheet.request_id)
        if pending is None or pending.nonce != sheet.nonce:
            return Told(OLD_CARD)
        if not pending.state.is_open:
            return Told(f"Too late: {STATE_WORDS[pending.state]}.", request_id=pending.id)
        if not written.text.strip():
            return Told(NO_TEXT)
        if len(written.text) > REPLY_LIMIT:
            return Told(TOO_LONG)
        return await self._read(written, sheet, pending)

    async def _pressed(self, code: str, tap: Tap, pending: PendingRequest) -> Told:
        """Do what a button of a card says."""
        if code == APPROVE:
            return await self._approve(tap.user, pending, Carried())
        if code == DENY:
            return await self._deny(tap.user, pending, "")
        if code == DETAILS:
            return self._details(tap, pending)
        if code == OPEN:
            return await self._open(tap.user, pending)
        if code == WHY:
            return await self._ask_why(tap, pending)
        return await self._widened(code, tap, pending)

    async def _widened(self, code: str, tap: Tap, pending: PendingRequest) -> Told:
        """Show or hide the richer answers, or take one of them."""
        if code in (MORE, LESS):
            sheet = self._chat.book.card_of(pending.id)
            if sheet is None:
                return Told(OLD_CARD)
            self._chat.book.keep(replace(sheet, is_wide=code == MORE))
            return Told("", is_alert=False, request_id=pending.id)
        reach = Reach.of(code)
        if reach is None or reach == ONCE:
            return Told(OLD_CARD)
        if reach not in reaches(pending):
            return Told(f"That cannot be granted: {why_once(pending) or NOTHING_LIKE_IT}")
        return await self._approve(tap.user, pending, Carried(reach=reach))

    async def _read(self, written: Written, sheet: Sheet, pending: PendingRequest) -> Told:
        """Read a text for what is meant, and do it."""
        if sheet.kind is SheetKind.REASON:
            return await self._deny(written.user, pending, written.text.strip())
        is_proof = sheet.kind is SheetKind.TEACH_BACK
        if is_proof and read_reply(written.text).intent is not Intent.DENY:
            if self._is_paused():
                return Told(PAUSED)
            return _told(await self._proofs.explained(written, sheet), pending)
        reply = await understand_reply(written.text, pending, self._reader)
        if reply.intent is Intent.UNCLEAR:
            return Told(NOT_UNDERSTOOD)
        if reply.intent is Intent.DENY:
            return await self._deny(written.user, pending, reply.words)
        return await self._approve(written.user, pending, _carried(reply))

    async def _approve(self, user: int, pending: PendingRequest, carried: Carried) -> Told:
        """Approve, or begin the proof an approval needs."""
        if self._is_paused():
            return Told(PAUSED)
        fit = await asyncio.to_thread(fit_of_card, pending, self._chat.view(pending))
        if fit is Fit.DENY_ONLY:
            return Told("It is too long to be shown here whole: approve it elsewhere, or deny it.")
        if fit is Fit.FILE and user not in self._chat.book.opened(pending.id):
            return Told("Press Open and read the file first.")
        outcome = await self._chat.desk.answer(
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

    async def _deny(self, user: int, pending: PendingRequest, words: str) -> Told:
        """Deny."""
        outcome = await self._chat.desk.answer(
            Response(
                request_id=pending.id,
                nonce=pending.nonce,
                identity=identity(user),
                verdict=Verdict.DENY,
                words=words,
            )
        )
        return _told(outcome, pending)

    async def _ask_why(self, tap: Tap, pending: PendingRequest) -> Told:
        """Ask one person why they deny; what they reply denies."""
        asks: dict[str, Json] = {"force_reply": True, "selective": True}
        reply: dict[str, Json] = {
            "message_id": tap.message_id,
            "allow_sending_without_reply": True,
        }
        message_id = await self._chat.api.send(
            self._chat.terms.chat, ASK_WHY, reply_markup=asks, reply_parameters=reply
        )
        self._chat.book.keep(
            Sheet(
                message_id=message_id,
                kind=SheetKind.REASON,
                request_id=pending.id,
                nonce=pending.nonce,
                user=tap.user,
            )
        )
        return Told("Say why, in a reply.", is_alert=False)

    async def _chosen(self, code: str, tap: Tap, sheet: Sheet, pending: PendingRequest) -> Told:
        """Take a choice of a quiz."""
        if self._is_paused():
            return Told(PAUSED)
        outcome = await self._proofs.tapped(tap, sheet, code)
        if isinstance(outcome, str):
            return Told(outcome, is_alert=False)
        return _told(outcome, pending, sheet.reach)

    async def _open(self, user: int, pending: PendingRequest) -> Told:
        """Note that somebody opens the whole text."""
        sheet = self._chat.book.card_of(pending.id)
        if sheet is None or not sheet.has_all:
            return Told("The file is not there yet. Try again in a moment.")
        self._chat.book.note_open(pending.id, user)
        await self._chat.desk.open(pending.id, identity(user))
        return Told("Read the file above to its end.", is_alert=False, request_id=pending.id)

    def _details(self, tap: Tap, pending: PendingRequest) -> Told:
        """Have said what the session did so far; the card stays open, and others may answer it."""
        if len(self._saying) >= SAYING_LIMIT:
            return Told("Others wait for details already. Try again in a moment.")
        task = asyncio.get_running_loop().create_task(self._say_details(tap, pending))
        self._saying.add(task)
        task.add_done_callback(self._saying.discard)
        return Told("The details follow.", is_alert=False)

    async def _say_details(self, tap: Tap, pending: PendingRequest) -> None:
        try:
            once = why_once(pending)
            said = f"approved once only: {once}\n" if once else ""
            text = last_look(self._chat.mask(said + await self._summary.summary(pending)))
            shown = text if len(text) <= DETAILS_LIMIT else f"{text[:DETAILS_LIMIT]}..."
            await self._chat.say(f"so far:\n{shown}", reply_to=tap.message_id)
        except SignoffError as error:
            log.warning("telegram: details are not sent: %s", error)


def _carried(reply: Reply) -> Carried:
    """Return what an approval in words carries."""
    return Carried(words=reply.words, policy=reply.policy)


def _told(outcome: AnswerOutcome, pending: PendingRequest, reach: Reach = ONCE) -> Told:
    """Return what somebody is told of an outcome."""
    is_aloud = outcome.kind is OutcomeKind.APPROVED and reach != ONCE
    return Told(
        outcome.words,
        is_alert=not outcome.counted,
        request_id=pending.id,
        is_aloud=is_aloud,
    )
