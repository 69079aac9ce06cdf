"""A channel of plain texts: cards out, replies in, over whatever line a messenger has.

A messenger gives the line: one round of it waits for answers and hands each to `take`. Answers
count only from those who are listened to, on a card or a prompt of this conversation. They are
kept before the line moves on, so a restart loses none.

    channel = TextChannel(place, client, receive=line.receive)
    task = asyncio.create_task(channel.run())
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import msgspec

from signoff.challenge.channel import AnswerOutcome, OutcomeKind
from signoff.challenge.channels.scopes import why_once
from signoff.challenge.pending import PendingRequest
from signoff.channels.passkey_page import WORD
from signoff.channels.reloadable import Part
from signoff.channels.threads.answers import CardAnswer, ThreadAnswers, confirmed, prompt_text
from signoff.channels.threads.message_store import ProofPrompt, ThreadReply
from signoff.channels.threads.questions import TextQuestions
from signoff.channels.threads.reconciler import CardReconciler, ThreadPlace
from signoff.channels.threads.text_client import TextClient
from signoff.errors import SignoffError

log = logging.getLogger(__name__)

FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
DETAILS = "details"


class TextAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An answer a user gave in a text conversation.

    Args:
        message: id of their message; the same one counts once.
        targets: ids of messages it may answer, likeliest first.
    """

    message: str
    user: str
    targets: tuple[str, ...]
    text: str


class TextChannel:
    """Asks people in one conversation of text messages.

    Args:
        receive: waits for events and handles them; raises SignoffError if the connection is lost.
    """

    def __init__(self, place: ThreadPlace, client: TextClient, *, receive: Receive) -> None:
        self.name = place.channel
        self.place, self._client, self._receive = place, client, receive
        self._reconciler = CardReconciler(place)
        self._answers = ThreadAnswers(place, self._reconciler, ask_for_proof=self._prompt)
        self.in_words = TextQuestions(client)
        self.bot = ""
        self.missed = self._refused = 0
        self.line_problem = "not connected yet"

    @property
    def problem(self) -> str:
        """What is wrong with this channel, "" if nothing is; holds no secret."""
        return self.line_problem or self._reconciler.problem

    @property
    def status(self) -> str:
        """State of the connection in one word, and the bot's name."""
        bot = f" as {self.bot}" if self.bot else ""
        refused = f", {self._refused} refused" if self._refused else ""
        lost = self._answers.given_up + self.missed
        return f"{self.state}{bot}{refused}{f', {lost} passed over' if lost else ''}"

    @property
    def state(self) -> str:
        """State of the connection, without names."""
        return "down" if self.line_problem else "connected"

    @property
    def parts(self) -> tuple[Part, ...]:
        """Return the coroutines that must run side by side."""
        return (self.run,)

    async def run(self) -> None:
        """Send and receive until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._arrivals())
            group.create_task(self._reconciler.run())
            group.create_task(self._answers.run())

    def close(self) -> None:
        """Close the message store."""
        self.place.store.close()

    async def announce(self, pending: PendingRequest) -> None:
        """Show a request's card, or update the one that is there.

        Raises:
            SignoffError: it could not be shown now; it is retried while the channel runs.
        """
        await self._reconciler.announce(pending)

    async def update(self, pending: PendingRequest) -> None:
        """Update the card of a request, if one was sent.

        Raises:
            SignoffError: it could not be edited now; it is retried while the channel runs.
        """
        await self._reconciler.show(pending.id)

    async def tell(self, text: str) -> None:
        """Send a notice to the conversation.

        Raises:
            SignoffError: it was not sent.
        """
        await self._client.say(text)

    async def take(self, answer: TextAnswer) -> None:
        """Handle an answer; it is stored once this returns.

        Raises:
            SignoffError: it was not stored; the caller must deliver it again.
        """
        store = self.place.store
        cards = {target: store.at(target) for target in answer.targets}
        # Counted only for a reply to a card: other talk in the room is nobody's attempt to answer.
        if answer.user not in self.place.users:
            self._refused += any(cards.values())
            return
        for target, card in cards.items():
            # First: a reply to an agent's question must never count as an answer to a request.
            if self.in_words.is_asked(target):
                await self._to_question(answer, target)
            elif card is not None and answer.text.casefold() == DETAILS:
                await self._details(answer.user, card.request_id, target)
            elif card is not None and answer.text.casefold() == WORD:
                await self._lead(answer.user, card.request_id, target)
            elif card is not None or store.prompt_at(target) is not None:
                self._answers.written(
                    ThreadReply(
                        message=answer.message, thread=target, user=answer.user, text=answer.text
                    )
                )
            else:
                continue
            return
        # Last: a code counts wherever it is written, but a reply to a card is an answer first.
        if words := await confirmed(self.place, answer.user, answer.text):
            await self._client.tell(answer.user, words, thread=next(iter(answer.targets), ""))

    async def _to_question(self, answer: TextAnswer, question: str) -> None:
        """Hand an answer to a question of an agent's."""
        said = self.in_words.replied(question, answer.text)
        if said:
            await self._client.tell(answer.user, said, thread=question)

    async def _arrivals(self) -> None:
        """Receive, again and again, until cancelled."""
        pause_s = FIRST_PAUSE_S
        while True:
            try:
                await self._receive(self)
                self.line_problem, pause_s = "", FIRST_PAUSE_S
            except SignoffError as error:
                # Once for each reason: a line that is down all night must not fill the log.
                if str(error) != self.line_problem:
                    log.warning("%s: not connected: %s", self.name, error)
                self.line_problem = str(error)
                await asyncio.sleep(pause_s * self.place.pause_s)
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    async def _details(self, user: str, request_id: str, thread: str) -> None:
        """Say what the session did so far, to somebody who may answer."""
        pending = await self.place.context.requests.get(request_id)
        if pending is None:
            return
        seen = await self._answers.open(user, pending)
        if seen.kind is OutcomeKind.NOT_ALLOWED:
            await self._client.tell(user, seen.words, thread=thread)
            return
        once = why_once(pending)
        said = f"approved once only: {once}\n" if once else ""
        so_far = await self.place.context.summary.summary(pending)
        await self._client.tell(user, f"so far:\n{said}{so_far}", thread=thread)

    async def _lead(self, user: str, request_id: str, thread: str) -> None:
        """Give somebody who may answer a link to the page of the request."""
        pending = await self.place.context.requests.get(request_id)
        words = await self._answers.lead(user, pending, thread=thread) if pending else ""
        if words:
            await self._client.tell(user, words, thread=thread)

    async def _prompt(self, reply: ThreadReply, outcome: AnswerOutcome, said: CardAnswer) -> str:
        """Ask one person for a proof; what they reply to the prompt hands it in.

        Raises:
            SignoffError: it was not asked; the reply is read again.
        """
        pending, step = outcome.pending, outcome.step
        if pending is None or step is None:
            return outcome.words
        text = prompt_text(step)
        message = await self._client.say(text, reply_to=reply.thread, user=reply.user)
        self.place.store.prompt(
            ProofPrompt(
                message=message,
                request_id=pending.id,
                user=reply.user,
                step=len(pending.answers),
                words=said.words,
                policy=said.policy,
                reach=said.reach.code,
            )
        )
        return ""


Receive: TypeAlias = Callable[[TextChannel], Awaitable[None]]
