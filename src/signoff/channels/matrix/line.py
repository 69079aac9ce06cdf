"""The line to a room: enters it, then reads what happens there by long polling.

The position up to which the room was read is kept after the answers before it are: what was
answered while no daemon ran is read when one starts.

    channel = TextChannel(place, client, receive=MatrixLine(api).receive)
"""

from __future__ import annotations

import logging
from collections.abc import Mapping

from signoff.challenge.channels.scopes import SESSION
from signoff.channels.matrix.api import MatrixApi
from signoff.channels.matrix.events import MatrixReaction, MatrixReply, read_event
from signoff.channels.threads.text_channel import TextAnswer, TextChannel
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


class MatrixLine:
    """Reads one room."""

    def __init__(self, api: MatrixApi) -> None:
        self._api = api

    async def receive(self, channel: TextChannel) -> None:
        """Wait for events, hand over the answers among them, then move on.

        Raises:
            SignoffError: the homeserver or the store cannot be reached; the same events come again.
        """
        if not channel.bot:
            channel.bot = await self._enter(channel.place.users)
        store = channel.place.store
        position = store.position()
        # The first answer after a failure comes at once: it says that the line is there.
        wait_s = WAIT_S if position and not channel.line_problem else 0.0
        batch = await self._api.sync(position, wait_s=wait_s)
        if batch.is_limited:
            channel.missed += 1
            log.error("matrix: too much was said in the room: some answers were not seen")
        for entry in batch.events:
            event = read_event(entry)
            if event is not None and event.sender != channel.bot:
                await channel.take(_answer(event))
        store.move_to(batch.position)

    async def _enter(self, users: tuple[str, ...]) -> str:
        """Join the room; return who the bot is.

        Raises:
            SignoffError: it cannot be entered, or cannot be read.
        """
        bot = await self._api.whoami()
        if bot in users:
            raise BadSettings(f"`users` names the bot itself: {bot}")
        await self._api.join()
        if await self._api.is_encrypted():
            raise BadSettings(ENCRYPTED)
        return bot


def _answer(event: MatrixReaction | MatrixReply) -> TextAnswer:
    """Return what somebody answered; a reaction that means nothing answers no message."""
    if isinstance(event, MatrixReply):
        targets, text = event.targets, event.text
    else:
        text = REACTIONS.get(event.key, "")
        targets = (event.target,) if text else ()
    return TextAnswer(message=event.event_id, user=event.sender, targets=targets, text=text)
