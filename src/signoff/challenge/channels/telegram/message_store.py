"""The book: which message in the chat stands for what, and which updates were dealt with.

A sheet is one message of ours that may be answered: a card, a question of a quiz, a call for an
explanation or a reason, a question of the agent's. An answer counts only on the message it was
asked in.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from signoff.challenge.channels.scopes import ONCE, ScopeChoice
from signoff.challenge.pending import PendingRequest, RequestState

FINAL = "="


class SentMessageKind(StrEnum):
    """What a message of ours asks for."""

    CARD = "card"
    QUIZ = "quiz"
    TEACH_BACK = "teach-back"
    REASON = "reason"  # why it is denied
    QUESTION = "question"


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramSentMessage:
    """One message of ours.

    Args:
        request_id: of the pending request, or of the agent's question.
        user: whom it is for, 0 for everybody who may answer.
        face: what it shows now, told apart by this word; it begins with FINAL once it takes no
            more answers.
        choices: chosen so far in a quiz.
        words: what an approval that is being proved will carry to the agent.
        policy: guidance such an approval will carry.
        reach: how far such an approval will reach.
        has_all: nothing of the whole text is still to be sent as a file.
        is_wide: it shows the answers that are richer than yes and no.
    """

    message_id: int
    kind: SentMessageKind
    request_id: str
    nonce: str
    user: int = 0
    face: str = ""
    choices: tuple[int, ...] = ()
    words: str = ""
    policy: str = ""
    reach: ScopeChoice = ONCE
    has_all: bool = False
    is_wide: bool = False


class TelegramMessageStore(Protocol):
    """Keeps sheets and updates of one bot in one chat, over restarts.

    All methods raise StoreError if what they say cannot be known to be kept.
    """

    def keep(self, sent_message: TelegramSentMessage) -> None:
        """Keep a sheet in place of the one of that message."""

    def at(self, message_id: int) -> TelegramSentMessage | None:
        """Return the sheet of a message."""

    def card_of(self, request_id: str) -> TelegramSentMessage | None:
        """Return the newest card of a request."""

    def open_cards(self) -> tuple[TelegramSentMessage, ...]:
        """Return the cards that still take answers, oldest first."""

    def open_quizzes(self, request_id: str) -> tuple[TelegramSentMessage, ...]:
        """Return the quizzes of a request that still take answers, oldest first."""

    def want(self, request_id: str) -> None:
        """Note that a request is to be shown; it is until it has a card."""

    def drop(self, request_id: str) -> None:
        """Note that a request need not be shown any more."""

    def wanted(self) -> tuple[str, ...]:
        """Return the requests that are to be shown and have no card, oldest first."""

    def note_open(self, request_id: str, user: int) -> None:
        """Note that somebody opened the whole text."""

    def opened(self, request_id: str) -> frozenset[int]:
        """Return who opened the whole text."""

    def begin(self, update_id: int) -> int:
        """Return how often this update was begun with, this time included; 0 if it is done."""

    def done(self, update_id: int) -> None:
        """Note that an update was dealt with."""

    def pushed_to(self) -> str:
        """Return where this bot's updates were last said to be pushed to, "" for nowhere."""

    def note_push(self, url: str) -> None:
        """Note where they are, before Telegram is told."""

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""


class TelegramRequests(Protocol):
    """The part of the store of requests that is read here."""

    async def get(self, id: str) -> PendingRequest | None:
        """Return a request as it stands now, expired if its time is over."""

    async def listed(self, *states: RequestState, limit: int = 100) -> tuple[PendingRequest, ...]:
        """Return requests in these states, newest first."""
