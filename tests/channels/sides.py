"""The other side of each messenger, for the contract that all of them keep.

A side is a fake service on loopback and the people who use it: it says what the settings are, shows
the cards that came, and answers them as a person would.
"""

from __future__ import annotations

import asyncio
import json
import sys
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.extend(str(Path(__file__).parent / name) for name in ("telegram", "slack", "matrix"))
import fake_bot_api as telegram
import homeserver as matrix
from slack_server import Slack, submission, tap

from signoff.challenge.terms.step import Proof, ProofKind
from signoff.channels.passkey_page import LABEL, WORD
from signoff.channels.slack.cards import APPROVE, DENY, PAGE

WITHIN_S = 40.0
LETTERS = "ABCDEFGH"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCard:
    """A card as people see it now."""

    id: str
    text: str


class MessengerSide(ABC):
    """One messenger's service, and its people: Ada and Bob may answer, Eve may not."""

    people: Mapping[str, str]
    # One bad settings file: its text, and what is said of it.
    bad: tuple[str, str]

    @abstractmethod
    def files(self) -> dict[str, str]:
        """Return the files of the configuration folder."""

    @abstractmethod
    def cards(self) -> list[ShownCard]:
        """Return the cards, oldest first."""

    @abstractmethod
    async def approve(self, who: str, card: str) -> None:
        """Have somebody approve a card."""

    @abstractmethod
    async def deny(self, who: str, card: str) -> None:
        """Have somebody deny a card."""

    @abstractmethod
    async def prove(self, who: str, card: str, kind: ProofKind, proof: Proof) -> None:
        """Have somebody approve a card and give the proof that is asked for."""

    @abstractmethod
    async def ask_for_page(self, who: str, card: str) -> None:
        """Have somebody ask for the page where a passkey is asked for."""

    @abstractmethod
    def said(self) -> str:
        """Return all that was sent, in the messenger's own form."""

    async def card(self) -> str:
        """Wait for a card; return its id."""
        await until(lambda: bool(self.cards()))
        return self.cards()[-1].id

    def offers(self, card: str) -> str:
        """Return what is offered on a card, its text included."""
        return self.text_of(card)

    def text_of(self, card: str) -> str:
        """Return what a card shows now."""
        return next(one.text for one in self.cards() if one.id == card)


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(WITHIN_S):
        while not holds():
            await asyncio.sleep(0.02)


class TelegramSide(MessengerSide):
    """Telegram's Bot API."""

    people: Mapping[str, str] = {
        "ada": str(telegram.ADA),
        "bob": str(telegram.BOB),
        "eve": str(telegram.EVE),
    }
    bad = ("chat: 1\nusers: ['@ada']\n", "telegram.yaml:2:9: user: expected a numeric id")

    def __init__(self, api: telegram.FakeBotApi) -> None:
        self._api = api

    def files(self) -> dict[str, str]:
        """Return the files of the configuration folder."""
        users = f"[{telegram.ADA}, {telegram.BOB}]"
        said = f"api: {self._api.url}\nchat: {telegram.CHAT}\nusers: {users}\n"
        return {"telegram.yaml": said, "telegram.token": telegram.TOKEN}

    def cards(self) -> list[ShownCard]:
        """Return the cards, oldest first."""
        return [
            ShownCard(id=str(number), text=message["text"])
            for number, message in list(self._api.messages.items())
            if message.get("text", "").startswith("signoff: ")
        ]

    async def approve(self, who: str, card: str) -> None:
        """Press the button."""
        label = next(one for one in self._api.labels(int(card)) if one.startswith("Approve"))
        await self._done(self._api.press(int(card), label, user=int(self.people[who])))

    async def deny(self, who: str, card: str) -> None:
        """Press the button."""
        await self._done(self._api.press(int(card), "Deny", user=int(self.people[who])))

    async def prove(self, who: str, card: str, kind: ProofKind, proof: Proof) -> None:
        """Answer the message that asks for the proof."""
        user = int(self.people[who])
        await self.approve(who, card)
        prompt = max(self._api.messages)
        if kind is ProofKind.TEACH_BACK:
            await self._done(self._api.write(proof.text, to=prompt, user=user))
            return
        for choice in proof.choices:
            await self._done(self._api.press(prompt, LETTERS[choice], user=user))

    def offers(self, card: str) -> str:
        """Return the labels of the buttons."""
        return " ".join(self._api.labels(int(card)))

    async def ask_for_page(self, who: str, card: str) -> None:
        """Press the button."""
        await self._done(self._api.press(int(card), LABEL, user=int(self.people[who])))

    def said(self) -> str:
        """Return all that was sent."""
        return json.dumps(self._api.said("sendMessage"))

    async def _done(self, update: int) -> None:
        await until(lambda: max(self._api.offsets, default=0) > update)


