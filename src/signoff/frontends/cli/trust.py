"""`signoff trust`: how far agents are trusted, by domain; incidents, revocation, a new start.

signoff trust                                             every agent and domain
signoff trust incident claude-code --domain databases --note "dropped a table"
signoff trust revoke claude-code                          at once
signoff trust restore claude-code                         an admin, with a code on the terminal
"""

from __future__ import annotations

from collections.abc import Mapping

import click

from signoff.actions.action import Json
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.json_out import AnsweringGroup, echo_json, is_alone, json_option
from signoff.frontends.cli.typed import UNMADE, CodedChange, words_of
from signoff.frontends.cli.wrapping import say
from signoff.frontends.client.found import daemon_places
from signoff.frontends.server.control import ask, tell

PATH = "/v1/trust"
BARS = " .:-=+*#%@"
domain_option = click.option("--domain", default="", help="Only with these: databases, files ...")


@click.group("trust", cls=AnsweringGroup, invoke_without_command=True)
@json_option
@click.pass_context
def command(context: click.Context, *, is_json: bool) -> None:
    """How far agents are trusted, by domain; alone it lists them."""
    if not is_alone(context, is_json=is_json):
        return
    with errors_as_messages():
        said = ask(daemon_places(), PATH)
        agents = said.get("agents")
        if not isinstance(agents, list):
            raise Refusal(words_of(said) or UNMADE)
    if is_json:
        echo_json(agents)
        return
    for one in agents:
        if isinstance(one, dict):
            say(_line(one))
    if not agents:
        say("no agent is known yet: every agent starts at 0.30")


@command.command("incident")
@click.argument("agent")
@domain_option
@click.option("--note", default="", help="What happened.")
def incident(*, agent: str, domain: str, note: str) -> None:
    """Record harm that an agent did.

    Three tenths of the trust in it are gone at once.
    """
    _done({"incident": agent, "domain": domain, "note": note})


@command.command("revoke")
@click.argument("agent")
@domain_option
def revoke(*, agent: str, domain: str) -> None:
    """Take all trust in an agent, at once."""
    _done({"revoke": agent, "domain": domain})


@command.command("restore", short_help="Start over; asks on your terminal.")
@click.argument("agent")
@domain_option
def restore(*, agent: str, domain: str) -> None:
    """Start over with an agent, as with a stranger. Asks on the terminal."""
    with errors_as_messages():
        change = CodedChange(path=PATH, text="to begin anew")
        said = change.made(daemon_places(), {"restore": agent, "domain": domain})
        if said.get("done") is not True:
            raise Refusal(words_of(said) or UNMADE)
        say(words_of(said))


def _done(wanted: dict[str, Json]) -> None:
    with errors_as_messages():
        said = tell(daemon_places(), PATH, wanted)
        if not words_of(said).startswith(("incident", "trust in")):
            raise Refusal(words_of(said) or UNMADE)
        say(words_of(said))


def _line(one: Mapping[str, Json]) -> str:
    """Return an agent and a domain in one line, with its curve in characters."""
    curve = one.get("curve")
    points = [p[1] for p in curve[-40:] if isinstance(p, list)] if isinstance(curve, list) else []
    drawn = "".join(BARS[min(int(float(p) * 10), 9)] for p in points if isinstance(p, int | float))
    state = ", revoked" if one.get("is_revoked") else ""
    return (
        f"{one.get('agent')}  {one.get('domain')}  trust {one.get('trust')}{state}, approved"
        f" {one.get('approved')}, denied {one.get('denied')}, incidents {one.get('incidents')}"
        f"  |{drawn}|"
    )
