"""Events of a room, read strictly: a reply in words, a reaction, or nothing for us.

What was edited, what is not text, and what answers no message is nothing for us. Notices
(`m.notice`) are what bots write, so they are nobody's word.

    read_event({"type": "m.reaction", ...})  ->  MatrixReaction(event_id="$r", target="$card", ...)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

TEXT_LIMIT = 5_000
FALLBACK = "> "  # older clients quote what they answer before their reply
VARIATION = "\ufe0f"
SKIN_TONES = dict.fromkeys(range(0x1F3FB, 0x1F400))


class MatrixReaction(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody reacted to a message.

    Args:
        key: the emoji, without its skin tone.
    """

    event_id: str
    sender: str
    target: str
    key: str


class MatrixReply(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody answered a message in words.

    Args:
        targets: the message it answers, and the first one of the thread it is in.
    """

    event_id: str
    sender: str
    targets: tuple[str, ...]
    text: str


MatrixEvent: TypeAlias = MatrixReaction | MatrixReply | None


class _ReplyToJson(msgspec.Struct):
    event_id: str


class _RelatesJson(msgspec.Struct, rename={"in_reply_to": "m.in_reply_to"}):
    rel_type: str = ""
    event_id: str = ""
    key: str = ""
    is_falling_back: bool = False
    in_reply_to: _ReplyToJson | None = None


class _ContentJson(msgspec.Struct, rename={"relates_to": "m.relates_to"}):
    relates_to: _RelatesJson
    msgtype: str = ""
    body: str = ""


class _RoomEventJson(msgspec.Struct):
    type: str
    event_id: str
    sender: str
    content: _ContentJson


def read_event(event: Mapping[str, object]) -> MatrixEvent:
    """Return what somebody answered, None for everything else."""
    try:
        said = msgspec.convert(event, _RoomEventJson)
    except (msgspec.ValidationError, ValueError, RecursionError):
        return None
    relation = said.content.relates_to
    match said.type, relation.rel_type:
        case "m.reaction", "m.annotation":
            key = relation.key.replace(VARIATION, "").translate(SKIN_TONES)
            return MatrixReaction(
                event_id=said.event_id, sender=said.sender, target=relation.event_id, key=key
            )
        case "m.room.message", "" | "m.thread" if said.content.msgtype == "m.text":
            return _reply(said, relation)
        case _:
            return None


def _reply(said: _RoomEventJson, relation: _RelatesJson) -> MatrixReply | None:
    answered = relation.in_reply_to
    is_meant = answered is not None and not relation.is_falling_back
    targets = (
        *((answered.event_id,) if answered is not None and is_meant else ()),
        *((relation.event_id,) if relation.event_id else ()),
    )
    if not targets:
        return None
    text = _without_quote(said.content.body[:TEXT_LIMIT])
    return MatrixReply(event_id=said.event_id, sender=said.sender, targets=targets, text=text)


def _without_quote(body: str) -> str:
    """Return a reply without the quote that older clients put before it."""
    lines = body.split("\n")
    while lines and lines[0].startswith(FALLBACK):
        del lines[0]
    return "\n".join(lines).strip()