class SlackSide(MessengerSide):
    """Slack's Web API and Socket Mode."""

    people: Mapping[str, str] = {"ada": "U0ADA", "bob": "U0BOB", "eve": "U0EVE"}
    bad = (
        "conversation: '#general'\nusers: [U0ADA]\n",
        "slack.yaml:1:15: conversation: expected an id",
    )

    def __init__(self, slack: Slack) -> None:
        self._slack = slack

    def files(self) -> dict[str, str]:
        """Return the files of the configuration folder."""
        said = f"conversation: C1\nusers: [U0ADA, U0BOB]\napi: {self._slack.api_url}\n"
        return {"slack.yaml": said, "slack.bot-token": "xoxb-1", "slack.app-token": "xapp-1"}

    def cards(self) -> list[ShownCard]:
        """Return the cards, oldest first."""
        shown: dict[str, str] = {}
        for call in list(self._slack.calls):
            if call.method == "chat.postMessage" and "blocks" in call.body:
                shown[call.ts] = json.dumps(call.body["blocks"])
            elif call.method == "chat.update":
                shown[call.body["ts"]] = json.dumps(call.body["blocks"])
        return [ShownCard(id=message, text=text) for message, text in shown.items()]

    async def approve(self, who: str, card: str) -> None:
        """Press the button."""
        await self._tapped(who, card, APPROVE)

    async def deny(self, who: str, card: str) -> None:
        """Press the button."""
        await self._tapped(who, card, DENY)

    async def prove(self, who: str, card: str, kind: ProofKind, proof: Proof) -> None:
        """Fill in the dialog."""
        before = len(self._slack.bodies("views.open"))
        await self.approve(who, card)
        await until(lambda: len(self._slack.bodies("views.open")) > before)
        view: dict[str, Any] = self._slack.bodies("views.open")[-1]["view"]
        given: dict[str, Any] = {"text": {"answer": {"value": proof.text}}}
        if kind is ProofKind.QUIZ:
            given = {
                f"q{at}": {"answer": {"selected_option": {"value": str(choice)}}}
                for at, choice in enumerate(proof.choices)
            }
        await self._slack.send(submission(view, given, user=self.people[who]))

    async def ask_for_page(self, who: str, card: str) -> None:
        """Press the button."""
        await self._tapped(who, card, PAGE)

    def said(self) -> str:
        """Return all that was sent."""
        return json.dumps([call.body for call in list(self._slack.calls)])

    async def _tapped(self, who: str, card: str, action: str) -> None:
        await until(lambda: bool(self._slack.connections))
        nonce = next(
            element["value"]
            for call in list(self._slack.calls)
            if call.ts == card
            for block in call.body["blocks"]
            for element in block.get("elements", [])
            if element.get("action_id") == action
        )
        await self._slack.send(tap(nonce, action, user=self.people[who], message=card))


class MatrixSide(MessengerSide):
    """A homeserver of Matrix."""

    people: Mapping[str, str] = {"ada": matrix.ADA, "bob": matrix.BOB, "eve": matrix.EVE}
    bad = (
        "homeserver: https://m.example\nroom: '#ops:example'\nusers: ['@ada:example']\n",
        "matrix.yaml:2:7: room: expected an id",
    )

    def __init__(self, server: matrix.Homeserver) -> None:
        self._server = server

    def files(self) -> dict[str, str]:
        """Return the files of the configuration folder."""
        users = f"users: ['{matrix.ADA}', '{matrix.BOB}']"
        said = f"homeserver: {self._server.url}\nroom: '{matrix.ROOM}'\n{users}\n"
        return {"matrix.yaml": said, "matrix.token": matrix.TOKEN}

    def cards(self) -> list[ShownCard]:
        """Return the cards, oldest first."""
        return [
            ShownCard(id=message, text=text)
            for message, text in self._server.texts().items()
            if text.startswith("signoff ")
        ]

    async def approve(self, who: str, card: str) -> None:
        """React to the card."""
        self._server.react(self.people[who], "\N{THUMBS UP SIGN}", card)

    async def deny(self, who: str, card: str) -> None:
        """Reply to the card."""
        self._server.say(self.people[who], "deny: not now", reply_to=card)

    async def ask_for_page(self, who: str, card: str) -> None:
        """Reply to the card."""
        self._server.say(self.people[who], WORD, reply_to=card)

    def said(self) -> str:
        """Return all that was sent."""
        return "\n".join(self._server.texts().values())

    async def prove(self, who: str, card: str, kind: ProofKind, proof: Proof) -> None:
        """Reply to the message that asks for the proof."""
        before = set(self._server.texts())
        await self.approve(who, card)

        def prompts() -> list[str]:
            said = self._server.texts().items()
            return [at for at, text in said if at not in before and "Reply to this" in text]

        await until(lambda: bool(prompts()))
        letters = " ".join(LETTERS[choice] for choice in proof.choices)
        text = proof.text if kind is ProofKind.TEACH_BACK else letters
        self._server.say(self.people[who], text, reply_to=prompts()[-1])


@asynccontextmanager
async def telegram_side() -> AsyncIterator[MessengerSide]:
    """Run a Bot API."""
    with telegram.fake_bot_api() as api:
        yield TelegramSide(api)


@asynccontextmanager
async def slack_side() -> AsyncIterator[MessengerSide]:
    """Run a Slack."""
    async with Slack() as slack:
        yield SlackSide(slack)


@asynccontextmanager
async def matrix_side() -> AsyncIterator[MessengerSide]:
    """Run a homeserver."""
    with matrix.homeserver() as server:
        yield MatrixSide(server)


# Every messenger of the tuple, by its name.
SIDES = {"telegram": telegram_side, "slack": slack_side, "matrix": matrix_side}
