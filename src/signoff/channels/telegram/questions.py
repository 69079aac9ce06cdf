"""Questions of the agent's in the chat: one button an option, one question after another.

Whoever is listened to may answer; the first answer is the answer. A reply in words is an answer
of its own. Questions live as long as the agent waits: after a restart nobody does, and an answer
is told so.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets

from msgspec import Struct, field

from signoff.actions.action import Json
from signoff.challenge.words.asking import AgentQuestion
from signoff.challenge.words.showing import LABEL_LIMIT, AsksInWords, shown
from signoff.channels.telegram.answers import NO_TEXT, OLD_CARD, REPLY_LIMIT, TOO_LONG
from signoff.channels.telegram.bot_api.client import BotApiError
from signoff.channels.telegram.bot_api.updates import (
    NONCE_BYTES,
    TelegramTap,
    TelegramText,
    button_data,
    read_data,
)
from signoff.channels.telegram.cards import NO_KEYBOARD, escape_invisible, keyboard
from signoff.channels.telegram.message_store import SentMessageKind, TelegramSentMessage
from signoff.channels.telegram.reconciler import Chat

DONE, STOP = "d", "s"
TOO_LATE = "Too late: nobody waits for this answer any more."


class _OpenTelegramQuestion(Struct):
    """One question that waits for its answer."""

    sent_message: TelegramSentMessage
    text: str
    question: AgentQuestion
    answer: asyncio.Future[str]
    ticked: set[int] = field(default_factory=set)


class TelegramQuestions(AsksInWords):
    """Asks an agent's questions on Telegram and waits for the answers."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self._open: dict[int, _OpenTelegramQuestion] = {}

    async def tapped(self, tap: TelegramTap, sent_message: TelegramSentMessage) -> str:
        """Handle a tap on a question; return the reply to the person."""
        pressed, waiting = read_data(tap.data), self._open.get(sent_message.message_id)
        if waiting is None or waiting.answer.done():
            return TOO_LATE
        if pressed is None or pressed.nonce != sent_message.nonce:
            return OLD_CARD
        code = pressed.code
        if code == STOP:
            waiting.answer.set_result("")
            return "It stops."
        return await self._choose(waiting, code)

    async def _choose(self, waiting: _OpenTelegramQuestion, code: str) -> str:
        """Handle a choice; return the reply to the person."""
        options = waiting.question.options
        if code == DONE:
            if not waiting.ticked:
                return "Choose something first."
            waiting.answer.set_result(", ".join(options[at].label for at in sorted(waiting.ticked)))
            return "Noted."
        if not (code.isascii() and code.isdigit()) or int(code) >= len(options):
            return OLD_CARD
        if waiting.question.takes_many:
            # A second press takes the choice back.
            waiting.ticked ^= {int(code)}
            await self._show(waiting)
            return "Press Done when all is chosen."
        waiting.answer.set_result(options[int(code)].label)
        return "Noted."

    def replied(self, written: TelegramText, sent_message: TelegramSentMessage) -> str:
        """Handle a text reply to a question; return the reply to the person."""
        waiting = self._open.get(sent_message.message_id)
        if waiting is None or waiting.answer.done():
            return TOO_LATE
        if len(written.text) > REPLY_LIMIT:
            return TOO_LONG
        if not written.text.strip():
            return NO_TEXT
        waiting.answer.set_result(written.text.strip())
        return "Noted."

    async def _ask(self, question: AgentQuestion, text: str, *, is_stop: bool = False) -> str:
        """Ask one question and wait for its answer."""
        # New for each question: buttons of an earlier one with the same options say nothing here.
        nonce = secrets.token_hex(NONCE_BYTES)
        buttons = _buttons(question, nonce, frozenset(), is_stop=is_stop)
        message_id = await self._chat.api.send(
            self._chat.terms.chat, self._clean(text), reply_markup=buttons
        )
        sent_message = TelegramSentMessage(
            message_id=message_id,
            kind=SentMessageKind.QUESTION,
            request_id="",
            nonce=nonce,
            face="open",
        )
        self._chat.store.keep(sent_message)
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._open[message_id] = _OpenTelegramQuestion(
            sent_message, self._clean(text), question, answer
        )
        try:
            return await answer
        finally:
            waiting = self._open.pop(message_id)
            # Cancelled where another channel was faster, or where the agent went away.
            is_answered = answer.done() and not answer.cancelled()
            await self._close(waiting, "answered" if is_answered else "not answered here")

    async def _show(self, waiting: _OpenTelegramQuestion) -> None:
        """Show the options chosen so far."""
        buttons = _buttons(
            waiting.question, waiting.sent_message.nonce, frozenset(waiting.ticked), is_stop=False
        )
        await self._edit(waiting.sent_message.message_id, waiting.text, buttons)

    async def _close(self, waiting: _OpenTelegramQuestion, said: str) -> None:
        """Remove the buttons of a question."""
        await self._edit(waiting.sent_message.message_id, f"{waiting.text}\n[{said}]", NO_KEYBOARD)

    async def _edit(self, message_id: int, text: str, buttons: Json) -> None:
        # A question that cannot be edited is one that looks open: a tap on it is told it is not.
        with contextlib.suppress(BotApiError):
            await self._chat.api.edit(self._chat.terms.chat, message_id, text, reply_markup=buttons)

    def _clean(self, text: str) -> str:
        return escape_invisible(self._chat.mask(text))


def _buttons(question: AgentQuestion, nonce: str, ticked: frozenset[int], *, is_stop: bool) -> Json:
    """Return one button an option, and one to end with where that is wanted."""
    rows = [
        (
            (
                f"{'[x] ' if at in ticked else ''}{shown(option.label, LABEL_LIMIT)}",
                button_data(nonce, str(at)),
            ),
        )
        for at, option in enumerate(question.options)
    ]
    if question.takes_many:
        rows.append((("Done", button_data(nonce, DONE)),))
    if is_stop:
        rows.append((("Let it stop", button_data(nonce, STOP)),))
    return keyboard(*rows)
