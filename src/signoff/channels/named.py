"""The channels a user can name in settings: the daemon's own, and messengers."""

from __future__ import annotations

from enum import StrEnum

from signoff.channels.registry import CHANNELS
from signoff.documents.node import Node

CHANNELS_LIMIT = 20


class ChannelName(StrEnum):
    """Channels other than messengers: terminal, host prompt, web inbox, notices."""

    TERMINAL = "terminal"
    HOST = "host"
    WEB = "web"
    NOTIFY = "notify"


MESSENGERS = tuple(one.name for one in CHANNELS)
CHANNEL_NAMES = (*(name.value for name in ChannelName), *MESSENGERS)
# The daemon's alone, and set up by a file or section of their own.
SET_UP_ELSEWHERE = frozenset({*MESSENGERS, ChannelName.NOTIFY.value})


def read_channels(node: Node | None) -> tuple[str, ...]:
    """Read the list of channels to ask, in order; () = nobody is asked."""
    if node is None:
        return (ChannelName.TERMINAL.value,)
    if node.is_list and not node.items():
        return ()
    items = node.one_or_more(limit=CHANNELS_LIMIT)
    return tuple(dict.fromkeys(item.word(CHANNEL_NAMES, what="channel") for item in items))
