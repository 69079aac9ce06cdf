"""`signoff matrix`: have yourself, and others, asked in a Matrix room.

signoff matrix setup --homeserver https://matrix.example.org --room '!abc:example.org'
signoff matrix invite bob        one more person in the same room

Whoever sends a code that stands on the terminal into the room is the one who sits there.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping

import click

from signoff.challenge.outbound.endpoint import OutboundEndpoint
from signoff.challenge.terms.approver import Identity
from signoff.challenge.visible import visible
from signoff.channels.matrix.api import MatrixApi, MatrixError
from signoff.channels.matrix.client import MatrixPort
from signoff.channels.matrix.line import ENCRYPTED
from signoff.channels.matrix.names import CHANNEL, FILE, is_room_id, is_user_id
from signoff.channels.matrix.settings import check_token, read_matrix, write_matrix
from signoff.channels.setting_up import (
    SetupPlace,
    invite_command,
    pairing_code,
    tell_invited,
)
from signoff.channels.settings_file import read_private, replace_users
from signoff.errors import BadSettings
from signoff.ids import is_same_secret

WAIT_S = 300.0
SYNC_S = 20.0
TRIES_LIMIT = 20  # wrong codes, from whomever
WORD = "signoff"


@click.command("setup")
@click.option(
    "--homeserver",
    prompt="the homeserver (https://matrix.example.org)",
    help="Its address: https://matrix.example.org.",
)
@click.option(
    "--room",
    prompt="the id of the room (!abc:example.org)",
    help="The id of the room: !abc:example.org.",
)
@click.option("--token-file", default="", help="Read the bot's token from this file, mode 600.")
@click.option("--approver", default="owner", show_default=True, help="Your id as an approver.")
@click.pass_obj
def setup(place: SetupPlace, *, homeserver: str, room: str, token_file: str, approver: str) -> None:
    """Check the token and the room, and write the settings."""
    place.check_at_rest()
    endpoint = OutboundEndpoint.parse(homeserver)
    if not is_room_id(room):
        raise BadSettings(f"room: expected an id like `!abc:example.org`, got `{visible(room)}`")
    token = check_token(read_private(os.path.abspath(token_file)) if token_file else _asked())
    api = MatrixApi(endpoint, token, room=room)
    user = _paired(api)
    # Before anything is written: who declines on the terminal leaves no token behind.
    _let_in(place, user, room, approver, is_new=False)
    path = write_matrix(
        place.config_dir, homeserver=homeserver, room=room, users=(user,), token=token
    )
    click.echo(f"written: {visible(path)}\nnow start the daemon: signoff up")
    _greet(api, "signoff asks here from now on.")


@invite_command
def invite(place: SetupPlace, *, name: str, groups: tuple[str, ...]) -> None:
    """Let one more person answer in the same room."""
    place.check_at_rest()
    found = read_matrix(place.config_dir)
    if found is None:
        raise BadSettings("there is no room yet: `signoff matrix setup`")
    api = MatrixApi(found.homeserver, found.token, room=found.room)
    user = _paired(api)
    _let_in(place, user, found.room, name, is_new=True, groups=groups)
    users = tuple(dict.fromkeys((*found.users, user)))
    replace_users(place.config_dir, FILE, users)
    tell_invited(name)
    _greet(api, f"{visible(name)} may answer here from now on.")


def _asked() -> str:
    token: str = click.prompt("the bot's access token (not shown)", hide_input=True)
    return token


def _paired(api: MatrixApi) -> str:
    """Return the id of the person who sends a code into the room.

    Raises:
        BadSettings: nobody did, or the room cannot be used.
    """
    code = pairing_code()

    async def whole() -> str:
        bot = await api.whoami()
        await api.join()
        if await api.is_encrypted():
            raise BadSettings(ENCRYPTED)
        # Before the code is shown: what was said in the room earlier cannot be an answer to it.
        position = (await api.sync("", wait_s=0.0)).position
        click.echo(f"the token is good: {visible(bot)}")
        click.echo(f"send this into the room:  {WORD} {code}")
        async with asyncio.timeout(WAIT_S):
            return await _sender_of(api, code, position=position, bot=bot)

    try:
        return asyncio.run(whole())
    except TimeoutError:
        raise BadSettings(f"nobody sent the code within {WAIT_S:g} seconds") from None
    except MatrixError as error:
        raise BadSettings(f"the room cannot be used: {error}") from None


async def _sender_of(api: MatrixApi, code: str, *, position: str, bot: str) -> str:
    """Return who sent the code.

    Raises:
        MatrixError: the room cannot be read.
        BadSettings: too many wrong codes came.
    """
    wrong = 0
    while True:
        batch = await api.sync(position, wait_s=SYNC_S)
        position = batch.position
        for event in batch.events:
            sender, said = event.get("sender"), _code_in(event)
            if not isinstance(sender, str) or sender == bot or said is None:
                continue
            if is_same_secret(code, said):
                return sender
            wrong += 1
            if wrong >= TRIES_LIMIT:
                raise BadSettings("too many wrong codes came in; set it up again")


def _code_in(event: Mapping[str, object]) -> str | None:
    """Return what follows the word in a message, None for any other event."""
    content = event.get("content")
    body = content.get("body") if isinstance(content, Mapping) else None
    if not isinstance(body, str) or event.get("type") != "m.room.message":
        return None
    word, _, rest = body.strip().partition(" ")
    return rest.strip() if word.casefold() == WORD else None


def _let_in(
    place: SetupPlace,
    user: str,
    room: str,
    name: str,
    *,
    is_new: bool,
    groups: tuple[str, ...] = (),
) -> None:
    """Have it typed out on the terminal who will answer, and keep it.

    Raises:
        BadSettings: it was not, or the name is somebody else's.
        StoreError: the list of approvers cannot be written.
    """
    if not is_user_id(user):
        raise BadSettings("whoever sent the code has no id that can be kept")
    said = f"user {visible(user)} in room {visible(room)} will answer as `{visible(name)}`"
    place.let_in(Identity(CHANNEL, user), said, name=name, is_new=is_new, groups=groups)


def _greet(api: MatrixApi, text: str) -> None:
    """Tell the room what was settled on the terminal; nothing hangs on it."""
    try:
        asyncio.run(MatrixPort(api).send(text))
    except MatrixError:
        click.echo("the bot could not write into the room: may it, there?", err=True)


COMMANDS: Mapping[str, click.Command] = {"setup": setup, "invite": invite}
