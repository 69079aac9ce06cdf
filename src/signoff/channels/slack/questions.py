"""Questions of the agent's in Slack: one button an option, one question after another.

Those who are asked in the conversation may answer; the first answer is the answer, and words in
the thread are an answer of their own. Questions live as long as the agent waits, in this process:
a tap on one of before is told so.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence

from msgspec import Struct, field

from signoff.actions.action import Json
from signoff.challenge.words.asking import AgentQuestion
from signoff.challenge.words.showing import LABEL_LIMIT, AsksInWords, shown
from signoff.channels.slack.cards import button, escaped, plain, preformatted
from signoff.channels.slack.client import SlackClient
from signoff.channels.slack.payloads import (
    MESSAGE_LIMIT,
    SlackTap,
    ThreadMessage,
    read_payload,
)
from signoff.channels.slack.socket_mode import Payload, Taken
from signoff.errors import SignoffError
from signoff.ids import is_same_secret

log = logging.getLogger(__name__)

SAY = "signoff_say_"
DONE, STOP = "done", "stop"
NONCE_BYTES = 16
HEADLINE_LIMIT = 200
TOO_LATE = "Too late: nobody waits for this answer any more."
FOREIGN = "You are not one of those who are asked here."
TOO_LONG = "That is too long to be read as an answer. The question still waits."


class _OpenSlackQuestion(Struct):
    """One question that waits for its answer."""

    message: str
    nonce: str
    text: str
    question: AgentQuestion
    is_stop: bool
    answer: asyncio.Future[str]
    ticked: set[int] = field(default_factory=set)


class SlackQuestions(AsksInWords):
    """Asks an agent's questions on Slack and waits for the answers."""

    def __init__(self, client: SlackClient, users: Sequence[str]) -> None:
        self._client, self._users = client, users
        self._open: dict[str, _OpenSlackQuestion] = {}  # by the message it is

    async def take(self, kind: str, payload: Payload) -> Taken | None:
        """Handle an envelope about a question; None if it is about something else."""
        said = read_payload(kind, payload)
        is_tap = isinstance(said, SlackTap) and said.action.startswith(SAY)
        if not (is_tap or (isinstance(said, ThreadMessage) and said.thread in self._open)):
            return None
        if (
            not isinstance(said, SlackTap | ThreadMessage)
            or said.conversation != self._client.conversation
        ):
            return None
        if said.user not in self._users:
            return self._told(said.user, FOREIGN)
        waiting = self._open.get(said.message if isinstance(said, SlackTap) else said.thread)
        if waiting is None or waiting.answer.done():
            return self._told(said.user, TOO_LATE)
        return (
            self._tapped(said, waiting) if isinstance(said, SlackTap) else self._said(said, waiting)
        )

    def _tapped(self, tap: SlackTap, waiting: _OpenSlackQuestion) -> Taken:
        """Handle a choice of an option."""
        code, options = tap.action.removeprefix(SAY), waiting.question.options
        # A button of another message could carry the same action: the nonce ties it to this
        # question.
        if not is_same_secret(waiting.nonce, tap.nonce):
            return self._told(tap.user, TOO_LATE)
        # Only where stopping was offered: for other questions an empty answer would be one nobody
        # gave.
        if code == STOP and waiting.is_stop:
            waiting.answer.set_result("")
            return Taken()
        if code == DONE and waiting.ticked:
            waiting.answer.set_result(", ".join(options[at].label for at in sorted(waiting.ticked)))
            return Taken()
        if not (code.isascii() and code.isdigit() and int(code) < len(options)):
            return self._told(tap.user, "Choose something first.")
        if waiting.question.takes_many:
            waiting.ticked ^= {int(code)}
            return Taken(after=lambda: self._show(waiting))
        waiting.answer.set_result(options[int(code)].label)
        return Taken()

    def _said(self, said: ThreadMessage, waiting: _OpenSlackQuestion) -> Taken:
        """Handle a text answer in the thread."""
        if len(said.text) > MESSAGE_LIMIT:
            return self._told(said.user, TOO_LONG)
        if said.text.strip():
            waiting.answer.set_result(said.text.strip())
        return Taken()

    async def _ask(self, question: AgentQuestion, text: str, *, is_stop: bool = False) -> str:
        """Ask one question and wait for its answer."""
        waiting = _OpenSlackQuestion(
            message="",
            nonce=secrets.token_hex(NONCE_BYTES),
            text=self._client.mask(text),
            question=question,
            is_stop=is_stop,
            answer=asyncio.get_running_loop().create_future(),
        )
        sent = await self._client.api.call(
            "chat.postMessage", self._body(waiting, _buttons(waiting))
        )
        waiting.message = str(sent.get("ts"))
        self._open[waiting.message] = waiting
        try:
            return await waiting.answer
        finally:
            # First: while the message is edited, a late tap must be told that it is too late.
            del self._open[waiting.message]
            is_answered = waiting.answer.done() and not waiting.answer.cancelled()
            note = plain("answered" if is_answered else "not answered here")
            await self._edit(waiting, note)

    async def _show(self, waiting: _OpenSlackQuestion) -> None:
        """Show the options chosen so far."""
        await self._edit(waiting, _buttons(waiting))

    async def _edit(self, waiting: _OpenSlackQuestion, last: Json) -> None:
        # A question that cannot be edited is one that looks open: a tap on it is told it is not.
        try:
            body = {**self._body(waiting, last), "ts": waiting.message}
            await self._client.api.call("chat.update", body)
        except SignoffError as error:
            log.warning("slack: a question is not brought up to date: %s", error)

    def _body(self, waiting: _OpenSlackQuestion, last: Json) -> dict[str, Json]:
        return {
            "channel": self._client.conversation,
            "text": escaped(waiting.text[:HEADLINE_LIMIT]),
            "blocks": [preformatted(waiting.text), last],
            "unfurl_links": False,
            "unfurl_media": False,
        }

    def _told(self, user: str, words: str) -> Taken:
        return Taken(after=lambda: self._client.tell(user, words))


def _buttons(waiting: _OpenSlackQuestion) -> Json:
    """Return one button an option, and one to end with where that is wanted."""
    question, nonce = waiting.question, waiting.nonce
    buttons = [
        button(
            f"{'[x] ' if at in waiting.ticked else ''}{shown(option.label, LABEL_LIMIT)}",
            f"{SAY}{at}",
            nonce,
        )
        for at, option in enumerate(question.options)
    ]
    if question.takes_many:
        buttons.append(button("Done", f"{SAY}{DONE}", nonce))
    if waiting.is_stop:
        buttons.append(button("Let it stop", f"{SAY}{STOP}", nonce))
    if not buttons:
        return plain("Answer in this thread.")
    return {"type": "actions", "elements": buttons}
