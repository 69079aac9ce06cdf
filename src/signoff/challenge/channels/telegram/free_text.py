"""A message that is neither a command nor a reply to the bot: what the bot says to it.

It answers no request, whatever it says: which one it would mean is not known. In a chat with the
bot alone every message gets a reply; in a group only one that names the bot.
"""

from __future__ import annotations

from signoff.challenge.channels.telegram.updates import Written
from signoff.challenge.replies import FORMS

NOT_AN_ANSWER = "This message answers no request: it is not a reply to a card."
HOW = f"Press a button of a card, or reply to the card with {FORMS}. /help lists the commands."


def is_to_the_bot(written: Written, *, bot_name: str) -> bool:
    """Tell whether a message is meant for the bot: groups have numbers below zero."""
    is_named = bool(bot_name) and f"@{bot_name}".casefold() in written.text.casefold().split()
    return written.chat > 0 or is_named


def reply_to_free_text(waiting: int) -> str:
    """Return what to say, with how many requests wait."""
    match waiting:
        case 0:
            return f"{NOT_AN_ANSWER} No request is waiting. {HOW}"
        case 1:
            return f"{NOT_AN_ANSWER} 1 request still waits. {HOW}"
        case _:
            return f"{NOT_AN_ANSWER} {waiting} requests still wait; /pending lists them. {HOW}"
