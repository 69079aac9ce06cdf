"""Answers in Slack: taps, dialogs and words in a thread, made sure of and handed to the desk.

An answer counts only from the configured conversation, on the card of a request that is open, by
somebody the desk knows. The desk commits; only then Slack is told that the answer arrived, and
after that the person is told and the card is edited. Words in a thread are kept in the book before
Slack is told, and read from there: nothing is lost between the two, and a slow model holds up no
tap.

    taken = await answers.take("interactive", payload)
    await acknowledge(taken.answer)
    await taken.after()
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

from signoff.actions.action import Json
from signoff.assess.verdict import Verdict
from signoff.challenge.channel import AnswerOutcome, OutcomeKind, Response
from signoff.challenge.channels.scopes import ONCE, SESSION, ScopeChoice, reaches, why_once
from signoff.challenge.channels.slack.cards import (
    APPROVE,
    DENY,
    DETAILS,
    FOR_SESSION,
    MORE,
    STATE_WORDS,
    is_whole,
)
from signoff.challenge.channels.slack.message_store import SlackSentMessage, ThreadReply
from signoff.challenge.channels.slack.payloads import (
    MESSAGE_LIMIT,
    MenuChoice,
    SlackTap,
    Submission,
    ThreadMessage,
    read_payload,
)
from signoff.challenge.channels.slack.reconciler import CHANNEL, SlackCardReconciler, SlackPlace
from signoff.challenge.channels.slack.socket_mode import NOTHING, Payload, Taken
from signoff.challenge.channels.slack.views import DialogState, more_view, proof_view
from signoff.challenge.pending import PendingRequest
from signoff.challenge.replies import NOT_UNDERSTOOD, Intent, understand_reply
from signoff.challenge.terms.approver import Identity
from signoff.challenge.terms.step import NO_PROOF, Proof
from signoff.errors import SignoffError

log = logging.getLogger(__name__)

TRIES = 3
OLD_CARD = "This is an old or copied card. Nothing was changed."
# Deny is offered where a card is not whole, so it needs no look at the card.
NOT_WHOLE = "It is too long to be shown here whole: approve it elsewhere, or deny it."
TOO_LONG = "That is too long to be read as an answer. The request still waits."
PROOF_BY_BUTTON = "This needs a proof, which is taken in a dialog: press Approve on the card."
NOT_GRANTED = "That cannot be granted: "


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackAnswer:
    """What somebody answered, whoever it was and to whatever request."""

    verdict: Verdict
    words: str = ""
    policy: str = ""
    reach: ScopeChoice = ONCE
    proof: Proof = NO_PROOF


class SlackAnswerHandler:
    """Takes answers."""

    def __init__(self, place: SlackPlace, reconciler: SlackCardReconciler) -> None:
        self._place, self._reconciler = place, reconciler
        self._change_notifier = asyncio.Event()
        self.given_up = 0

    async def take(self, kind: str, payload: Payload) -> Taken:
        """Take an envelope; what it says is kept once this returns.

        Raises:
            SignoffError: it cannot be known whether it counted; it must not be acknowledged.
        """
        said = read_payload(kind, payload)
        match said:
            case SlackTap() if said.conversation == self._place.conversation:
                return await self._tapped(said)
            case ThreadMessage() if said.conversation == self._place.conversation:
                return self._written(said)
            case Submission():
                return await self._submitted(said)
            case MenuChoice():
                return await self._chosen(said)
            case _:
                return NOTHING

    async def run(self) -> None:
        """Read what was written, until cancelled."""
        while True:
            try:
                for written in self._place.book.unread():
                    await self._read(written)
            except SignoffError as error:
                log.warning("slack: a reply waits: %s", error)
            try:
                async with asyncio.timeout(self._place.look_every_s):
                    await self._change_notifier.wait()
            except TimeoutError:
                continue
            self._change_notifier.clear()

    async def _tapped(self, tap: SlackTap) -> Taken:
        """Take a tap on a button."""
        pending = await self._place.requests.by_nonce(tap.nonce)
        sent_message = None if pending is None else self._place.book.card_of(pending.id)
        if pending is None or (
            sent_message is not None and sent_message.message not in ("", tap.message)
        ):
            return self._told(tap.user, OLD_CARD)
        if (
            sent_message is None or not sent_message.message
        ):  # a card of before, or one nobody knows was sent
            self._place.book.keep(SlackSentMessage(request_id=pending.id, message=tap.message))
        if not pending.state.is_open:
            return self._told(tap.user, f"Too late: {STATE_WORDS[pending.state]}.", pending.id)
        if tap.action in (DETAILS, MORE):
            return await self._looked(tap, pending)
        is_answer = tap.action in (APPROVE, FOR_SESSION, DENY)
        return await self._pressed(tap, pending) if is_answer else NOTHING

    async def _looked(self, tap: SlackTap, pending: PendingRequest) -> Taken:
        """Show details or the richer answers to somebody the desk knows."""
        seen = await self._place.approval_service.open(pending.id, Identity(CHANNEL, tap.user))
        if seen.kind is OutcomeKind.NOT_ALLOWED:
            return self._told(tap.user, seen.words)
        if tap.action == MORE:
            return self._opens(tap, more_view(pending))

        async def after() -> None:
            once = why_once(pending)
            said = f"approved once only: {once}\n" if once else ""
            await self._place.tell(tap.user, said + await self._so_far(pending))

        return Taken(after=after)

    async def _pressed(self, tap: SlackTap, pending: PendingRequest) -> Taken:
        """Answer by a button, or open the dialog of the proof that is wanted."""
        if tap.action != DENY and not is_whole(pending):
            return self._told(tap.user, NOT_WHOLE)
        reach = SESSION if tap.action == FOR_SESSION else ONCE
        if reach != ONCE and reach not in reaches(pending):
            return self._told(tap.user, f"{NOT_GRANTED}{why_once(pending)}")
        verdict = Verdict.DENY if tap.action == DENY else Verdict.ALLOW
        outcome = await self._answer(tap.user, pending, SlackAnswer(verdict=verdict, reach=reach))
        if outcome.kind is OutcomeKind.PROOF_WANTED and outcome.step is not None:
            return self._opens(tap, proof_view(pending, outcome.step, reach=reach.code))
        return self._came(outcome, tap.user)

    async def _submitted(self, said: Submission) -> Taken:
        """Hand in the proof of a dialog; what is wrong with it is shown in the dialog."""
        pending, reach = await self._asked_by(said.ticket), ScopeChoice.of(said.ticket.reach)
        if pending is None or reach is None or not is_whole(pending):
            return Taken(answer=said.refusal(OLD_CARD))
        answer = SlackAnswer(
            verdict=Verdict.ALLOW, reach=reach, words=said.ticket.words, proof=said.proof
        )
        outcome = await self._answer(said.user, pending, answer)
        if outcome.kind in (OutcomeKind.WRONG_PROOF, OutcomeKind.TOO_FAST):
            return Taken(answer=said.refusal(outcome.words))
        return self._came(outcome, said.user)

    async def _chosen(self, said: MenuChoice) -> Taken:
        """Take one of the richer answers; the proof it may need is asked for in its place."""
        pending = await self._asked_by(said.ticket)
        if pending is None:
            return Taken(answer=said.refusal(OLD_CARD))
        if said.reach is None:
            answer = SlackAnswer(verdict=Verdict.DENY, words=said.words)
            return self._came(await self._answer(said.user, pending, answer), said.user)
        reach = ScopeChoice.of(said.reach)
        if reach is None or not is_whole(pending):
            return Taken(answer=said.refusal(NOT_WHOLE))
        if reach != ONCE and reach not in reaches(pending):
            return Taken(answer=said.refusal(f"{NOT_GRANTED}{why_once(pending)}"))
        return await self._approved(said, pending, reach)

    async def _approved(
        self, said: MenuChoice, pending: PendingRequest, reach: ScopeChoice
    ) -> Taken:
        """Approve by a richer answer."""
        answer = SlackAnswer(verdict=Verdict.ALLOW, reach=reach, words=said.words)
        outcome = await self._answer(said.user, pending, answer)
        if outcome.kind is OutcomeKind.PROOF_WANTED and outcome.step is not None:
            view = proof_view(pending, outcome.step, reach=reach.code, words=said.words)
            return Taken(answer={"response_action": "update", "view": view})
        if outcome.kind is OutcomeKind.TOO_FAST:
            return Taken(answer=said.refusal(outcome.words))
        return self._came(outcome, said.user)

    def _written(self, said: ThreadMessage) -> Taken:
        """Keep what was written in the thread of a card; it is read in its turn."""
        if self._place.book.at(said.thread) is None:
            return NOTHING
        self._place.book.hear(
            ThreadReply(message=said.message, thread=said.thread, user=said.user, text=said.text)
        )
        self._change_notifier.set()
        return NOTHING

    async def _read(self, written: ThreadReply) -> None:
        """Read something that was written; what fails is tried again, then passed over loudly.

        Raises:
            SignoffError: it is to be tried again.
        """
        if self._place.book.begin(written) > TRIES:
            self.given_up += 1
            log.error("slack: a reply is passed over, it failed %d times", TRIES)
        else:
            said = await self._replied(written)
            await self._place.tell(written.user, said, thread=written.thread)
        self._place.book.done(written)

    async def _replied(self, written: ThreadReply) -> str:
        """Do what a reply means; return what to say about it."""
        sent_message = self._place.book.at(written.thread)
        pending = (
            None
            if sent_message is None
            else await self._place.requests.get(sent_message.request_id)
        )
        if pending is None:
            return OLD_CARD
        if not pending.state.is_open:
            return f"Too late: {STATE_WORDS[pending.state]}."
        seen = await self._place.approval_service.open(pending.id, Identity(CHANNEL, written.user))
        if seen.kind is OutcomeKind.NOT_ALLOWED:
            return seen.words  # before a model reads a word of it
        return await self._meant(written, pending)

    async def _meant(self, written: ThreadReply, pending: PendingRequest) -> str:
        """Read words for what is meant, and do it."""
        if len(written.text) > MESSAGE_LIMIT:
            return TOO_LONG
        reply = await understand_reply(written.text, pending, self._place.reader)
        if reply.intent is Intent.UNCLEAR:
            return NOT_UNDERSTOOD
        if reply.intent is not Intent.DENY and not is_whole(pending):
            return NOT_WHOLE
        verdict = Verdict.DENY if reply.intent is Intent.DENY else Verdict.ALLOW
        answer = SlackAnswer(verdict=verdict, words=reply.words, policy=reply.policy)
        outcome = await self._answer(written.user, pending, answer)
        await self._show(pending.id)
        return PROOF_BY_BUTTON if outcome.kind is OutcomeKind.PROOF_WANTED else outcome.words

    async def _answer(self, user: str, pending: PendingRequest, said: SlackAnswer) -> AnswerOutcome:
        """Hand an answer to the desk, as this person's to this request."""
        return await self._place.approval_service.answer(
            Response(
                request_id=pending.id,
                nonce=pending.nonce,
                identity=Identity(CHANNEL, user),
                verdict=said.verdict,
                words=said.words,
                proof=said.proof,
                scope=said.reach.scope,
                minutes=said.reach.minutes,
                policy=said.policy,
            )
        )

    async def _asked_by(self, ticket: DialogState) -> PendingRequest | None:
        """Return the request a dialog was opened for."""
        pending = await self._place.requests.by_nonce(ticket.nonce)
        return pending if pending is not None and pending.id == ticket.request_id else None

    def _came(self, outcome: AnswerOutcome, user: str) -> Taken:
        """Tell what came of an answer, and edit the card."""
        id = "" if outcome.pending is None else outcome.pending.id
        return self._told(user, outcome.words, id)

    def _told(self, user: str, words: str, request_id: str = "") -> Taken:
        async def after() -> None:
            if request_id:
                await self._show(request_id)
            await self._place.tell(user, words)

        return Taken(after=after)

    def _opens(self, tap: SlackTap, view: Json) -> Taken:
        """Open a dialog; whoever tapped is told if that fails."""

        async def after() -> None:
            try:
                body = {"trigger_id": tap.trigger, "view": view}
                await self._place.api.call("views.open", body)
            except SignoffError as error:
                log.warning("slack: a dialog was not opened: %s", error)
                await self._place.tell(tap.user, "The dialog could not be opened. Press it again.")

        return Taken(after=after)

    async def _so_far(self, pending: PendingRequest) -> str:
        """Say what the session did so far."""
        if self._place.summary is not None:
            return await self._place.summary.summary(pending)
        return "\n".join(pending.card.so_far) or "nothing is known of this session"

    async def _show(self, request_id: str) -> None:
        """Bring a card up to date now; what fails is done by the board later."""
        try:
            await self._reconciler.show(request_id)
        except SignoffError as error:
            log.warning("slack: a card is brought up to date later: %s", error)
