"""Answers to cards in a conversation, and replies in words, made sure of and handed to the service.

A reply is kept in the store before it counts as arrived, and read from there: nothing is lost
between the two, and a slow model holds up no tap. A reply that fails is tried again, then passed
over loudly. Whoever may not answer is told so before a model reads a word. A proof is given in
words: a quiz by letters, an explanation as it is. By `confirm CODE` an admin lets a change hold
that was made in the files.

    answers.written(reply)             keeps it; `run` reads it
    prompt_text(step)                  what the prompt asks
    read_proof(step, "B A")            Proof(choices=(1, 0))
    await confirmed(place, "U1", "confirm K7QM-4T2P")    "" where the text is something else
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from msgspec import Struct

from signoff.assess.verdict import Verdict
from signoff.challenge.channel import AnswerOutcome, OutcomeKind, Response
from signoff.challenge.channels.scopes import ONCE, ScopeChoice, reaches
from signoff.challenge.pending import PendingRequest
from signoff.challenge.replies import NOT_UNDERSTOOD, Intent, read_reply, understand_reply
from signoff.challenge.terms.approver import ApproverRole
from signoff.challenge.terms.step import NO_PROOF, Proof, ProofKind, ProofStep
from signoff.challenge.visible import visible
from signoff.channels.passkey_page import NO_PAGE, offers_page
from signoff.channels.threads.card_face import STATE_WORDS
from signoff.channels.threads.message_store import ProofPrompt, ThreadReply
from signoff.channels.threads.reconciler import CardReconciler, ThreadPlace
from signoff.effects.admin_acts import AdminAct
from signoff.errors import SignoffError

log = logging.getLogger(__name__)

TRIES = 3
REPLY_LIMIT = 4_000  # characters
OLD_CARD = "This is an old or copied card. Nothing was changed."
# Deny is offered where a card is not whole, so it needs no look at the card.
NOT_WHOLE = "It is too long to be shown here whole: approve it elsewhere, or deny it."
TOO_LONG = "That is too long to be read as an answer. The request still waits."
NOT_YOURS = "This was asked of somebody else. Approve the card yourself."
PROMPT_OVER = "This question is over. Approve the card again."
NO_PROOF_READ = "That is no answer to the question, and the request still waits."
NOT_GRANTED = "That cannot be granted: "

COMMANDS = frozenset({"confirm", "/confirm"})
LONGEST = 40  # characters of a code, however it is grouped
NOT_ADMIN = "only an admin confirms changes"

LETTERS = "ABCDEFGH"
EXPLAIN = (
    "Reply to this message and say in your own words, 15 at least, what this call does and to"
    " what. Name what it is done to."
)
CHOOSE = "Reply to this message with one letter a question, in this order, such as `{example}`."


class CardAnswer(Struct, frozen=True, kw_only=True):
    """An answer as received; neither the person nor the request has been checked."""

    verdict: Verdict
    words: str = ""
    policy: str = ""
    reach: ScopeChoice = ONCE
    proof: Proof = NO_PROOF


# Asks for the proof an approval needs; returns what to say about it.
AskForProof: TypeAlias = Callable[[ThreadReply, AnswerOutcome, CardAnswer], Awaitable[str]]


class ThreadAnswers:
    """Handles the answers that people give in a conversation's threads.

    Args:
        ask_for_proof: called when a text approval needs a proof.
    """

    def __init__(
        self, place: ThreadPlace, reconciler: CardReconciler, *, ask_for_proof: AskForProof
    ) -> None:
        self._place, self._reconciler = place, reconciler
        self._ask_for_proof = ask_for_proof
        self._change_notifier = asyncio.Event()
        self.given_up = 0

    def written(self, reply: ThreadReply) -> None:
        """Store a reply to be handled by `run`.

        Raises:
            StoreError: it was not stored.
        """
        self._place.store.hear(reply)
        self._change_notifier.set()

    async def run(self) -> None:
        """Handle stored replies until cancelled."""
        while True:
            try:
                for reply in self._place.store.unread():
                    await self._read(reply)
            except SignoffError as error:
                log.warning("%s: a reply waits: %s", self._place.channel, error)
            try:
                async with asyncio.timeout(self._place.look_every_s):
                    await self._change_notifier.wait()
            except TimeoutError:
                continue
            self._change_notifier.clear()

    async def answer(self, user: str, pending: PendingRequest, said: CardAnswer) -> AnswerOutcome:
        """Check and store this user's answer to a request.

        Raises:
            SignoffError: it cannot be known whether it counted.
        """
        return await self._place.context.approval_service.answer(
            Response(
                request_id=pending.id,
                nonce=pending.nonce,
                identity=self._place.identity(user),
                verdict=said.verdict,
                words=said.words,
                proof=said.proof,
                scope=said.reach.scope,
                minutes=said.reach.minutes,
                policy=said.policy,
            )
        )

    async def open(self, user: str, pending: PendingRequest) -> AnswerOutcome:
        """Record that a user looks at a card; the outcome tells whether they may answer it.

        Raises:
            SignoffError: it cannot be recorded.
        """
        identity = self._place.identity(user)
        return await self._place.context.approval_service.open(pending.id, identity)

    async def lead(self, user: str, pending: PendingRequest, *, thread: str = "") -> str:
        """Send a user who may answer a personal link to the request's page.

        Returns a text to send instead if there is no link, else "".
        """
        seen = await self.open(user, pending)
        if seen.kind is OutcomeKind.NOT_ALLOWED:
            return seen.words
        link = ""
        if offers_page(pending, has_page=self._place.context.has_page):
            link = self._place.context.link_for(pending, self._place.identity(user))
        if not link:
            return NO_PAGE
        await self._place.client.lead(user, link, thread=thread)
        return ""

    async def _read(self, reply: ThreadReply) -> None:
        """Read something that was written; what fails is tried again, then passed over loudly.

        Raises:
            SignoffError: it is to be tried again.
        """
        # Counted in the store before it is read: a reply that kills the process is tried three
        # times only.
        if self._place.store.begin(reply) > TRIES:
            self.given_up += 1
            log.error("%s: a reply is passed over, it failed %d times", self._place.channel, TRIES)
        else:
            said = await self._replied(reply)
            if said:
                await self._place.client.tell(reply.user, said, thread=reply.thread)
        self._place.store.done(reply)

    async def _replied(self, reply: ThreadReply) -> str:
        """Do what a reply means; return what to say about it."""
        store, requests = self._place.store, self._place.context.requests
        prompt = store.prompt_at(reply.thread)
        message = prompt or store.at(reply.thread)
        pending = None if message is None else await requests.get(message.request_id)
        if pending is None:
            return OLD_CARD
        if not pending.state.is_open:
            return f"Too late: {STATE_WORDS[pending.state]}."
        # Also starts the time a person must have had for reading.
        seen = await self.open(reply.user, pending)
        if seen.kind is OutcomeKind.NOT_ALLOWED:
            return seen.words  # before a model reads a word of it
        if len(reply.text) > REPLY_LIMIT:
            return TOO_LONG
        # A plain no is heard first: who is asked for a proof can always deny in its place.
        if prompt is not None and read_reply(reply.text).intent is not Intent.DENY:
            return await self._proved(reply, prompt, seen)
        return await self._meant(reply, pending)

    async def _proved(self, reply: ThreadReply, prompt: ProofPrompt, seen: AnswerOutcome) -> str:
        """Hand in the proof that a reply to a prompt gives; return what to say about it."""
        pending, step = seen.pending, seen.step
        # A proof shows that one person understood; somebody else's reply shows nothing of them.
        if prompt.user != reply.user:
            return NOT_YOURS
        # Another person answered meanwhile, so this question is of a step that is over.
        if pending is None or step is None or len(pending.answers) != prompt.step:
            return PROMPT_OVER
        proof = read_proof(step, reply.text)
        if proof is None:
            return f"{NO_PROOF_READ} {prompt_text(step).splitlines()[-1]}"
        reach = ScopeChoice.of(prompt.reach) or ONCE
        answer = CardAnswer(
            verdict=Verdict.ALLOW,
            words=prompt.words,
            policy=prompt.policy,
            reach=reach,
            proof=proof,
        )
        outcome = await self.answer(reply.user, pending, answer)
        await self._reconciler.show_now(pending.id)
        return outcome.words

    async def _meant(self, reply: ThreadReply, pending: PendingRequest) -> str:
        """Interpret a text reply and act on it."""
        answer = await self._understood(reply.text, pending)
        if answer is None:
            return NOT_UNDERSTOOD
        if answer.verdict is Verdict.ALLOW and not self._place.client.is_whole(pending):
            return NOT_WHOLE
        outcome = await self.answer(reply.user, pending, answer)
        await self._reconciler.show_now(pending.id)
        if outcome.kind is OutcomeKind.PROOF_WANTED and outcome.step is not None:
            return await self._ask_for_proof(reply, outcome, answer)
        return outcome.words

    async def _understood(self, text: str, pending: PendingRequest) -> CardAnswer | None:
        """Return what a text means, None where that is unclear."""
        # The labels of the buttons, exactly: no model has to interpret them.
        word = text.strip().rstrip(".!").casefold()
        reach = next((one for one in reaches(pending) if one.label.casefold() == word), None)
        if reach is not None:
            return CardAnswer(verdict=Verdict.ALLOW, reach=reach)
        reply = await understand_reply(text, pending, self._place.context.reader)
        if reply.intent is Intent.UNCLEAR:
            return None
        verdict = Verdict.DENY if reply.intent is Intent.DENY else Verdict.ALLOW
        return CardAnswer(verdict=verdict, words=reply.words, policy=reply.policy)


async def confirmed(place: ThreadPlace, user: str, text: str) -> str:
    """Confirm a change by the code in a user's message; return the reply, "" if it has none."""
    word, _, code = text.strip().partition(" ")
    confirm, directory = place.context.services.confirm, place.context.services.directory
    # Anything longer is no code, and is left to be read as what it is: words.
    if word.casefold() not in COMMANDS or len(code) > LONGEST or confirm is None:
        return ""
    if user not in place.users:
        return ""
    try:
        person = None if directory is None else directory.find(place.identity(user))
        if directory is not None and (person is None or person.role is not ApproverRole.ADMIN):
            return NOT_ADMIN
        # In a thread: it writes files, and the daemon must go on answering meanwhile.
        by = str(place.identity(user))
        act = AdminAct(act="change.confirm", by=by, said="requested", channel=place.channel)
        await asyncio.to_thread(place.context.services.record, act)
        return await asyncio.to_thread(confirm, code.strip())
    except SignoffError as error:
        return f"that failed: {error}"


