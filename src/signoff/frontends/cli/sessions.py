"""`signoff sessions`: who was seen, where, doing what, how often refused."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping

import click

from signoff.actions.action import Json
from signoff.errors import BadSettings
from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.cli.wrapping import say
from signoff.frontends.client.found import daemon_places
from signoff.frontends.client.places import Places
from signoff.frontends.server.control import NotRunning, ask
from signoff.frontends.server.sessions import read_saved
from signoff.values import count_of

SHOWN = 50


@click.command("sessions", short_help="List the sessions of agents.")
@click.option("--json", "is_json", is_flag=True, help="One JSON object a line, all of them.")
def command(*, is_json: bool) -> None:
    """List the sessions of agents, the most recent first."""
    with errors_as_messages():
        sessions = seen_sessions(daemon_places())
    if is_json:
        for session in sessions:
            click.echo(json.dumps(session))
        return
    for session in sessions[:SHOWN]:
        say(_line(session))
    if not sessions:
        say("no sessions yet")


def seen_sessions(places: Places) -> list[Mapping[str, Json]]:
    """Return the known sessions: from the daemon, or else as last saved.

    Raises:
        BadSettings: what was written cannot be read.
    """
    try:
        said = ask(places, "/v1/sessions").get("sessions")
        return [one for one in said if isinstance(one, Mapping)] if isinstance(said, list) else []
    # Then from the file, which the daemon writes every two seconds.
    except NotRunning:
        pass
    try:
        return [dict(session) for session in read_saved(places.sessions)]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadSettings(f"{places.sessions} cannot be read: {error}") from error


def _line(session: Mapping[str, Json]) -> str:
    seen = session["last_seen"]
    ago_s = max(0.0, time.time() - seen) if isinstance(seen, int | float) else 0.0
    return (
        f"{session['state']:<8} {session['host']} {session['session']}  {session['label']}:"
        f" {count_of(session['calls'], 'call')}, {session['asks']} asked,"
        f" {session['denials']} denied,"
        f" last {session['last_tool'] or 'nothing'}, {ago_s:.0f} s ago"
    )
