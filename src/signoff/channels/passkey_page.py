"""The way from a card to the page of a CRITICAL request, where a passkey is asked for.

Each messenger offers it on such cards where the inbox has a public address, and gives who asks a
link of their own. The link lets nobody in: the page asks for the passkey of that person.

    if offers_page(pending, has_page=context.has_page): ...
    await client.lead(user, context.link_for(pending, identity), thread="...")
"""

from __future__ import annotations

from signoff.assess.level import Level
from signoff.challenge.pending import PendingRequest

LABEL = "Answer with my passkey"
OPEN = "Open"
WORD = "passkey"  # what is replied to a card that has no buttons
REPLY = f"reply `{WORD}` for a link to a page where you answer with your passkey"
NO_PAGE = "There is no page to answer on. Answer here or in a terminal."
LED = (
    "For whoever asked for it: opens the request in your browser and asks for your passkey."
    " Good once, for ten minutes."
)


def offers_page(pending: PendingRequest, *, has_page: bool) -> bool:
    """Return whether a request's card links to its page, where a passkey is used.

    Args:
        has_page: requests have pages under a lasting address.
    """
    return has_page and pending.level is Level.CRITICAL and pending.state.is_open
