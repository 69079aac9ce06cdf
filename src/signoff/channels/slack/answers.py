"""Answers in Slack: taps, dialogs and thread messages, authenticated and handed over.

An answer counts only in the configured conversation, on the card of an open request, by an
approver. It is stored first. Then Slack gets its acknowledgement, the person is told, and the card
is edited. Thread messages are stored before they are acknowledged, and read from the store: none is
lost, and a slow model delays no button press.

    taken = await answers.take("interactive", payload)
    await socket.send(taken.answer)          # the acknowledgement
    await taken.after()
"""

from __future__ import annotations

import logging

from signoff.actions.action import Json
from signoff.assess.verdict import Verdict
from signoff.challenge.channel import AnswerOutcome, OutcomeKind
from signoff.challenge.channels.scopes import ONCE, SESSION, ScopeChoice, reaches, why_once
from signoff.challenge.pending import PendingRequest
from signoff.channels.slack.cards import (
    APPROVE,
    DENY,
    DETAILS,
    FOR_SESSION,
    MORE,
    OPEN_PAGE,
    PAGE,
    DialogState,
    is_whole,
    more_view,
    proof_view,
)
from signoff.channels.slack.client import SlackClient
from signoff.channels.slack.payloads import (
    MenuChoice,
    SlackTap,
    Submission,
    ThreadMessage,
    read_payload,
)
from signoff.channels.slack.socket_mode import NOTHING, Payload, Taken
from signoff.channels.threads.answers import (
    NOT_GRANTED,
    NOT_WHOLE,
    OLD_CARD,
    CardAnswer,
    ThreadAnswers,
)
from signoff.channels.threads.card_face import STATE_WORDS
from signoff.channels.threads.message_store import SentCard, ThreadReply
from signoff.channels.threads.reconciler import CardReconciler, ThreadPlace
from signoff.errors import SignoffError

log = logging.getLogger(__name__)

PROOF_BY_BUTTON = "This needs a proof, which is taken in a dialog: press Approve on the card."


async def _by_button(_reply: ThreadReply, _outcome: AnswerOutcome, _said: CardAnswer) -> str:
    return PROOF_BY_BUTTON


