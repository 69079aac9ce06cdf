"""The book: which message shows which request, and what was written that is still to be read.

An answer counts only on the message that shows the request. What somebody wrote is kept before
Slack is told that it arrived, so nothing is lost between the two, and read once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

FINAL = "="


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackSentMessage:
    """One card.

    Args:
        message: its time stamp, by which Slack knows it; "" while it is still to be sent.
        face: what it shows now, told apart by this word; it begins with FINAL once it takes no
            more answers.
    """

    request_id: str
    message: str = ""
    face: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadReply:
    """A message in the thread of a card.

    Args:
        message: its own time stamp.
        thread: that of the message it answers.
    """

    message: str
    thread: str
    user: str
    text: str


class SlackMessageStore(Protocol):
    """Keeps the cards of one conversation, over restarts.

    All methods raise StoreError if what they say cannot be known to be kept.
    """

    def keep(self, sent_message: SlackSentMessage) -> None:
        """Keep a card in place of the one of that request."""

    def card_of(self, request_id: str) -> SlackSentMessage | None:
        """Return the card of a request."""

    def at(self, message: str) -> SlackSentMessage | None:
        """Return the card a message is."""

    def drop(self, request_id: str) -> None:
        """Forget a card that is not to be sent any more."""

    def standing(self) -> tuple[SlackSentMessage, ...]:
        """Return the cards to be sent and those that take answers, oldest first."""

    def hear(self, written: ThreadReply) -> None:
        """Keep what was written, once."""

    def unread(self) -> tuple[ThreadReply, ...]:
        """Return what was written and is not read yet, oldest first."""

    def begin(self, written: ThreadReply) -> int:
        """Return how often this was begun with, this time included."""

    def done(self, written: ThreadReply) -> None:
        """Note that something was read."""

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
