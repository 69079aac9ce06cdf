"""`signoff telegram`: have yourself, and others, asked on Telegram.

    signoff telegram setup             the bot, the chat, and you
    signoff telegram invite bob        one more person in the same group chat

Anybody can write to a bot, so a person shows a code that stands on the terminal of this machine:
whoever sends it is the one who sits there. The bot listens here only while nobody else does.

    name = await bot_name(api)
    paired = await pair(api, code=pairing_code(), timeout_s=300)
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping

import click
from msgspec import Struct

from signoff.actions.action import Json
from signoff.challenge.outbound.endpoint import OutboundEndpoint
from signoff.challenge.terms.approver import Identity
from signoff.challenge.visible import visible
from signoff.channels.setting_up import (
    SetupPlace,
    invite_command,
    pairing_code,
    tell_invited,
)
from signoff.channels.settings_file import read_private
from signoff.channels.telegram.bot_api.client import API_URL, BotApi, BotApiError, BotToken
from signoff.channels.telegram.bot_api.updates import TelegramText, Terms, read_updates
from signoff.channels.telegram.settings import add_user, read_telegram, write_telegram
from signoff.errors import BadSettings
from signoff.ids import is_same_secret

CHANNEL = "telegram"
WAIT_S = 300.0

POLL_S = 20
TRIES_LIMIT = 20  # wrong codes, from whomever
NAME_LIMIT = 64


@click.command("setup")
@click.option("--token-file", default="", help="Read the token from this file, mode 600.")
@click.option("--api", default=API_URL, show_default=True, help="The Bot API's address.")
@click.option("--approver", default="owner", show_default=True, help="Your id as an approver.")
@click.pass_obj
def setup(place: SetupPlace, *, token_file: str, api: str, approver: str) -> None:
    """Check the token, find your chat, and write the settings."""
    place.check_at_rest()
    endpoint = OutboundEndpoint.parse(api)
    token = BotToken.parse(read_private(os.path.abspath(token_file)) if token_file else _asked())
    bot = BotApi(endpoint, token)
    paired = _paired(bot)
    _let_in(place, paired, approver, is_new=False)
    terms = Terms(chat=paired.chat, users=frozenset({paired.user}))
    path = write_telegram(place.config_dir, token, terms, api=api)
    click.echo(f"written: {visible(path)}\nnow start the daemon: signoff up")
    _greet(bot, paired.chat, "signoff asks here from now on.")


@invite_command
def invite(place: SetupPlace, *, name: str, groups: tuple[str, ...]) -> None:
    """Let one more person answer in the same group chat."""
    place.check_at_rest()
    found = read_telegram(place.config_dir)
    if found is None:
        raise BadSettings("there is no bot yet: `signoff telegram setup`")
    if found.terms.chat > 0:
        raise BadSettings(
            "the bot asks in a private chat, where nobody else can be: make a group with the"
            " bot in it, and run `signoff telegram setup` for that"
        )
    bot = BotApi(found.api, found.token)
    paired = _paired(bot)
    if paired.chat != found.terms.chat:
        raise BadSettings("the code came from another chat: send it where the bot asks")
    _let_in(place, paired, name, is_new=True, groups=groups)
    add_user(place.config_dir, paired.user)
    tell_invited(name)
    _greet(bot, paired.chat, f"{visible(name)} may answer here from now on.")


def _asked() -> str:
    token: str = click.prompt("the token BotFather gave (not shown)", hide_input=True)
    return token


def _paired(api: BotApi) -> Paired:
    """Have somebody send a code to the bot.

    Raises:
        BadSettings: nobody did.
    """
    code = pairing_code()

    async def whole() -> Paired:
        name = await bot_name(api)
        click.echo(f"the token is good: @{name}")
        click.echo(f"send this to the bot, or in the group it is in:  /start {code}")
        return await pair(api, code=code, timeout_s=WAIT_S)

    return asyncio.run(whole())


def _greet(bot: BotApi, chat: int, text: str) -> None:
    """Tell the chat what was settled on the terminal; nothing hangs on it."""
    if not asyncio.run(greet(bot, chat, text)):
        click.echo("the bot could not write into the chat: may it, there?", err=True)


def _let_in(
    place: SetupPlace, paired: Paired, name: str, *, is_new: bool, groups: tuple[str, ...] = ()
) -> None:
    """Have it typed out on the terminal who will answer, and keep it.

    Raises:
        BadSettings: it was not, or the name is somebody else's.
        StoreError: the list of approvers cannot be written.
    """
    kind = "a group" if paired.chat < 0 else "a private chat"
    said = f"user {paired.user} in chat {paired.chat} ({kind}) will answer as `{name}`"
    identity = Identity(CHANNEL, str(paired.user))
    place.let_in(identity, said, name=name, is_new=is_new, groups=groups)


COMMANDS: Mapping[str, click.Command] = {"setup": setup, "invite": invite}


class Paired(Struct, frozen=True, kw_only=True):
    """The user who sent the pairing code, and the chat it came from."""

    user: int
    chat: int


async def bot_name(api: BotApi) -> str:
    """Return the bot's user name.

    Raises:
        BadSettings: the token is not valid, or Telegram cannot be reached.
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
    """Wait for a user who sends `/start` with the pairing code.

    Raises:
        BadSettings: nobody did in time, too many wrong codes came, or the bot cannot receive.
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
    """Send a text to the chat after setup; return False if it was not sent."""
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
        result: Json = await api.updates(offset, wait_s=POLL_S)
        for update in read_updates(result, bot=api.token.bot_id):
            offset = update.update_id + 1
            said = _start(update) if isinstance(update, TelegramText) else None
            if said is None or not isinstance(update, TelegramText):
                continue
            if is_same_secret(code, said):
                await api.updates(offset, wait_s=0)  # confirmed: the daemon will not see it again
                return Paired(user=update.user, chat=update.chat)
            wrong += 1
            if wrong >= TRIES_LIMIT:
                raise BadSettings("too many wrong codes came in; set it up again")


def _start(written: TelegramText) -> str | None:
    """Return what follows `/start`, None for any other message."""
    command, _, rest = written.text.partition(" ")
    return rest.strip() if command.partition("@")[0] == "/start" else None
