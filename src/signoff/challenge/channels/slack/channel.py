"""The Slack channel: cards out over the Web API, taps in over Socket Mode.

An answer counts only from the configured conversation, on a button of a request whose nonce it
carries; who the person is Slack says, and the desk knows whether they may answer. The desk
commits; only then the person is told and the card is edited. Proofs are taken in a dialog.

    channel = SlackChannel(place, desk=desk, requests=store)
    task = asyncio.create_task(channel.run())
    await channel.announce(pending)
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from signoff.actions.action import Json
from signoff.assess.verdict import Verdict
from signoff.challenge.card_text import render_text
from signoff.challenge.channel import AnswerOutcome, Desk, OutcomeKind, Response
from signoff.challenge.channels.slack.cards import (
    APPROVE,
    CARD_LIMIT,
    DENY,
    DETAILS,
    STATE_WORDS,
    TEXT_LIMIT,
    draw,
    escaped,
    headline,
    proof_view,
)
from signoff.challenge.channels.slack.payloads import Submission, Tap, read_payload
from signoff.challenge.channels.slack.socket_mode import SocketMode
from signoff.challenge.channels.slack.web_api import SlackApi, SlackError
from signoff.challenge.pending import PendingRequest
from signoff.challenge.terms.approver import Identity
from signoff.errors import SignoffError

log = logging.getLogger(__name__)

CHANNEL = "slack"
CARDS_KEPT = 2_000
OLD_CARD = "This is an old or copied card. Nothing was changed."
# Deny is offered where a card is not whole, so it needs no look at the card.
NOT_WHOLE = "It is too long to be shown here whole: approve it elsewhere, or deny it."


class Requests(Protocol):
    """The part of the store of requests that is read here."""

    async def by_nonce(self, nonce: str) -> PendingRequest | None:
        """Return the request of a nonce."""


class Summary(Protocol):
    """Says what a session did so far."""

    async def summary(self, pending: PendingRequest) -> str:
        """Return it as text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackPlace:
    """Where it is asked.

    Args:
        conversation: the id of the channel, `C...`; taps from elsewhere do not count.
        mask: takes secrets out of all that is sent; never cuts.
        users: ids of those who are asked here; from the card on their time to read it counts.
        pause_s: a scale for pauses after failures; tests make them short.
    """

    api: SlackApi
    conversation: str
    mask: Callable[[str], str] = str
    summary: Summary | None = None
    users: tuple[str, ...] = ()
    pause_s: float = 1.0


