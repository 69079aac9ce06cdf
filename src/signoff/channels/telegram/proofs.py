"""Proofs in the chat: a quiz by buttons, an explanation as a reply; each for one person alone.

Every person who approves gets a message of their own, and only they can answer it. What was
chosen so far is kept with the message, so a restart asks the next question and not the first.
The approval service checks what is given and how fast it came.
"""

from __future__ import annotations

import logging
from string import digits

from msgspec import Struct

from signoff.actions.action import Json
from signoff.assess.verdict import Verdict
from signoff.challenge.channel import AnswerOutcome, OutcomeKind, Response
from signoff.challenge.channels.scopes import ONCE, ScopeChoice
from signoff.challenge.pending import PendingRequest
from signoff.challenge.terms.step import Proof, ProofKind, ProofStep, Question
from signoff.channels.telegram.bot_api.client import BotApiError
from signoff.channels.telegram.bot_api.updates import TelegramTap, TelegramText, button_data
from signoff.channels.telegram.cards import NO_KEYBOARD, escape_invisible, keyboard, units
from signoff.channels.telegram.message_store import (
    FINAL,
    SentMessageKind,
    TelegramSentMessage,
)
from signoff.channels.telegram.reconciler import Chat, identity
from signoff.errors import SignoffError
from signoff.values import replace

log = logging.getLogger(__name__)

LETTERS = "ABCDEFGH"
# Eight choices of this length fit into one message.
CHOICE_LIMIT = 400  # characters shown of one choice
EXPLAIN = (
    "Reply to this message and say in your own words, 15 at least, what this call does and to"
    " what. Name what it is done to."
)


class Carried(Struct, frozen=True, kw_only=True):
    """What an approval will carry once its proof is given: message, guideline, scope."""

    words: str = ""
    policy: str = ""
    reach: ScopeChoice = ONCE


