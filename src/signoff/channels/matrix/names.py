"""Names and ids of Matrix: of the channel, its settings file, people and rooms."""

from __future__ import annotations

import re

CHANNEL, FILE = "matrix", "matrix.yaml"
ID_LIMIT = 255
# No colon in the part before the server, nothing unseen, and no letter that only looks like
# ASCII.
USER_ID = r"\A@[!-9;-~]+:[!-~]+\Z"
ROOM_ID = r"\A![!-~]+\Z"


def is_user_id(text: str) -> bool:
    """Return whether a text has the form of a user id: `@ada:example.org`."""
    return len(text) <= ID_LIMIT and re.match(USER_ID, text) is not None


def is_room_id(text: str) -> bool:
    """Return whether a text has the form of a room id: `!abcdef:example.org`."""
    return len(text) <= ID_LIMIT and re.match(ROOM_ID, text) is not None
