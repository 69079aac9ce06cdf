"""Matrix, opened as `matrix.yaml` says: the line to a room, read by long polling.

The position up to which the room was read is kept after the answers before it are: what was
answered while no daemon ran is read when one starts. Events are read strictly: a reply in words, a
reaction, or nothing for us. What was edited, what is not text, and what answers no message is
nothing for us. Notices (`m.notice`) are what bots write, so they are nobody's word.

    channel = TextChannel(place, client, receive=MatrixLine(api).receive)
    read_event({"type": "m.reaction", ...})  ->  MatrixReaction(event_id="$r", target="$card", ...)
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from signoff.challenge.channels.scopes import SESSION
from signoff.channels.context import ChannelContext
from signoff.channels.followed import Followed
from signoff.channels.matrix.api import MatrixApi
from signoff.channels.matrix.client import CARD_LIMIT, REACT, MatrixPort
from signoff.channels.matrix.names import CHANNEL, FILE
from signoff.channels.matrix.settings import MatrixSettings, read_matrix
from signoff.channels.reloadable import ReloadableChannel
from signoff.channels.threads.message_store import ThreadStore
from signoff.channels.threads.reconciler import ThreadPlace
from signoff.channels.threads.text_channel import TextAnswer, TextChannel
from signoff.channels.threads.text_client import TextClient
from signoff.errors import BadSettings

log = logging.getLogger(__name__)

WAIT_S = 25.0
ENCRYPTED = "the room is encrypted, and signoff cannot read it: use a room without encryption"
# What a reaction means, as the words that mean the same.
REACTIONS: Mapping[str, str] = {
    "\N{THUMBS UP SIGN}": "approve",
    "\N{WHITE HEAVY CHECK MARK}": "approve",
    "\N{HEAVY CHECK MARK}": "approve",
    "\N{THUMBS DOWN SIGN}": "deny",
    "\N{CROSS MARK}": "deny",
    "\N{ANTICLOCKWISE DOWNWARDS AND UPWARDS OPEN CIRCLE ARROWS}": SESSION.label,
    "\N{CLOCKWISE RIGHTWARDS AND LEFTWARDS OPEN CIRCLE ARROWS}": SESSION.label,
}

TEXT_LIMIT = 5_000
FALLBACK = "> "  # older clients quote what they answer before their reply
# Phones add a variation selector and a skin tone to a thumb; they mean the same.
VARIATION = "\ufe0f"
SKIN_TONES = dict.fromkeys(range(0x1F3FB, 0x1F400))

STORE_FILE = "matrix.db"


class MatrixLine:
    """Receives the events of one Matrix room."""

    def __init__(self, api: MatrixApi) -> None:
        self._api = api

    async def receive(self, channel: TextChannel) -> None:
        """Wait for events, hand the answers among them to the channel, store the position.

        Raises:
            SignoffError: the homeserver or the store cannot be reached; the same events come again.
        """
        # Asked at every start: the token says who the bot is, and its own words must count as
        # nobody's.
        if not channel.bot:
            channel.bot = await self._enter(channel.place.users)
        store = channel.place.store
        position = store.position()
        # The first answer after a failure comes at once: it says that the line is there.
        wait_s = WAIT_S if position and not channel.line_problem else 0.0
        batch = await self._api.sync(position, wait_s=wait_s)
        if batch.is_limited:
            channel.missed += 1
            # What is skipped is not read later: the request stays open and its card can be
            # answered again.
            log.error("matrix: too much was said in the room: some answers were not seen")
        for entry in batch.events:
            event = read_event(entry)
            if event is not None and event.sender != channel.bot:
                await channel.take(_answer(event))
        # Last: if a reply was not kept, the same events must come again (T-41).
        store.move_to(batch.position)

    async def _enter(self, users: tuple[str, ...]) -> str:
        """Join the room; return who the bot is.

        Raises:
            SignoffError: it cannot be entered, or cannot be read.
        """
        bot = await self._api.whoami()
        if bot in users:
            # Messages of the bot hold words of the agent's, which must never count as an answer
            # (T-43).
            raise BadSettings(f"`users` names the bot itself: {bot}")
        await self._api.join()
        if await self._api.is_encrypted():
            raise BadSettings(ENCRYPTED)
        return bot


def _answer(event: MatrixReaction | MatrixReply) -> TextAnswer:
    """Return an event as an answer; a meaningless reaction answers no message."""
    if isinstance(event, MatrixReply):
        targets, text = event.targets, event.text
    else:
        text = REACTIONS.get(event.key, "")
        targets = (event.target,) if text else ()
    return TextAnswer(message=event.event_id, user=event.sender, targets=targets, text=text)


class MatrixReaction(msgspec.Struct, frozen=True, kw_only=True):
    """A user's emoji reaction to a message.

    Args:
        key: the emoji, without its skin tone.
    """

    event_id: str
    sender: str
    target: str
    key: str


class MatrixReply(msgspec.Struct, frozen=True, kw_only=True):
    """A user's text in reply to a message.

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
    """Parse an event into a reaction or a reply; None for any other event."""
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
        # `m.replace` is not here: what is edited later must not change what was answered.
        case "m.room.message", "" | "m.thread" if said.content.msgtype == "m.text":
            return _reply(said, relation)
        case _:
            return None


def _reply(said: _RoomEventJson, relation: _RelatesJson) -> MatrixReply | None:
    answered = relation.in_reply_to
    # In a thread clients name the last message as well, for other clients: nobody answered that
    # one.
    is_meant = answered is not None and not relation.is_falling_back
    targets = (
        *((answered.event_id,) if answered is not None and is_meant else ()),
        *((relation.event_id,) if relation.event_id else ()),
    )
    if not targets:
        return None
    # First the quote: that of a long card is longer than any answer.
    text = _without_quote(said.content.body)[:TEXT_LIMIT]
    return MatrixReply(event_id=said.event_id, sender=said.sender, targets=targets, text=text)


def _without_quote(body: str) -> str:
    """Return a reply without the quote that older clients put before it."""
    lines = body.split("\n")
    while lines and lines[0].startswith(FALLBACK):
        del lines[0]
    return "\n".join(lines).strip()


def open_matrix(config_dir: str) -> ReloadableChannel:
    """Build the Matrix channel; it follows its settings file in `config_dir`."""
    path = os.path.join(config_dir, FILE)
    followed = Followed(lambda: read_matrix(config_dir), path)
    return ReloadableChannel(
        CHANNEL,
        followed,
        build=build_matrix,
        account=lambda found: f"{found.homeserver} {found.room}",
    )


def build_matrix(found: MatrixSettings, context: ChannelContext) -> TextChannel:
    """Build the channel from its settings; nothing is sent before it runs."""
    api = MatrixApi(found.homeserver, found.token, room=found.room)
    client = TextClient(
        MatrixPort(api),
        mask=context.mask,
        card_limit=CARD_LIMIT,
        by=REACT,
        has_page=context.has_page,
    )
    path = os.path.join(context.state_dir, STORE_FILE)
    place = ThreadPlace(
        channel=CHANNEL,
        client=client,
        store=ThreadStore(path, conversation=found.room),
        context=context,
        users=found.users,
    )
    return TextChannel(place, client, receive=MatrixLine(api).receive)
