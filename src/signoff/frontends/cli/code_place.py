"""Where a person finds the code that `signoff approve` asks for.

code_place(pending, settings)      "this request's Telegram card, or on its page in the inbox (...)"
"""

from __future__ import annotations

from signoff.build.approvals import EDITS_HERE
from signoff.challenge.channels.terminal import CHANNEL as TERMINAL
from signoff.challenge.pending import PendingRequest
from signoff.channels.registry import titles
from signoff.frontends.cli.first_lines import told_channels
from signoff.frontends.server.people.channel_order import set_up
from signoff.settings import Settings

INBOX = "page in the inbox (`signoff open`)"


def code_place(pending: PendingRequest, settings: Settings) -> str:
    """Return it in words, as the end of a sentence."""
    if pending.context.host in EDITS_HERE:
        return "the terminal of the program that asks"
    told = told_channels(settings)
    names = set_up(settings) if told is None else told
    if TERMINAL in names:
        return f"the terminal `signoff serve` runs on, or on this request's {INBOX}"
    chats = " or ".join(title for name, title in titles().items() if name in names)
    return f"this request's {chats} card, or on its {INBOX}" if chats else f"this request's {INBOX}"