def prompt_text(step: ProofStep) -> str:
    """Return the text that asks one person for a proof."""
    if step.kind is ProofKind.TEACH_BACK:
        return EXPLAIN
    lines: list[str] = []
    for number, question in enumerate(step.questions, 1):
        lines.append(f"question {number} of {len(step.questions)}: {visible(question.text)}")
        named = zip(LETTERS, question.choices, strict=False)
        lines.extend(f"  {letter}) {visible(choice)}" for letter, choice in named)
    # Made without a look at the right answers, so the example tells nothing of them.
    example = " ".join(LETTERS[(at + 1) % 2] for at in range(len(step.questions)))
    return "\n".join([*lines, CHOOSE.format(example=example)])


def read_proof(step: ProofStep, text: str) -> Proof | None:
    """Parse a reply into the proof that a step needs, None if it does not fit."""
    match step.kind:
        case ProofKind.CONFIRM:
            return None
        case ProofKind.TEACH_BACK:
            return Proof(text=text) if text.strip() else None
        case ProofKind.QUIZ:
            letters = [char for char in text.upper() if char not in " ,.;)\n\t"]
            # One letter for each question: with fewer it is open which question was left out.
            is_whole = len(letters) == len(step.questions)
            if not is_whole or any(letter not in LETTERS for letter in letters):
                return None
            return Proof(choices=tuple(LETTERS.index(letter) for letter in letters))
