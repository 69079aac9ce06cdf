"""What comes in from the chat: who speaks is looked at first, then what it is about.

Strangers are told nothing but that they may not answer. An answer is stored before anybody is told;
telling that fails is no reason to take an answer twice.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import assert_never

from signoff.challenge.pending import RequestState
from signoff.channels.telegram.answers import (
    FOREIGN,
    OLD_CARD,
    AnswerNotice,
    TelegramAnswerHandler,
)
from signoff.channels.telegram.bot_api.client import BotApiError
from signoff.channels.telegram.bot_api.updates import Nothing, TelegramTap, TelegramText, Update
from signoff.channels.telegram.commands import Commands, reply_to_free_text
from signoff.channels.telegram.message_store import SentMessageKind
from signoff.channels.telegram.questions import TelegramQuestions
from signoff.channels.telegram.reconciler import Chat, TelegramCardReconciler
from signoff.errors import SignoffError

log = logging.getLogger(__name__)

NOT_A_CARD = "Reply to a card or to a question of mine; /help says how."
WAITING_LIMIT = 1_000


class Intake:
    """Dispatches received updates: taps, replies and commands."""

    def __init__(
        self,
        chat: Chat,
        reconciler: TelegramCardReconciler,
        *,
        answers: TelegramAnswerHandler,
        questions: TelegramQuestions,
        commands: Commands,
        bot_name: Callable[[], str],
    ) -> None:
        self._chat, self._reconciler = chat, reconciler
        self._answers, self._questions, self._commands = answers, questions, commands
        self._bot_name = bot_name
        self.refused = 0

    async def handle(self, update: Update) -> None:
        """Handle one update.

        Raises:
            SignoffError: it may not be handled; retry it.
        """
        match update:
            case TelegramTap():
                told = await self._tapped(update)
                await self._tell_tap(update.callback_id, told)
                await self._show(told.request_id)
                if told.is_aloud:
                    await self._say(told.words, reply_to=update.message_id)
            case TelegramText():
                await self._written(update)
            case Nothing():
                self.refused += 1
                log.info("telegram: an update is left out: %s", update.why)
                if update.callback_id:
                    await self._tell_tap(update.callback_id, AnswerNotice(OLD_CARD))
            case _:
                assert_never(update)

    async def _tapped(self, tap: TelegramTap) -> AnswerNotice:
        if not self._chat.terms.admits(tap.chat, tap.user):
            return self._stranger()
        sent_message = self._chat.store.at(tap.message_id)
        if sent_message is None:
            return AnswerNotice(OLD_CARD)
        if sent_message.kind is SentMessageKind.QUESTION:
            return AnswerNotice(await self._questions.tapped(tap, sent_message), is_alert=False)
        return await self._answers.tapped(tap, sent_message)

    async def _written(self, written: TelegramText) -> None:
        """Deal with a message: a command, a reply to a message of ours, or free text."""
        if not self._chat.terms.admits(written.chat, written.user):
            self._stranger()
            return
        if written.text.startswith("/"):
            await self._say(
                await self._commands.answer(written.text, written.user), reply_to=written.message_id
            )
            return
        if not written.reply_to:
            await self._free_text(written)
            return
        sent_message = self._chat.store.at(written.reply_to)
        if sent_message is None:
            await self._say(NOT_A_CARD, reply_to=written.message_id)
        elif sent_message.kind is SentMessageKind.QUESTION:
            await self._say(
                self._questions.replied(written, sent_message), reply_to=written.message_id
            )
        else:
            told = await self._answers.replied(written, sent_message)
            await self._say(told.words, reply_to=written.message_id)
            await self._show(told.request_id)

    async def _free_text(self, written: TelegramText) -> None:
        """Say that a message answers nothing, where it is meant for the bot."""
        if not _is_to_the_bot(written, self._bot_name()):
            return
        waiting = await self._chat.requests.listed(RequestState.PENDING, limit=WAITING_LIMIT)
        await self._say(reply_to_free_text(len(waiting)), reply_to=written.message_id)

    def _stranger(self) -> AnswerNotice:
        self.refused += 1
        log.warning("telegram: somebody who is not listed, or in another chat, was refused")
        return AnswerNotice(FOREIGN)

    async def _tell_tap(self, callback_id: str, told: AnswerNotice) -> None:
        try:
            await self._chat.api.answer_tap(callback_id, told.words, is_alert=told.is_alert)
        except BotApiError as error:
            log.warning("telegram: a tap is not answered: %s", error)

    async def _say(self, words: str, *, reply_to: int) -> None:
        try:
            if words:
                await self._chat.say(words, reply_to=reply_to)
        except BotApiError as error:
            log.warning("telegram: a reply is not answered: %s", error)

    async def _show(self, request_id: str) -> None:
        """Bring a card up to date now; what fails is done by the board later."""
        if not request_id:
            return
        try:
            await self._reconciler.show(request_id)
        except SignoffError as error:
            log.warning("telegram: a card is brought up to date later: %s", error)
            self._reconciler.name(request_id)


def _is_to_the_bot(written: TelegramText, bot_name: str) -> bool:
    """Tell whether free text is meant for the bot; groups have numbers below zero."""
    is_named = bool(bot_name) and f"@{bot_name}".casefold() in written.text.casefold().split()
    return written.chat > 0 or is_named
