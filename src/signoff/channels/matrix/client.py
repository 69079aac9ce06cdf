"""What signoff sends into a room: cards, edits, words for one person.

A card is plain text, and the same text escaped and preformatted for clients that show HTML. No
name in it mentions anybody. What does not fit cannot be approved here, only denied.
"""

from __future__ import annotations

import html
import logging
import secrets
from collections.abc import Callable

from signoff.actions.action import Json
from signoff.challenge.card_text import render_text
from signoff.challenge.channels.scopes import session_line
from signoff.challenge.pending import PendingRequest
from signoff.challenge.visible import visible_lines
from signoff.channels.matrix.api import MatrixApi, MatrixError
from signoff.channels.threads.card_face import head_lines
from signoff.errors import SignoffError

log = logging.getLogger(__name__)

CARD_LIMIT = 6_000  # UTF-16 units: an event has at most 64 KiB, and holds the text twice
TEXT_LIMIT = 3_000
HOW = (
    "to answer: react \N{THUMBS UP SIGN} or \N{THUMBS DOWN SIGN} to this message, or reply to it"
    " with `approve`, `deny: why` or `details`"
)
FOR_SESSION = "; `for this session` or \N{ANTICLOCKWISE DOWNWARDS AND UPWARDS OPEN CIRCLE ARROWS}"
TOO_LONG = "too long for this room: reply `deny: why`, or approve it elsewhere"
# What an edit fails with for good: the message is gone, or nobody may write there any more.
HOPELESS = frozenset({"M_FORBIDDEN", "M_NOT_FOUND", "M_TOO_LARGE"})


class MatrixClient:
    """Writes into one room.

    Args:
        mask: takes secrets out of all that is sent; never cuts.
    """

    def __init__(self, api: MatrixApi, *, mask: Callable[[str], str] = str) -> None:
        self._api, self._mask = api, mask

    async def send_card(self, pending: PendingRequest, groups: tuple[str, ...]) -> str:
        """Send the card of a request; return the id of the event.

        Raises:
            MatrixError: it was not sent, or that cannot be known: it is sent again, and there once.
        """
        text = self._mask(card_text(pending, groups))
        return await self._api.send("m.room.message", _content(text), txn=f"card-{pending.id}")

    async def edit_card(
        self, message: str, pending: PendingRequest, groups: tuple[str, ...]
    ) -> None:
        """Edit a card; one that cannot be edited any more is left as it is.

        Raises:
            MatrixError: the homeserver cannot be reached.
        """
        await self.replace(message, card_text(pending, groups))

    async def replace(self, message: str, text: str) -> None:
        """Replace the text of a message; one that cannot be edited any more is left as it is.

        Raises:
            MatrixError: the homeserver cannot be reached.
        """
        masked = self._mask(text)
        content: dict[str, Json] = {
            "msgtype": "m.text",
            "body": f"* {masked.partition(chr(10))[0]}",
            "m.mentions": {},
            "m.new_content": _content(masked),
            "m.relates_to": {"rel_type": "m.replace", "event_id": message},
        }
        try:
            await self._api.send("m.room.message", content, txn=secrets.token_hex(16))
        except MatrixError as error:
            if error.code not in HOPELESS:
                raise
            log.warning("matrix: a message is left as it is: %s", error)

    async def ring(self, message: str, text: str) -> None:
        """Say something in reply to a card.

        Raises:
            MatrixError: it was not said.
        """
        await self.say(text, reply_to=message)

    async def tell(self, user: str, text: str, *, thread: str = "") -> None:
        """Tell one person something; everybody in the room can read it."""
        try:
            await self.say(text, reply_to=thread, user=user)
        except SignoffError as error:
            log.warning("matrix: somebody was not told: %s", error)

    async def say(self, text: str, *, reply_to: str = "", user: str = "") -> str:
        """Say something in the room; return the id of the event.

        Args:
            reply_to: the message it answers.
            user: who is notified, "" for nobody in particular.

        Raises:
            MatrixError: it was not said.
        """
        named = f"{user}: {text}" if user else text
        shown = "\n".join(visible_lines(self._mask(named)))[:TEXT_LIMIT]
        content = _content(shown)
        if user:
            content["m.mentions"] = {"user_ids": [user]}
        if reply_to:
            content["m.relates_to"] = {"m.in_reply_to": {"event_id": reply_to}}
        return await self._api.send("m.room.message", content, txn=secrets.token_hex(16))

    def is_whole(self, pending: PendingRequest) -> bool:
        """Tell whether the card has room here, so that it can be approved."""
        return render_text(pending.card, CARD_LIMIT).is_whole


def card_text(pending: PendingRequest, groups: tuple[str, ...]) -> str:
    """Return the card of a request as it stands, and how to answer it."""
    shown = render_text(pending.card, CARD_LIMIT)
    lines = [*head_lines(pending, groups), shown.text]
    if pending.state.is_open:
        covers = session_line(pending)
        lines += [covers] if covers else []
        if pending.code:
            lines.append(f"code for `signoff approve` in a terminal: {pending.code}")
        how = f"{HOW}{FOR_SESSION if covers else ''}"
        lines.append(how if shown.is_whole else TOO_LONG)
    return "\n".join(lines)


def _content(text: str) -> dict[str, Json]:
    """Return a message of plain text, which mentions nobody; phones do not ring for a notice."""
    return {
        "msgtype": "m.text",
        "body": text,
        "format": "org.matrix.custom.html",
        "formatted_body": f"<pre><code>{html.escape(text)}</code></pre>",
        "m.mentions": {},
    }
