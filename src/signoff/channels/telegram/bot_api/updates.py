"""Updates from Telegram, parsed strictly: a tap, a text, or `Nothing`.

An answer must come from a person with a numeric id, in a message of their own. Everything else is
`Nothing`: what is forwarded, edited or inline, and what a bot or a chat sent.

    read_updates([{"update_id": 7, "callback_query": {...}}], bot=1)
        ->  (TelegramTap(update_id=7, ...),)
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from signoff.actions.action import Json

VERSION = "1"
NONCE_BYTES = 16
NONCE_CHARS = 22  # of them in base64url without padding
PRESS_LIMIT = 8  # `callback_data` has 64 bytes, and the nonce takes 22 of them
# A message that bears one of these is not the sender's own word.
NOT_THEIRS = (
    "forward_origin",
    "forward_date",
    "forward_from",
    "forward_from_chat",
    "forward_sender_name",
    "is_automatic_forward",
    "sender_chat",
    "sender_business_bot",
    "business_connection_id",
    "via_bot",
    "guest_bot_caller_user",
)


class Terms(Struct, frozen=True, kw_only=True):
    """Who may answer: these user ids in this chat."""

    chat: int
    users: frozenset[int]

    def admits(self, chat: int, user: int) -> bool:
        """Return whether this user may answer in this chat."""
        return chat == self.chat and user in self.users


class TelegramTap(Struct, frozen=True, kw_only=True):
    """A user pressed a button."""

    update_id: int
    callback_id: str
    user: int
    chat: int
    message_id: int
    data: str


class TelegramText(Struct, frozen=True, kw_only=True):
    """A message that a user wrote.

    Args:
        text: "" for a message without text, such as a photo.
        reply_to: id of the bot's message it replies to, 0 if none.
    """

    update_id: int
    user: int
    chat: int
    message_id: int
    text: str
    reply_to: int = 0


class Nothing(Struct, frozen=True, kw_only=True):
    """An update that needs no handling, and why.

    Args:
        callback_id: of a tap, so that the person who tapped gets a reply.
    """

    update_id: int
    why: str
    callback_id: str = ""


Update: TypeAlias = TelegramTap | TelegramText | Nothing


class ButtonData(Struct, frozen=True):
    """The data of one of our buttons: the request's nonce, and which button it is."""

    nonce: str
    code: str


def button_data(nonce: str, code: str) -> str:
    """Return the data of a button: version, nonce and code, at most 64 bytes.

    Raises:
        ValueError: the nonce is not 128 bits in hex.
    """
    raw = bytes.fromhex(nonce)
    if len(raw) != NONCE_BYTES or not 0 < len(code) <= PRESS_LIMIT:
        raise ValueError("a button needs a nonce of 128 bits and a short code")
    return f"{VERSION}:{_encoded(raw)}:{code}"


def read_data(data: str) -> ButtonData | None:
    """Parse the data of a button, None if it is not one of ours."""
    version, _, rest = data.partition(":")
    nonce, colon, code = rest.partition(":")
    if version != VERSION or not colon or len(nonce) != NONCE_CHARS or not nonce.isascii():
        return None
    if not (0 < len(code) <= PRESS_LIMIT and code.isascii() and code.isalnum()):
        return None
    try:
        raw = base64.b64decode(f"{nonce}==", altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    return ButtonData(nonce=raw.hex(), code=code) if _encoded(raw) == nonce else None


def read_updates(result: Json, *, bot: int) -> tuple[Update, ...]:
    """Parse the result of getUpdates, in order; entries without an id are left out."""
    if not isinstance(result, list | tuple):
        return ()
    entries = [entry for entry in result if isinstance(entry, Mapping)]
    return tuple(
        read_update(e, bot=bot) for e in entries if _number(e.get("update_id")) is not None
    )


def read_update(entry: Mapping[str, Json], *, bot: int) -> Update:
    """Parse one update that has an id.

    Args:
        bot: the bot's own user id.
    """
    number = _number(entry.get("update_id")) or 0
    query, message = _object(entry, "callback_query"), _object(entry, "message")
    if query is not None and message is None:
        return _tap(number, query)
    if message is not None and query is None:
        return _written(number, message, bot)
    return Nothing(update_id=number, why="neither a tap nor a message")


def _tap(number: int, query: Mapping[str, Json]) -> Update:
    callback_id, data = query.get("id"), query.get("data")
    if not isinstance(callback_id, str):
        return Nothing(update_id=number, why="a tap without an id")
    user, message = _person(query), _object(query, "message")
    place = None if message is None else _place(message)
    if user is None or place is None or not isinstance(data, str) or "inline_message_id" in query:
        return Nothing(update_id=number, why="a tap on no card of ours", callback_id=callback_id)
    if message is not None and not _number(message.get("date")):
        return Nothing(update_id=number, why="a tap on a card too old", callback_id=callback_id)
    chat, message_id = place
    return TelegramTap(
        update_id=number,
        callback_id=callback_id,
        user=user,
        chat=chat,
        message_id=message_id,
        data=data,
    )


def _written(number: int, message: Mapping[str, Json], bot: int) -> Update:
    user, place = _person(message), _place(message)
    if user is None or place is None:
        return Nothing(update_id=number, why="a message of nobody")
    if any(name in message for name in NOT_THEIRS):
        return Nothing(update_id=number, why="a message that is not the sender's own")
    text = message.get("text")
    return TelegramText(
        update_id=number,
        user=user,
        chat=place[0],
        message_id=place[1],
        text=text if isinstance(text, str) else "",
        reply_to=_answered(message, place[0], bot),
    )


def _answered(message: Mapping[str, Json], chat: int, bot: int) -> int:
    """Return which message of this bot, in the same chat, a message answers; 0 for none."""
    answered = _object(message, "reply_to_message")
    place = None if answered is None else _place(answered)
    sender = None if answered is None else _object(answered, "from")
    if place is None or sender is None or place[0] != chat or _number(sender.get("id")) != bot:
        return 0
    return place[1]


def _person(said: Mapping[str, Json]) -> int | None:
    """Return the id of the person something is from, None if it is from none."""
    sender = _object(said, "from")
    if sender is None or sender.get("is_bot") is not False:
        return None
    user = _number(sender.get("id"))
    return user if user is not None and user > 0 else None


def _place(message: Mapping[str, Json]) -> tuple[int, int] | None:
    """Return the chat and the number of a message."""
    chat = _object(message, "chat")
    chat_id = None if chat is None else _number(chat.get("id"))
    message_id = _number(message.get("message_id"))
    return None if chat_id is None or not message_id else (chat_id, message_id)


def _object(said: Mapping[str, Json], name: str) -> Mapping[str, Json] | None:
    value = said.get(name)
    return value if isinstance(value, Mapping) else None


def _number(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode("ascii").rstrip("=")