class Proofs:
    """Asks people for proofs on Telegram and hands them in."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat

    async def begin(
        self, pending: PendingRequest, step: ProofStep, *, user: int, carried: Carried
    ) -> None:
        """Ask one person for the proof of a step.

        Raises:
            SignoffError: it was not asked; pressing Approve again asks again.
        """
        if step.kind is ProofKind.CONFIRM:
            return
        is_quiz = step.kind is ProofKind.QUIZ
        sent_message = TelegramSentMessage(
            message_id=0,
            kind=SentMessageKind.QUIZ if is_quiz else SentMessageKind.TEACH_BACK,
            request_id=pending.id,
            nonce=pending.nonce,
            user=user,
            # Which step it was made for: an answer by somebody else makes this quiz one of the
            # past.
            face=str(len(pending.answers)),
            words=carried.words,
            policy=carried.policy,
            reach=carried.reach,
        )
        card = self._chat.store.card_of(pending.id)
        reply: dict[str, Json] = {
            "message_id": 0 if card is None else card.message_id,
            "allow_sending_without_reply": True,
        }
        if is_quiz:
            text, more = _question(step, sent_message)
        else:
            text, more = EXPLAIN, {"reply_markup": {"force_reply": True, "selective": True}}
        more["reply_parameters"] = reply
        message_id = await self._chat.api.send(self._chat.terms.chat, text, **more)
        self._chat.store.keep(replace(sent_message, message_id=message_id))

    async def tapped(
        self, tap: TelegramTap, sent_message: TelegramSentMessage, code: str
    ) -> AnswerOutcome | str:
        """Handle one quiz choice; the last choice hands the quiz in.

        Returns the outcome, or a text while choices are missing.

        Raises:
            SignoffError: it cannot be known whether it counted.
        """
        outcome = await self._chat.approval_service.open(
            sent_message.request_id, identity(tap.user)
        )
        step = outcome.step
        if (
            step is None
            or step.kind is not ProofKind.QUIZ
            or not _is_current(outcome, sent_message)
        ):
            return outcome if step is None else "This question is over. Press Approve again."
        asked = len(sent_message.choices)
        if asked >= len(step.questions):
            return "This quiz is over. Press Approve again."
        # A button of an earlier question, pressed twice or late.
        if not _is_choice(code, asked, step.questions[asked]):
            await self._show(step, sent_message)
            return "That question was answered already."
        chosen = replace(sent_message, choices=(*sent_message.choices, int(code[2])))
        if len(chosen.choices) < len(step.questions):
            self._chat.store.keep(chosen)
            await self._show(step, chosen)
            return "Noted. Next question."
        return await self._handed_in(step, chosen)

    async def explained(
        self, written: TelegramText, sent_message: TelegramSentMessage
    ) -> AnswerOutcome:
        """Hand in a reply as the explanation that was asked for.

        Raises:
            SignoffError: it cannot be known whether it counted.
        """
        return await self._answer(sent_message, Proof(text=written.text))

    async def _handed_in(self, step: ProofStep, sent_message: TelegramSentMessage) -> AnswerOutcome:
        """Hand in a quiz whose questions are all answered."""
        store = self._chat.store
        store.keep(
            replace(sent_message, face=FINAL)
        )  # the board leaves it to us to say what came of it
        try:
            outcome = await self._answer(sent_message, Proof(choices=sent_message.choices))
        except SignoffError:
            store.keep(replace(sent_message, choices=sent_message.choices[:-1]))
            raise
        match outcome.kind:
            case OutcomeKind.TOO_FAST:  # the last choice may be made again
                store.keep(replace(sent_message, choices=sent_message.choices[:-1]))
            case OutcomeKind.WRONG_PROOF:
                # From the start: told which choice was wrong, one could find the rest by trying.
                again = replace(sent_message, choices=())
                store.keep(again)
                await self._show(step, again)
            case _:
                await self._close(sent_message, outcome.words)
        return outcome

    async def _answer(self, sent_message: TelegramSentMessage, proof: Proof) -> AnswerOutcome:
        return await self._chat.approval_service.answer(
            Response(
                request_id=sent_message.request_id,
                nonce=sent_message.nonce,
                identity=identity(sent_message.user),
                verdict=Verdict.ALLOW,
                words=sent_message.words,
                policy=sent_message.policy,
                scope=sent_message.reach.scope,
                minutes=sent_message.reach.minutes,
                proof=proof,
            )
        )

    async def _show(self, step: ProofStep, sent_message: TelegramSentMessage) -> None:
        """Show the question that is next, in place of the one before."""
        text, more = _question(step, sent_message)
        await self._replace(sent_message, text, **more)

    async def _close(self, sent_message: TelegramSentMessage, words: str) -> None:
        """Remove the buttons of a message."""
        await self._replace(sent_message, f"answered: {words}", reply_markup=NO_KEYBOARD)

    async def _replace(self, sent_message: TelegramSentMessage, text: str, **more: Json) -> None:
        """Replace a question; what was kept before is kept, whether this succeeds or not."""
        try:
            await self._chat.api.edit(self._chat.terms.chat, sent_message.message_id, text, **more)
        except BotApiError as error:
            log.warning("telegram: a question is left as it is: %s", error)


def _question(step: ProofStep, sent_message: TelegramSentMessage) -> tuple[str, dict[str, Json]]:
    """Return the question that is next, with one button a choice."""
    at = min(len(sent_message.choices), len(step.questions) - 1)
    question = step.questions[at]
    head = f"question {at + 1} of {len(step.questions)}: {escape_invisible(question.text)}"
    shown = "\n".join(
        f"{letter}) {escape_invisible(choice)[:CHOICE_LIMIT]}"
        for letter, choice in zip(LETTERS, question.choices, strict=False)
    )
    row = tuple(
        (letter, button_data(sent_message.nonce, f"q{at}{index}"))
        for index, letter in enumerate(LETTERS[: len(question.choices)])
    )
    pre: dict[str, Json] = {"type": "pre", "offset": units(head) + 1, "length": units(shown)}
    return f"{head}\n{shown}", {"entities": [pre], "reply_markup": keyboard(row)}


def _is_choice(code: str, asked: int, question: Question) -> bool:
    """Tell whether a button belongs to the question that was asked last."""
    return (
        len(code) == 3
        and code.startswith(f"q{asked}")
        and code[2] in digits
        and int(code[2]) < len(question.choices)
    )


def _is_current(outcome: AnswerOutcome, sent_message: TelegramSentMessage) -> bool:
    """Tell whether the step a quiz was made for is still the one that is next."""
    pending = outcome.pending
    return pending is not None and str(len(pending.answers)) == sent_message.face
