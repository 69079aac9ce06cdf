"""What signoff sends into a room: a text, and the same text preformatted for clients with HTML.

No name in a text mentions anybody but the person it is for.
"""

from __future__ import annotations

import html
import logging
import secrets

from signoff.channels.matrix.api import MatrixApi, MatrixError
from signoff.values import Json

log = logging.getLogger(__name__)

CARD_LIMIT = 6_000  # UTF-16 units: an event has at most 64 KiB, and holds the text twice
REACT = (
    "react \N{THUMBS UP SIGN}, \N{THUMBS DOWN SIGN} or"
    " \N{ANTICLOCKWISE DOWNWARDS AND UPWARDS OPEN CIRCLE ARROWS} (this session) to this message,"
    " or "
)
# What an edit fails with for good: the message is gone, or nobody may write there any more.
HOPELESS = frozenset({"M_FORBIDDEN", "M_NOT_FOUND", "M_TOO_LARGE"})


class MatrixPort:
    """A `TextPort` that sends texts to one Matrix room."""

    def __init__(self, api: MatrixApi) -> None:
        self._api = api

    async def send(self, text: str, *, key: str = "", reply_to: str = "", user: str = "") -> str:
        """Send a text; return the id of the event.

        Raises:
            MatrixError: it was not sent, or that cannot be known: under a key it is there once.
        """
        content = _content(text)
        if user:
            content["m.mentions"] = {"user_ids": [user]}
        if reply_to:
            content["m.relates_to"] = {"m.in_reply_to": {"event_id": reply_to}}
        # Without a key two equal texts are two messages, so each gets an id of its own.
        return await self._api.send("m.room.message", content, txn=key or secrets.token_hex(16))

    async def replace(self, message: str, text: str) -> None:
        """Replace the text of a message; one that cannot be edited any more is left as it is.

        Raises:
            MatrixError: the homeserver cannot be reached.
        """
        content: dict[str, Json] = {
            "msgtype": "m.text",
            # Shown only by clients without edits: the first line tells which card it is.
            "body": f"* {text.partition(chr(10))[0]}",
            "m.mentions": {},
            "m.new_content": _content(text),
            "m.relates_to": {"rel_type": "m.replace", "event_id": message},
        }
        try:
            await self._api.send("m.room.message", content, txn=secrets.token_hex(16))
        except MatrixError as error:
            if error.code not in HOPELESS:
                raise
            log.warning("matrix: a message is left as it is: %s", error)


def _content(text: str) -> dict[str, Json]:
    """Return a message of plain text, which mentions nobody; phones do not ring for a notice."""
    return {
        "msgtype": "m.text",
        "body": text,
        "format": "org.matrix.custom.html",
        # The text of a call must not become markup: a tag could hide or repaint a part (T-36).
        "formatted_body": f"<pre><code>{html.escape(text)}</code></pre>",
        "m.mentions": {},
    }