class SlackAnswerHandler:
    """Handles answers that people give on Slack."""

    def __init__(self, place: ThreadPlace, client: SlackClient, reconciler: CardReconciler) -> None:
        self._place, self._client, self._reconciler = place, client, reconciler
        self.replies = ThreadAnswers(place, reconciler, ask_for_proof=_by_button)

    async def take(self, kind: str, payload: Payload) -> Taken:
        """Handle one envelope; its content is stored when this returns.

        Args:
            kind: the envelope's type.

        Raises:
            SignoffError: it may not be stored; the envelope must not be acknowledged.
        """
        said = read_payload(kind, payload)
        match said:
            case SlackTap() if said.conversation == self._client.conversation:
                return await self._tapped(said)
            case ThreadMessage() if said.conversation == self._client.conversation:
                return self._written(said)
            case Submission():
                return await self._submitted(said)
            case MenuChoice():
                return await self._chosen(said)
            case _:
                return NOTHING

    async def _tapped(self, tap: SlackTap) -> Taken:
        """Handle a button press."""
        if tap.action == OPEN_PAGE:
            return NOTHING
        pending = await self._place.context.requests.by_nonce(tap.nonce)
        card = None if pending is None else self._place.store.card_of(pending.id)
        # A copy of a card carries the same nonce: only the message that shows the request counts
        # (T-38).
        if pending is None or (card is not None and card.message not in ("", tap.message)):
            return self._told(tap.user, OLD_CARD)
        if card is None or not card.message:  # a card of before, or one nobody knows was sent
            self._place.store.keep(SentCard(request_id=pending.id, message=tap.message))
        # After the message is known: the card that somebody tapped too late is then brought up to
        # date.
        if not pending.state.is_open:
            return self._told(tap.user, f"Too late: {STATE_WORDS[pending.state]}.", pending.id)
        if tap.action == PAGE:
            words = await self.replies.lead(tap.user, pending)
            return self._told(tap.user, words) if words else NOTHING
        if tap.action in (DETAILS, MORE):
            return await self._looked(tap, pending)
        is_answer = tap.action in (APPROVE, FOR_SESSION, DENY)
        return await self._pressed(tap, pending) if is_answer else NOTHING

    async def _looked(self, tap: SlackTap, pending: PendingRequest) -> Taken:
        """Show details or the richer answers to somebody who may answer."""
        seen = await self.replies.open(tap.user, pending)
        if seen.kind is OutcomeKind.NOT_ALLOWED:
            return self._told(tap.user, seen.words)
        if tap.action == MORE:
            return self._opens(tap, more_view(pending))

        async def after() -> None:
            once = why_once(pending)
            said = f"approved once only: {once}\n" if once else ""
            so_far = await self._place.context.summary.summary(pending)
            await self._client.tell(tap.user, said + so_far)

        return Taken(after=after)

    async def _pressed(self, tap: SlackTap, pending: PendingRequest) -> Taken:
        """Answer by a button, or open the dialog of the proof that is wanted."""
        # Asked again though the card offers no such button: the payload could name it all the
        # same.
        if tap.action != DENY and not is_whole(pending):
            return self._told(tap.user, NOT_WHOLE)
        reach = SESSION if tap.action == FOR_SESSION else ONCE
        if reach != ONCE and reach not in reaches(pending):
            return self._told(tap.user, f"{NOT_GRANTED}{why_once(pending)}")
        verdict = Verdict.DENY if tap.action == DENY else Verdict.ALLOW
        outcome = await self.replies.answer(
            tap.user, pending, CardAnswer(verdict=verdict, reach=reach)
        )
        if outcome.kind is OutcomeKind.PROOF_WANTED and outcome.step is not None:
            return self._opens(tap, proof_view(pending, outcome.step, reach=reach.code))
        return self._came(outcome, tap.user)

    async def _submitted(self, said: Submission) -> Taken:
        """Hand in the proof of a dialog; what is wrong with it is shown in the dialog."""
        pending, reach = await self._asked_by(said.ticket), ScopeChoice.of(said.ticket.reach)
        if pending is None or reach is None or not is_whole(pending):
            return Taken(answer=said.refusal(OLD_CARD))
        answer = CardAnswer(
            verdict=Verdict.ALLOW, reach=reach, words=said.ticket.words, proof=said.proof
        )
        outcome = await self.replies.answer(said.user, pending, answer)
        # Only these can be put right in the open dialog; all others end it.
        if outcome.kind in (OutcomeKind.WRONG_PROOF, OutcomeKind.TOO_FAST):
            return Taken(answer=said.refusal(outcome.words))
        return self._came(outcome, said.user)

    async def _chosen(self, said: MenuChoice) -> Taken:
        """Take one of the richer answers; the proof it may need is asked for in its place."""
        pending = await self._asked_by(said.ticket)
        if pending is None:
            return Taken(answer=said.refusal(OLD_CARD))
        if said.reach is None:
            answer = CardAnswer(verdict=Verdict.DENY, words=said.words)
            return self._came(await self.replies.answer(said.user, pending, answer), said.user)
        reach = ScopeChoice.of(said.reach)
        if reach is None or not is_whole(pending):
            return Taken(answer=said.refusal(NOT_WHOLE))
        if reach != ONCE and reach not in reaches(pending):
            return Taken(answer=said.refusal(f"{NOT_GRANTED}{why_once(pending)}"))
        return await self._approved(said, pending, reach)

    async def _approved(
        self, said: MenuChoice, pending: PendingRequest, reach: ScopeChoice
    ) -> Taken:
        """Approve with a scope or message."""
        answer = CardAnswer(verdict=Verdict.ALLOW, reach=reach, words=said.words)
        outcome = await self.replies.answer(said.user, pending, answer)
        if outcome.kind is OutcomeKind.PROOF_WANTED and outcome.step is not None:
            view = proof_view(pending, outcome.step, reach=reach.code, words=said.words)
            return Taken(answer={"response_action": "update", "view": view})
        if outcome.kind is OutcomeKind.TOO_FAST:
            return Taken(answer=said.refusal(outcome.words))
        return self._came(outcome, said.user)

    def _written(self, said: ThreadMessage) -> Taken:
        """Keep what was written in the thread of a card; it is read in its turn."""
        # Other threads of the conversation are none of ours, and are not kept.
        if self._place.store.at(said.thread) is not None:
            self.replies.written(
                ThreadReply(
                    message=said.message, thread=said.thread, user=said.user, text=said.text
                )
            )
        return NOTHING

    async def _asked_by(self, ticket: DialogState) -> PendingRequest | None:
        """Return the request a dialog was opened for."""
        pending = await self._place.context.requests.by_nonce(ticket.nonce)
        # Both must fit: the dialog's state travels over Slack and comes back as anybody sent it.
        return pending if pending is not None and pending.id == ticket.request_id else None

    def _came(self, outcome: AnswerOutcome, user: str) -> Taken:
        """Tell what came of an answer, and edit the card."""
        id = "" if outcome.pending is None else outcome.pending.id
        return self._told(user, outcome.words, id)

    def _told(self, user: str, words: str, request_id: str = "") -> Taken:
        async def after() -> None:
            if request_id:
                await self._reconciler.show_now(request_id)
            await self._client.tell(user, words)

        return Taken(after=after)

    def _opens(self, tap: SlackTap, view: Json) -> Taken:
        """Open a dialog; if that fails, tell the person who tapped."""

        async def after() -> None:
            try:
                body = {"trigger_id": tap.trigger, "view": view}
                await self._client.api.call("views.open", body)
            except SignoffError as error:
                log.warning("slack: a dialog was not opened: %s", error)
                await self._client.tell(tap.user, "The dialog could not be opened. Press it again.")

        return Taken(after=after)
