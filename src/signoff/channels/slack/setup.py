"""`signoff slack`: have yourself, and others, asked in a Slack conversation.

    signoff slack setup             asks for tokens and conversation, finds out who you are
    signoff slack invite bob        one more person in the same conversation

Who somebody is in the conversation is found out by a code off the terminal that they write there:

    paired = await pair(api, "C0123456789", code=pairing_code(), timeout_s=300)
"""

from __future__ import annotations

import asyncio
import importlib.util
import os
import re
import time
from collections.abc import Mapping, Sequence

import click

from signoff.actions.action import Json
from signoff.challenge.outbound.endpoint import CallFailed, OutboundEndpoint
from signoff.challenge.terms.approver import Identity
from signoff.challenge.visible import visible
from signoff.channels.setting_up import (
    SetupPlace,
    invite_command,
    pairing_code,
    tell_invited,
)
from signoff.channels.settings_file import (
    read_private,
    replace_users,
    write_channel,
    write_private,
)
from signoff.channels.slack.client import CHANNEL
from signoff.channels.slack.settings import APP_TOKEN_FILE, BOT_TOKEN_FILE, FILE, read_slack
from signoff.channels.slack.web_api import BASE_URL, SlackApi
from signoff.errors import BadSettings
from signoff.ids import is_same_secret

WAIT_S = 300.0
ID = re.compile(r"\A[A-Z0-9]{2,50}\Z")
TOKENS = {"bot": "xoxb-", "app": "xapp-"}
NOT_INSTALLED = "Slack needs one more package: `pip install 'signoff[slack]'`"

WORD = "signoff"
TRIES_LIMIT = 20  # wrong codes, from whomever
LOOK_EVERY_S = 2.0
PAGE = 50


@click.command("setup")
@click.option("--conversation", prompt="the id of the conversation (C...)", help="Such as C01234.")
@click.option("--bot-token-file", default="", help="Read the bot token from this file, mode 600.")
@click.option("--app-token-file", default="", help="Read the app token from this file, mode 600.")
@click.option("--api", default=BASE_URL, show_default=True, help="The Web API's address.")
@click.option("--approver", default="owner", show_default=True, help="Your id as an approver.")
@click.pass_obj
def setup(
    place: SetupPlace,
    *,
    conversation: str,
    bot_token_file: str,
    app_token_file: str,
    api: str,
    approver: str,
) -> None:
    """Check the tokens, find out who you are, and write the settings."""
    place.check_at_rest()
    if importlib.util.find_spec("websockets") is None:
        raise BadSettings(NOT_INSTALLED)
    endpoint = OutboundEndpoint.parse(api)
    if not ID.match(conversation):
        raise BadSettings(
            f"conversation: expected an id like `C0123456789`, got `{visible(conversation)}`"
        )
    bot, app = _token("bot", bot_token_file), _token("app", app_token_file)
    slack = SlackApi(bot_token=bot, app_token=app, endpoint=endpoint)
    user = _paired(slack, conversation)
    _let_in(place, user, conversation, approver, is_new=False)
    write_private(os.path.join(place.config_dir, BOT_TOKEN_FILE), f"{bot}\n")
    write_private(os.path.join(place.config_dir, APP_TOKEN_FILE), f"{app}\n")
    said: dict[str, object] = {"version": 1, "conversation": conversation, "users": [user]}
    path = write_channel(
        place.config_dir, FILE, {**said, **({} if api == BASE_URL else {"api": api})}
    )
    click.echo(f"written: {visible(path)}\nnow start the daemon: signoff up")
    _greet(slack, conversation, "signoff asks here from now on.")


