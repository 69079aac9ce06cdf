"""Finding out who somebody is in a Slack conversation: they write a code off the terminal there.

paired = await pair(api, "C0123456789", code=pairing_code(), timeout_s=300)
"""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Mapping, Sequence

from signoff.actions.action import Json
from signoff.challenge.outbound.endpoint import CallFailed
from signoff.channels.slack.web_api import SlackApi
from signoff.errors import BadSettings

WORD = "signoff"
TRIES_LIMIT = 20  # wrong codes, from whomever
LOOK_EVERY_S = 2.0
PAGE = 50


async def pair(api: SlackApi, conversation: str, *, code: str, timeout_s: float) -> str:
    """Return the id of the member who writes the code.

    Raises:
        BadSettings: nobody did in time, too many wrong codes came, or the app cannot read there.
    """
    since = f"{time.time():.6f}"
    try:
        async with asyncio.timeout(timeout_s):
            return await _wait_for(api, conversation, code, since=since)
    except TimeoutError:
        raise BadSettings(f"nobody wrote the code within {timeout_s:g} seconds") from None
    except CallFailed as error:
        raise BadSettings(f"the conversation cannot be read: {error}") from None


async def _wait_for(api: SlackApi, conversation: str, code: str, *, since: str) -> str:
    wrong: set[str] = set()
    while True:
        asked: dict[str, Json] = {"channel": conversation, "oldest": since, "limit": PAGE}
        found = await api.call("conversations.history", asked)
        for user, ts, said in _codes(found.get("messages")):
            if hmac.compare_digest(said.encode(), code.encode()):
                return user
            wrong.add(ts)
        if len(wrong) >= TRIES_LIMIT:
            raise BadSettings("too many wrong codes came in; set it up again")
        await asyncio.sleep(LOOK_EVERY_S)


def _codes(messages: Json) -> Sequence[tuple[str, str, str]]:
    """Return who wrote which code when, of the messages people wrote."""
    found = []
    for one in messages if isinstance(messages, list) else []:
        if not isinstance(one, Mapping) or "bot_id" in one:
            continue
        user, ts, text = one.get("user"), one.get("ts"), one.get("text")
        if not isinstance(user, str) or not isinstance(ts, str) or not isinstance(text, str):
            continue
        word, _, rest = text.strip().partition(" ")
        if word.casefold() == WORD:
            found.append((user, ts, rest.strip()))
    return found
