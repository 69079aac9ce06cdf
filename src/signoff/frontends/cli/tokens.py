"""`signoff tokens`: tokens for programs, each for some routes of the API and for a time.

signoff tokens create ci --scope decide --days 30    an admin at a terminal, by a code shown there
signoff tokens list
signoff tokens revoke 3f0c9a12bc77                   anybody, at any time
"""

from __future__ import annotations

from datetime import UTC, datetime

import click

from signoff.actions.action import Json
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.json_out import AnsweringGroup, answer_with, echo_json, json_option
from signoff.frontends.cli.typed import CodedChange, words_of
from signoff.frontends.cli.wrapping import say
from signoff.frontends.client.found import daemon_places
from signoff.frontends.server.control import ask, tell
from signoff.frontends.server.wire.service_tokens import TokenScope
from signoff.frontends.server.wire.switches.tokens import MOST_DAYS

PATH = "/v1/tokens"
CREATE = CodedChange(
    path=PATH, text="Whoever has the token can do this until it expires.\nTo make it"
)


@click.group("tokens", cls=AnsweringGroup)
def command() -> None:
    """API tokens for programs, limited in scope and time."""


@command.command("create")
@click.argument("name")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    required=True,
    type=click.Choice([one.value for one in TokenScope]),
)
@click.option("--days", type=click.IntRange(1, MOST_DAYS), default=30, show_default=True)
def create(*, name: str, scopes: tuple[str, ...], days: int) -> None:
    """Make a token and print it, once. Asks on the terminal."""
    with errors_as_messages():
        wanted: dict[str, Json] = {
            "name": name,
            "scopes": [str(one) for one in scopes],
            "days": days,
        }
        said = CREATE.made(daemon_places(), wanted)
        if not isinstance(said.get("token"), str):
            raise Refusal(words_of(said) or "no token was made")
        say(words_of(said), err=True)
        answer_with(token=said["token"])
        click.echo(said["token"])


@command.command("list")
@json_option
def listed(*, is_json: bool) -> None:
    """List the tokens; none of them is shown."""
    with errors_as_messages():
        found = ask(daemon_places(), PATH).get("tokens")
    tokens = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    if is_json:
        echo_json(tokens)
        return
    for one in tokens:
        scopes = one.get("scopes")
        told = ", ".join(map(str, scopes)) if isinstance(scopes, list) else ""
        until = datetime.fromtimestamp(float(str(one.get("expires_s"))), UTC)
        line = f"{one.get('id')}  {one.get('name')}: {told}, until {until:%Y-%m-%d}"
        say(f"{line}, made by {one.get('created_by')}")
    if not tokens:
        say("no tokens")


@command.command("revoke")
@click.argument("id")
def revoke(*, id: str) -> None:
    """Revoke a token at once."""
    with errors_as_messages():
        words = words_of(tell(daemon_places(), PATH, {"revoke": id}))
        if words != "revoked":
            raise Refusal(words)
        say(words)
