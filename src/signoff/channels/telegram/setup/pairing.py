"""Getting a bot to its people: is the token good, and who is on the other side.

Anybody can write to a bot, so a person shows a code that stands on the terminal of this machine:
whoever sends it is the one who sits there. The bot listens here only while nobody else does.

    name = await bot_name(api)
    paired = await pair(api, code=pairing_code(), timeout_s=300)
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Mapping
from dataclasses import dataclass

from signoff.actions.action import Json
from signoff.channels.telegram.bot_api.client import BotApi, BotApiError
from signoff.channels.telegram.bot_api.updates import TelegramText, read_updates
from signoff.errors import BadSettings

WAIT_S = 20
TRIES_LIMIT = 20  # wrong codes, from whomever
NAME_LIMIT = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """Who showed the code, and where."""

    user: int
    chat: int


async def bot_name(api: BotApi) -> str:
    """Return the name the bot is found by.

    Raises:
        BadSettings: the token is not good, or Telegram cannot be reached.
    """
    try:
        bot = await api.call("getMe", {})
    except BotApiError as error:
        raise BadSettings(f"the bot cannot be asked who it is: {error}") from None
    name = bot.get("username") if isinstance(bot, Mapping) else None
    if not isinstance(name, str) or not name.isidentifier() or len(name) > NAME_LIMIT:
        raise BadSettings("what answers is no bot")
    return name


async def pair(api: BotApi, *, code: str, timeout_s: float) -> Paired:
    """Wait for somebody who sends `/start` with the code.

    Raises:
        BadSettings: nobody did in time, too many sent another, or the bot cannot listen.
    """
    try:
        async with asyncio.timeout(timeout_s):
            return await _wait_for(api, code)
    except TimeoutError:
        raise BadSettings(f"nobody sent the code within {timeout_s:g} seconds") from None
    except BotApiError as error:
        hint = ": end what else polls with this token, a daemon too" if error.code == 409 else ""
        raise BadSettings(f"the bot cannot listen: {error}{hint}") from None


async def greet(api: BotApi, chat: int, text: str) -> bool:
    """Say in the chat that it was set up; False where that could not be said."""
    try:
        await api.send(chat, text)
    except BotApiError:
        return False
    return True


async def _wait_for(api: BotApi, code: str) -> Paired:
    """Return the person who sent the code.

    Raises:
        BotApiError: the bot cannot listen.
        BadSettings: too many wrong codes came.
    """
    offset = wrong = 0
    while True:
        result: Json = await api.updates(offset, wait_s=WAIT_S)
        for update in read_updates(result, bot=api.token.bot_id):
            offset = update.update_id + 1
            said = _start(update) if isinstance(update, TelegramText) else None
            if said is None or not isinstance(update, TelegramText):
                continue
            if hmac.compare_digest(said.encode(), code.encode()):
                await api.updates(offset, wait_s=0)  # confirmed: the daemon will not see it again
                return Paired(user=update.user, chat=update.chat)
            wrong += 1
            if wrong >= TRIES_LIMIT:
                raise BadSettings("too many wrong codes came in; set it up again")


def _start(written: TelegramText) -> str | None:
    """Return what follows `/start`, None for any other message."""
    command, _, rest = written.text.partition(" ")
    return rest.strip() if command.partition("@")[0] == "/start" else None
