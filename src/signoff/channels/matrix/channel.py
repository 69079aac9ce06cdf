"""The Matrix channel: cards out and answers in, over the client-server API, while it runs.

Answers count only from those who are listened to, on a card or a prompt of this room. They are
kept before the position up to which the room was read moves on, so a restart loses none: what was
answered while no daemon ran is read when one starts.

    channel = MatrixChannel(place, api, client)
    task = asyncio.create_task(channel.run())
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping

from signoff.challenge.channel import AnswerOutcome, OutcomeKind
from signoff.challenge.channels.scopes import SESSION, why_once
from signoff.challenge.pending import PendingRequest
from signoff.channels.matrix.api import MatrixApi, SyncBatch
from signoff.channels.matrix.client import MatrixClient
from signoff.channels.matrix.events import MatrixEvent, MatrixReaction, MatrixReply, read_event
from signoff.channels.matrix.questions import MatrixQuestions
from signoff.channels.reloadable import Part
from signoff.channels.threads.answers import CardAnswer, ThreadAnswers
from signoff.channels.threads.message_store import ProofPrompt, ThreadReply
from signoff.channels.threads.proofs import prompt_text
from signoff.channels.threads.reconciler import CardReconciler, ThreadPlace
from signoff.errors import BadSettings, SignoffError

log = logging.getLogger(__name__)

WAIT_S = 25.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
ENCRYPTED = "the room is encrypted, and signoff cannot read it: use a room without encryption"
DETAILS = "details"
# What a reaction means, as the words that mean the same.
REACTIONS: Mapping[str, str] = {
    "\N{THUMBS UP SIGN}": "approve",
    "\N{WHITE HEAVY CHECK MARK}": "approve",
    "\N{HEAVY CHECK MARK}": "approve",
    "\N{THUMBS DOWN SIGN}": "deny",
    "\N{CROSS MARK}": "deny",
    "\N{ANTICLOCKWISE DOWNWARDS AND UPWARDS OPEN CIRCLE ARROWS}": SESSION.label,
    "\N{CLOCKWISE RIGHTWARDS AND LEFTWARDS OPEN CIRCLE ARROWS}": SESSION.label,
}


class MatrixChannel:
    """Asks people in one room."""

    def __init__(
        self, place: ThreadPlace, api: MatrixApi, client: MatrixClient, *, wait_s: float = WAIT_S
    ) -> None:
        self.name = place.channel
        self._place, self._api, self._client, self._wait_s = place, api, client, wait_s
        self._reconciler = CardReconciler(place)
        self._answers = ThreadAnswers(place, self._reconciler, ask_for_proof=self._prompt)
        self.in_words = MatrixQuestions(client)
        self._bot = ""
        self._problem = "not connected yet"
        self._refused = self._missed = 0

    @property
    def problem(self) -> str:
        """What is wrong with this channel, "" if nothing is; holds no secret."""
        return self._problem or self._reconciler.problem

    @property
    def status(self) -> str:
        """The state of the line, in a word, and the bot."""
        bot = f" as {self._bot}" if self._bot else ""
        refused = f", {self._refused} refused" if self._refused else ""
        lost = self._answers.given_up + self._missed
        return f"{self.state}{bot}{refused}{f', {lost} passed over' if lost else ''}"

    @property
    def state(self) -> str:
        """The same without anything that names anybody."""
        return "down" if self._problem else "connected"

    @property
    def parts(self) -> tuple[Part, ...]:
        """What runs side by side."""
        return (self.run,)

    async def run(self) -> None:
        """Send and take in until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._arrivals())
            group.create_task(self._reconciler.run())
            group.create_task(self._answers.run())

    def close(self) -> None:
        """Let go of the store."""
        self._place.store.close()

    async def announce(self, pending: PendingRequest) -> None:
        """Show the card; one that is there already is brought up to date.

        Raises:
            SignoffError: it could not be shown now; it is tried again while this runs.
        """
        await self._reconciler.announce(pending)

    async def update(self, pending: PendingRequest) -> None:
        """Bring the card up to date, if it is known which message it is.

        Raises:
            SignoffError: it could not be edited now; it is tried again while this runs.
        """
        await self._reconciler.show(pending.id)

    async def tell(self, text: str) -> None:
        """Say something in the room.

        Raises:
            SignoffError: it was not said.
        """
        await self._client.say(text)

    async def _arrivals(self) -> None:
        """Enter the room and read what happens there, until cancelled."""
        pause_s = FIRST_PAUSE_S
        while True:
            try:
                if not self._bot:
                    await self._enter()
                await self._take(await self._synced())
                self._problem, pause_s = "", FIRST_PAUSE_S
            except SignoffError as error:
                if str(error) != self._problem:
                    log.warning("matrix: not connected: %s", error)
                self._problem = str(error)
                await asyncio.sleep(pause_s * self._place.pause_s)
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    async def _enter(self) -> None:
        """Learn who the bot is, and join the room.

        Raises:
            SignoffError: it cannot be entered, or cannot be read.
        """
        bot = await self._api.whoami()
        if bot in self._place.users:
            raise BadSettings(f"`users` names the bot itself: {bot}")
        await self._api.join()
        if await self._api.is_encrypted():
            raise BadSettings(ENCRYPTED)
        self._bot = bot

    async def _synced(self) -> SyncBatch:
        """Return what happened since the room was last read, at first its newest events.

        Raises:
            SignoffError: the homeserver or the store cannot be reached.
        """
        position = self._place.store.position()
        # The first answer after a failure comes at once: it says that the line is there.
        wait_s = self._wait_s if position and not self._problem else 0.0
        return await self._api.sync(position, wait_s=wait_s)

    async def _take(self, batch: SyncBatch) -> None:
        """Keep the answers of a batch, then move on.

        Raises:
            SignoffError: they are not kept; the same batch comes again.
        """
        if batch.is_limited:
            self._missed += 1
            log.error("matrix: too much was said in the room: some answers were not seen")
        for entry in batch.events:
            event = read_event(entry)
            if event is None or event.sender == self._bot:
                continue
            if event.sender in self._place.users:
                await self._taken(event)
            elif self._is_ours(event):
                self._refused += 1
                log.warning("matrix: somebody who is not listed was refused")
        self._place.store.move_to(batch.position)

    async def _taken(self, event: MatrixReaction | MatrixReply) -> None:
        """Take what somebody who is listened to answered."""
        if isinstance(event, MatrixReaction):
            word = REACTIONS.get(event.key, "")
            if word and self._place.store.at(event.target) is not None:
                self._keep(event, event.target, word)
            return
        for target in event.targets:
            if self.in_words.is_asked(target):
                said = self.in_words.replied(target, event.text)
                if said:
                    await self._client.tell(event.sender, said, thread=target)
                return
            card = self._place.store.at(target)
            if card is not None and event.text.casefold() == DETAILS:
                await self._details(event.sender, card.request_id, target)
                return
            if card is not None or self._place.store.prompt_at(target) is not None:
                self._keep(event, target, event.text)
                return

    def _keep(self, event: MatrixReaction | MatrixReply, target: str, text: str) -> None:
        """Have an answer read in its turn."""
        reply = ThreadReply(message=event.event_id, thread=target, user=event.sender, text=text)
        self._answers.written(reply)

    def _is_ours(self, event: MatrixEvent) -> bool:
        """Tell whether an event answers a card."""
        if event is None:
            return False
        targets = (event.target,) if isinstance(event, MatrixReaction) else event.targets
        return any(self._place.store.at(target) is not None for target in targets)

    async def _details(self, user: str, request_id: str, thread: str) -> None:
        """Say what the session did so far, to somebody who may answer."""
        pending = await self._place.context.requests.get(request_id)
        if pending is None:
            return
        seen = await self._answers.open(user, pending)
        if seen.kind is OutcomeKind.NOT_ALLOWED:
            await self._client.tell(user, seen.words, thread=thread)
            return
        once = why_once(pending)
        said = f"approved once only: {once}\n" if once else ""
        so_far = await self._place.context.summary.summary(pending)
        await self._client.tell(user, f"so far:\n{said}{so_far}", thread=thread)

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
        self._place.store.prompt(
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