class SlackChannel:
    """Asks people in one conversation."""

    name = CHANNEL

    def __init__(self, place: SlackPlace, *, desk: Desk, requests: Requests) -> None:
        self._place, self._desk, self._requests = place, desk, requests
        self._messages: OrderedDict[str, str] = OrderedDict()
        self._codes: OrderedDict[str, str] = OrderedDict()
        self._socket = SocketMode(place.api, self.handle, pause_s=place.pause_s)

    @property
    def problem(self) -> str:
        """What is wrong with this channel, "" if nothing is; holds no secret."""
        return self._socket.problem

    @property
    def status(self) -> str:
        """The state of the line, in a word."""
        return "down" if self.problem else "connected"

    async def run(self) -> None:
        """Take answers until cancelled."""
        await self._socket.run()

    async def announce(self, pending: PendingRequest) -> None:
        """Show the card; one that is there already is brought up to date.

        Raises:
            CallFailed: it could not be shown.
        """
        if pending.code:
            _keep(self._codes, pending.id, pending.code)
        if pending.id in self._messages:
            await self.update(pending)
            return
        answer = await self._place.api.call("chat.postMessage", self._message(pending))
        _keep(self._messages, pending.id, str(answer.get("ts")))
        for user in self._place.users if _is_whole(pending) else ():
            await self._desk.open(pending.id, Identity(CHANNEL, user))

    async def update(self, pending: PendingRequest) -> None:
        """Bring the card up to date, if it is known which message it is.

        Raises:
            CallFailed: it could not be edited.
        """
        message = self._messages.get(pending.id)
        if message is not None:
            await self._edit(pending, message)

    async def handle(self, kind: str, payload: Mapping[str, Json]) -> Mapping[str, Json] | None:
        """Take an envelope; return what goes back with its acknowledgement.

        Raises:
            SignoffError: it cannot be known whether it counted.
        """
        said = read_payload(kind, payload)
        if isinstance(said, Tap) and said.conversation == self._place.conversation:
            await self._tapped(said)
        if not isinstance(said, Submission):
            return None
        try:
            return await self._submitted(said)
        except SignoffError as error:
            log.error("slack: a proof was not taken: %s", type(error).__name__)
            return said.refusal("It could not be taken. Try again in a moment.")

    async def _tapped(self, tap: Tap) -> None:
        """Take a tap on a button."""
        pending = await self._requests.by_nonce(tap.nonce)
        if pending is None or self._messages.get(pending.id, tap.message) != tap.message:
            await self._tell(tap.user, OLD_CARD)
            return
        _keep(self._messages, pending.id, tap.message)
        if not pending.state.is_open:
            await self._tell(tap.user, f"Too late: {STATE_WORDS[pending.state]}.")
            await self._edit(pending, tap.message)
        elif tap.action == DETAILS:
            await self._details(tap.user, pending)
        elif tap.action in (APPROVE, DENY):
            await self._pressed(tap, pending)

    async def _pressed(self, tap: Tap, pending: PendingRequest) -> None:
        """Answer by a button, or open the dialog of the proof that is wanted."""
        if tap.action == APPROVE and not _is_whole(pending):
            await self._tell(tap.user, NOT_WHOLE)
            return
        outcome = await self._desk.answer(
            Response(
                request_id=pending.id,
                nonce=tap.nonce,
                identity=Identity(CHANNEL, tap.user),
                verdict=Verdict.ALLOW if tap.action == APPROVE else Verdict.DENY,
            )
        )
        if outcome.kind is OutcomeKind.PROOF_WANTED and outcome.step is not None:
            view = proof_view(pending, outcome.step)
            body: dict[str, Json] = {"trigger_id": tap.trigger, "view": view}
            await self._place.api.call("views.open", body)
            return
        await self._came(outcome, tap.user)

    async def _submitted(self, said: Submission) -> Mapping[str, Json] | None:
        """Hand in the proof of a dialog; what is wrong with it is shown in the dialog."""
        pending = await self._requests.by_nonce(said.nonce)
        if pending is None or pending.id != said.request_id or not _is_whole(pending):
            return said.refusal(OLD_CARD)
        outcome = await self._desk.answer(
            Response(
                request_id=pending.id,
                nonce=said.nonce,
                identity=Identity(CHANNEL, said.user),
                verdict=Verdict.ALLOW,
                proof=said.proof,
            )
        )
        if outcome.kind in (OutcomeKind.WRONG_PROOF, OutcomeKind.TOO_FAST):
            return said.refusal(outcome.words)
        await self._came(outcome, said.user)
        return None

    async def _came(self, outcome: AnswerOutcome, user: str) -> None:
        """Tell what came of an answer, and edit the card."""
        if outcome.pending is not None:
            await self.update(outcome.pending)
        await self._tell(user, outcome.words)

    async def _details(self, user: str, pending: PendingRequest) -> None:
        """Say what the session did so far; the card stays open."""
        if self._place.summary is not None:
            text = await self._place.summary.summary(pending)
        else:
            text = "\n".join(pending.card.so_far) or "nothing is known of this session"
        await self._tell(user, text)

    async def _tell(self, user: str, text: str) -> None:
        """Tell one person something only they see; a failure changes nothing that was decided."""
        body: dict[str, Json] = {
            "channel": self._place.conversation,
            "user": user,
            "text": escaped(self._place.mask(text))[:TEXT_LIMIT],
            "mrkdwn": False,
        }
        try:
            await self._place.api.call("chat.postEphemeral", body)
        except SlackError as error:
            log.warning("slack: somebody was not told: %s", error)

    async def _edit(self, pending: PendingRequest, message: str) -> None:
        await self._place.api.call("chat.update", {**self._message(pending), "ts": message})

    def _message(self, pending: PendingRequest) -> dict[str, Json]:
        """Return the message of a request as it stands."""
        pending = replace(pending, code=pending.code or self._codes.get(pending.id, ""))
        return {
            "channel": self._place.conversation,
            "text": headline(pending, mask=self._place.mask),
            "blocks": draw(pending, mask=self._place.mask),
            "unfurl_links": False,
            "unfurl_media": False,
        }


def _is_whole(pending: PendingRequest) -> bool:
    """Tell whether the card of a request has room here, so that it can be approved."""
    return render_text(pending.card, CARD_LIMIT).is_whole


def _keep(kept: OrderedDict[str, str], name: str, value: str) -> None:
    """Keep a value, and only so many of them."""
    kept[name] = value
    while len(kept) > CARDS_KEPT:
        kept.popitem(last=False)