@invite_command
def invite(place: SetupPlace, *, name: str, groups: tuple[str, ...]) -> None:
    """Let one more person answer in the same conversation."""
    place.check_at_rest()
    found = read_slack(place.config_dir)
    if found is None:
        raise BadSettings("there is no conversation yet: `signoff slack setup`")
    slack = SlackApi(bot_token=found.bot_token, app_token=found.app_token, endpoint=found.api)
    user = _paired(slack, found.conversation)
    _let_in(place, user, found.conversation, name, is_new=True, groups=groups)
    replace_users(place.config_dir, FILE, tuple(dict.fromkeys((*found.users, user))))
    tell_invited(name)
    _greet(slack, found.conversation, f"{visible(name)} may answer here from now on.")


def _token(kind: str, file: str) -> str:
    """Return a token from a file, else as it is typed, unseen.

    Raises:
        BadSettings: it is not of this kind.
    """
    begins = TOKENS[kind]
    token: str = (
        read_private(os.path.abspath(file))
        if file
        else click.prompt(f"the {kind} token, {begins}... (not shown)", hide_input=True).strip()
    )
    if not token.startswith(begins) or not token.isascii() or not token.isprintable():
        raise BadSettings(f"the {kind} token begins with `{begins}`; this one does not")
    return token


def _paired(slack: SlackApi, conversation: str) -> str:
    """Return who writes a code into the conversation.

    Raises:
        BadSettings: nobody did, or a token or the conversation cannot be used.
    """
    code = pairing_code()

    async def whole() -> str:
        try:
            bot = await slack.call("auth.test", {})
            await slack.open_socket()  # what the app token is for
        except CallFailed as error:
            raise BadSettings(f"a token is refused: {error}") from None
        click.echo(f"the tokens are good: {visible(str(bot.get('user', 'the app')))}")
        click.echo(f"write this into the conversation:  {WORD} {code}")
        return await pair(slack, conversation, code=code, timeout_s=WAIT_S)

    return asyncio.run(whole())


def _let_in(
    place: SetupPlace,
    user: str,
    conversation: str,
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
    # It is shown on the terminal for a person to confirm, and kept as a name of theirs.
    if not ID.match(user):
        raise BadSettings("whoever wrote the code has no id that can be kept")
    said = f"member {user} in conversation {conversation} will answer as `{visible(name)}`"
    place.let_in(Identity(CHANNEL, user), said, name=name, is_new=is_new, groups=groups)


def _greet(slack: SlackApi, conversation: str, text: str) -> None:
    """Tell the conversation what was settled on the terminal; nothing hangs on it."""
    try:
        asyncio.run(slack.call("chat.postMessage", {"channel": conversation, "text": text}))
    except CallFailed:
        click.echo("the app could not write into the conversation: is it invited?", err=True)


COMMANDS: Mapping[str, click.Command] = {"setup": setup, "invite": invite}


async def pair(api: SlackApi, conversation: str, *, code: str, timeout_s: float) -> str:
    """Return the id of the Slack member who writes the pairing code in the conversation.

    Raises:
        BadSettings: nobody did in time, too many wrong codes came, or the app cannot read there.
    """
    # Older messages do not count: a code written before this one was shown cannot be meant.
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
            if is_same_secret(code, said):
                return user
            # By time stamp: each look reads the same messages again, and each counts once.
            wrong.add(ts)
        if len(wrong) >= TRIES_LIMIT:
            raise BadSettings("too many wrong codes came in; set it up again")
        await asyncio.sleep(LOOK_EVERY_S)


def _codes(messages: Json) -> Sequence[tuple[str, str, str]]:
    """Return who wrote which code when, of the messages people wrote."""
    found = []
    for one in messages if isinstance(messages, list) else []:
        # The app itself, or another one, could repeat the code: only what a person wrote counts.
        if not isinstance(one, Mapping) or "bot_id" in one:
            continue
        user, ts, text = one.get("user"), one.get("ts"), one.get("text")
        if not isinstance(user, str) or not isinstance(ts, str) or not isinstance(text, str):
            continue
        word, _, rest = text.strip().partition(" ")
        if word.casefold() == WORD:
            found.append((user, ts, rest.strip()))
    return found
