"""`signoff telegram`: have yourself, and others, asked on Telegram.

signoff telegram setup             the bot, the chat, and you
signoff telegram invite bob        one more person in the same group chat
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace

import click

from signoff.challenge.channels.telegram.client import API_URL, BotApi, BotToken
from signoff.challenge.channels.telegram.updates import Terms
from signoff.challenge.outbound.endpoint import OutboundEndpoint
from signoff.challenge.terms.approver import Approver, Identity
from signoff.challenge.visible import visible
from signoff.errors import BadSettings
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.typed import typed_out
from signoff.frontends.client.places import Places
from signoff.frontends.server.instance import running_process
from signoff.frontends.server.people.files.channel_file import read_private
from signoff.frontends.server.people.files.telegram import (
    add_user,
    read_telegram,
    write_telegram,
)
from signoff.frontends.server.people.telegram_setup import (
    Paired,
    bot_name,
    greet,
    new_code,
    pair,
)
from signoff.settings import Settings, load_settings
from signoff.storage.approvals.approver_file import FILE, ApproverFile

CHANNEL = "telegram"
WAIT_S = 300.0
NAME_LIMIT = 60


@click.group("telegram", short_help="Have people asked on Telegram.")
def command() -> None:
    """Have people asked on Telegram. The daemon must not run meanwhile: `signoff down`."""


@command.command("setup")
@click.option("--token-file", default="", help="Read the token from this file, mode 600.")
@click.option("--api", default=API_URL, show_default=True, help="The Bot API's address.")
@click.option("--approver", default="owner", show_default=True, help="Whom you are known as.")
def setup(*, token_file: str, api: str, approver: str) -> None:
    """Check the token, find your chat, and write the settings."""
    with errors_as_messages():
        settings = _settings_at_rest()
        endpoint = OutboundEndpoint.parse(api)
        token = BotToken.parse(
            read_private(os.path.abspath(token_file)) if token_file else _asked()
        )
        bot = BotApi(endpoint, token)
        paired = _paired(bot)
        _confirmed(paired, approver)
        _known(settings, approver, paired.user, is_new=False)
        terms = Terms(chat=paired.chat, users=frozenset({paired.user}))
        path = write_telegram(settings.config_dir, token, terms, api=api)
    click.echo(f"written: {visible(path)}\nnow start the daemon: signoff up")
    _greet(bot, paired.chat, "signoff asks here from now on.")


@command.command("invite")
@click.argument("name")
@click.option("--group", "groups", multiple=True, help="Asked together; may be given again.")
def invite(*, name: str, groups: tuple[str, ...]) -> None:
    """Let one more person answer in the same group chat."""
    with errors_as_messages():
        settings = _settings_at_rest()
        found = read_telegram(settings.config_dir)
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
        _confirmed(paired, name)
        _known(settings, name, paired.user, is_new=True, groups=groups)
        add_user(settings.config_dir, paired.user)
    click.echo(f"{visible(name)} may answer\nnow start the daemon: signoff up")
    _greet(bot, paired.chat, f"{visible(name)} may answer here from now on.")


def _settings_at_rest() -> Settings:
    """Return the settings while no daemon listens for the bot.

    Raises:
        BadSettings: one runs, or the settings are refused.
    """
    settings = load_settings()
    if running_process(Places(settings.state_dir)):
        raise BadSettings("the daemon runs and listens for the bot: `signoff down` first")
    return settings


def _asked() -> str:
    token: str = click.prompt("the token BotFather gave (not shown)", hide_input=True)
    return token


def _paired(api: BotApi) -> Paired:
    """Have somebody send a code to the bot.

    Raises:
        BadSettings: nobody did.
    """
    code = new_code()

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


def _confirmed(paired: Paired, name: str) -> None:
    """Have it typed out on the terminal who will answer.

    Raises:
        Refusal: it was not.
    """
    if not name.isprintable() or not 0 < len(name) <= NAME_LIMIT:
        raise BadSettings(f"a name has 1 to {NAME_LIMIT} characters, all to be seen")
    kind = "a group" if paired.chat < 0 else "a private chat"
    text = f"user {paired.user} in chat {paired.chat} ({kind}) will answer as `{name}`"
    if not typed_out(f"{text}\nto let them, type: {name}", word=name):
        raise Refusal("not confirmed on a terminal: nothing is written")


def _known(
    settings: Settings, id: str, user: int, *, is_new: bool, groups: tuple[str, ...] = ()
) -> None:
    """Put the person into the list of approvers.

    Raises:
        BadSettings: the name is taken, or the identity is somebody else's.
        StoreError: the list cannot be written.
    """
    people = ApproverFile(os.path.join(settings.config_dir, FILE))
    identity = Identity(CHANNEL, str(user))
    known = next((one for one in people.listed() if one.id == id), None)
    if known is not None and is_new and identity not in known.identities:
        raise BadSettings(f"`{id}` is somebody else: choose another name")
    person = known or Approver(id=id, name=id)
    identities = dict.fromkeys((*person.identities, identity))
    joined = tuple(dict.fromkeys((*person.groups, *groups)))
    people.add(replace(person, identities=tuple(identities), groups=joined))
