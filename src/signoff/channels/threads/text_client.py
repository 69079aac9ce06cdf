"""Cards and words as plain text, for messengers whose people answer by replies.

A messenger sends and replaces texts; everything else is here. What does not fit cannot be approved
there, only denied. Secrets are masked in all that is sent.

    client = TextClient(port, mask=context.mask, card_limit=6_000)
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Protocol

from signoff.challenge.card import render_text
from signoff.challenge.channels.scopes import session_line
from signoff.challenge.pending import PendingRequest
from signoff.challenge.visible import visible_lines
from signoff.channels.passkey_page import LED, REPLY, offers_page
from signoff.channels.threads.card_face import head_lines
from signoff.errors import SignoffError

log = logging.getLogger(__name__)

TEXT_LIMIT = 3_000  # characters of anything but a card
HOW = "to answer: {by}reply to this message with `approve`, `deny: why` or `details`"
FOR_SESSION = " or `for this session`"
TOO_LONG = "too long for this place: reply `deny: why`, or approve it elsewhere"


class TextPort(Protocol):
    """Port: sends texts to one conversation.

    All methods raise SignoffError if the messenger cannot be reached.
    """

    async def send(self, text: str, *, key: str = "", reply_to: str = "", user: str = "") -> str:
        """Send a text; return the id of the message.

        Args:
            key: idempotency key: sent again under the same key, the text appears once, where the
                messenger supports that.
            reply_to: id of the message it replies to, "" for none.
            user: who is notified, "" for nobody in particular.
        """

    async def replace(self, message: str, text: str) -> None:
        """Replace the text of a message; one that cannot be edited any more is left as it is."""


class TextClient:
    """Sends cards as plain text to one conversation.

    Args:
        card_limit: how many UTF-16 units of a call fit on a card.
        by: other ways to answer, put before the word `reply`: "react ..., or ".
        has_page: requests have a page where a passkey is asked for.
    """

    def __init__(
        self,
        port: TextPort,
        *,
        mask: Callable[[str], str],
        card_limit: int,
        by: str = "",
        has_page: bool = False,
    ) -> None:
        self._port, self._mask, self._card_limit, self._by = port, mask, card_limit, by
        self._has_page = has_page

    async def send_card(self, pending: PendingRequest, groups: tuple[str, ...]) -> str:
        """Send the card of a request; return the id of the message.

        Raises:
            SignoffError: it was not sent, or that cannot be known.
        """
        text = self._mask(self._card(pending, groups))
        # The same key at each try: a card whose sending was cut off is not there twice.
        return await self._port.send(text, key=f"card-{pending.id}")

    async def edit_card(
        self, message: str, pending: PendingRequest, groups: tuple[str, ...]
    ) -> None:
        """Update the text of a card.

        Raises:
            SignoffError: the messenger cannot be reached.
        """
        await self.replace(message, self._card(pending, groups))

    async def replace(self, message: str, text: str) -> None:
        """Replace the text of a message.

        Raises:
            SignoffError: the messenger cannot be reached.
        """
        await self._port.replace(message, self._mask(text))

    async def post_reply(self, message: str, text: str) -> None:
        """Post a text in reply to a card.

        Raises:
            SignoffError: it was not posted.
        """
        await self.say(text, reply_to=message)

    async def tell(self, user: str, text: str, *, thread: str = "") -> None:
        """Post a text for one person; errors are ignored, as nothing depends on it."""
        try:
            await self.say(text, reply_to=thread, user=user)
        except SignoffError as error:
            log.warning("somebody was not told: %s", error)

    async def lead(self, user: str, link: str, *, thread: str = "") -> None:
        """Post a link for one person; errors are ignored, as nothing depends on it."""
        try:
            # Not masked: a code in the link looks like a secret, and is none without the passkey.
            await self._port.send(f"{user}: {LED}\n{link}", reply_to=thread, user=user)
        except SignoffError as error:
            log.warning("somebody was not told: %s", error)

    async def say(self, text: str, *, reply_to: str = "", user: str = "") -> str:
        """Post a text; return the id of the message.

        Args:
            reply_to: id of the message it replies to, "" for none.
            user: whom it is for, "" for everybody.

        Raises:
            SignoffError: it was not posted.
        """
        # The whole conversation sees it, so it must say whom it is for.
        named = f"{user}: {text}" if user else text
        shown = "\n".join(visible_lines(self._mask(named)))[:TEXT_LIMIT]
        return await self._port.send(shown, reply_to=reply_to, user=user)

    def is_whole(self, pending: PendingRequest) -> bool:
        """Tell whether the whole call fits on a card here; else it cannot be approved here."""
        return render_text(pending.card, self._card_limit).is_whole

    def _card(self, pending: PendingRequest, groups: tuple[str, ...]) -> str:
        """Return the card of a request as it stands, and how to answer it."""
        shown = render_text(pending.card, self._card_limit)
        lines = [*head_lines(pending, groups), shown.text]
        if pending.state.is_open:
            covers = session_line(pending)
            lines += [covers] if covers else []
            if pending.code:
                lines.append(
                    f"confirmation code for `signoff approve` in a terminal: {pending.code}"
                )
            how = f"{HOW.format(by=self._by)}{FOR_SESSION if covers else ''}"
            lines.append(how if shown.is_whole else TOO_LONG)
            if offers_page(pending, has_page=self._has_page):
                lines.append(REPLY)
        return "\n".join(lines)
