"""Questions of the agent's in a conversation: answered by a reply, in words or by a letter.

Those who are listened to may answer; the first answer is the answer. Questions live as long as the
agent waits, in this process: a reply to one of before is told so.
"""

from __future__ import annotations

import asyncio
import logging

import msgspec

from signoff.challenge.words.asking import AgentQuestion
from signoff.challenge.words.showing import LABEL_LIMIT, AsksInWords, shown
from signoff.channels.threads.answers import LETTERS, REPLY_LIMIT
from signoff.channels.threads.text_client import TextClient
from signoff.errors import SignoffError

log = logging.getLogger(__name__)

STOP = "stop"
KEPT = 200  # questions of before, so that a reply to one is told that it is over
TOO_LATE = "Too late: nobody waits for this answer any more."
TOO_LONG = "That is too long to be read as an answer. The question still waits."


class _OpenTextQuestion(msgspec.Struct):
    """One question that waits for its answer."""

    question: AgentQuestion
    is_stop: bool
    answer: asyncio.Future[str]


class TextQuestions(AsksInWords):
    """Asks an agent's questions in text messages and waits for the answers."""

    def __init__(self, client: TextClient) -> None:
        self._client = client
        self._asked: dict[str, _OpenTextQuestion] = {}  # by the message it is

    def is_asked(self, message: str) -> bool:
        """Return whether the message with this id asks an agent's question."""
        return message in self._asked

    def replied(self, message: str, text: str) -> str:
        """Handle a reply to a question; return the reply to the person, "" for none."""
        asked = self._asked[message]
        if asked.answer.done():
            return TOO_LATE
        if len(text) > REPLY_LIMIT:
            return TOO_LONG
        if text.strip():
            asked.answer.set_result(_meant(asked, text.strip()))
        return ""

    async def _ask(self, question: AgentQuestion, text: str, *, is_stop: bool = False) -> str:
        """Ask one question and wait for its answer."""
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        whole = "\n".join([text, *_how(question, is_stop=is_stop)])
        message = await self._client.say(whole)
        self._asked[message] = _OpenTextQuestion(question, is_stop, answer)
        while len(self._asked) > KEPT:
            del self._asked[next(iter(self._asked))]
        try:
            return await answer
        finally:
            is_answered = answer.done() and not answer.cancelled()
            # Whoever replies from now on is told that nobody waits any more.
            answer.cancel()
            said = "answered" if is_answered else "not answered here"
            await self._close(message, f"{whole}\n[{said}]")

    async def _close(self, message: str, text: str) -> None:
        # A question that cannot be edited looks open: a reply to it is told that it is not.
        try:
            await self._client.replace(message, text)
        except SignoffError as error:
            log.warning("a question is not brought up to date: %s", error)


def _how(question: AgentQuestion, *, is_stop: bool) -> list[str]:
    """Return the lettered options, and how to answer."""
    named = zip(LETTERS, question.options, strict=False)
    lines = [f"{letter}) {shown(option.label, LABEL_LIMIT)}" for letter, option in named]
    if lines:
        several = "letters, such as `A C`," if question.takes_many else "a letter"
        lines.append(f"Reply to this message with {several} or in your own words.")
    if is_stop:
        lines.append(f"Reply `{STOP}` to let it stop.")
    return lines


def _meant(asked: _OpenTextQuestion, text: str) -> str:
    """Return the answer a reply gives: the options its letters name, else its words."""
    if asked.is_stop:
        # An empty answer is how an agent's stop is let through; an empty reply never gets here.
        return "" if text.casefold() == STOP else text
    options = dict(zip(LETTERS, asked.question.options, strict=False))
    letters = text.upper().replace(",", " ").split()
    is_choice = letters and all(letter in options for letter in letters)
    # `A B` where one option is wanted is passed on as words: picking the first would be a guess.
    if not is_choice or (len(letters) > 1 and not asked.question.takes_many):
        return text
    return ", ".join(options[letter].label for letter in dict.fromkeys(letters))
