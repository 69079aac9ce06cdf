"""`signoff lock`: the panic switch. Works with and without the daemon, and holds over restarts.

signoff lock                          everything
signoff lock agent claude-code        one host, or one agent by its id
signoff lock session ID
signoff lock tool Bash
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import assert_never

import click

from signoff.challenge.visible import visible
from signoff.errors import BadSettings
from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.cli.json_out import answer_with
from signoff.frontends.cli.sessions import seen_sessions
from signoff.frontends.cli.typed import note_stricter
from signoff.frontends.cli.wrapping import say
from signoff.frontends.client.places import Places
from signoff.settings import own_folders
from signoff.storage.locks.lock import NAME_LIMIT, Lock, LockScope
from signoff.storage.locks.lock_file import LockFile
from signoff.system.files import own_uid

SHOWN = 10  # names in a warning


@click.command("lock", short_help="Panic switch: block all calls, or one agent, session or tool.")
@click.argument("scope", type=click.Choice([scope.value for scope in LockScope]), default="all")
@click.argument("name", default="")
def command(*, scope: str, name: str) -> None:
    """Block all calls, or those of one agent, session or tool. `signoff unlock` lifts it."""
    with errors_as_messages():
        since = datetime.now(UTC).isoformat(timespec="seconds")
        lock = named(scope, name, since=since, by=f"uid {own_uid()}")
        # Not by the settings: the panic switch works where they cannot be read.
        state = own_folders()[1]
        LockFile.of(state).add(lock)
        note_stricter("lock.add", str(lock))
    answer_with(scope=lock.scope.value, name=lock.name, since=lock.since)
    say(str(lock))
    if unseen := _unseen(lock, Places(state)):
        click.secho(f"warning: {visible(unseen)}", fg="yellow", err=True)


def _unseen(lock: Lock, places: Places) -> str:
    """Say that no session that was seen falls under the lock, "" if one does or none is known."""
    try:
        sessions = seen_sessions(places)
    # The warning is a help only, and the lock stands already.
    except BadSettings:
        return ""
    names: set[str]
    match lock.scope:
        case LockScope.AGENT:
            names = {str(session["host"]) for session in sessions}
        case LockScope.SESSION:
            names = {str(session["session"]) for session in sessions}
        case LockScope.TOOL | LockScope.ALL:
            return ""
        case _:
            assert_never(lock.scope)
    if lock.name.casefold() in {name.casefold() for name in names} or not names:
        return ""
    shown = ", ".join(sorted(names)[:SHOWN])
    return f"no {lock.scope.value} of that name was seen so far; those that were: {shown}"


def named(scope: str, name: str, *, since: str = "", by: str = "") -> Lock:
    """Return the lock that command-line words name.

    Args:
        scope: `all`, `agent`, `session` or `tool`.
        since: ISO 8601.
        by: who sets it.

    Raises:
        BadSettings: a name is missing, too long, or not allowed with this scope.
    """
    if (scope == LockScope.ALL.value) == bool(name):
        raise BadSettings("give `all`, or `agent`, `session` or `tool` and its name")
    if len(name) > NAME_LIMIT:
        raise BadSettings(f"the name is longer than {NAME_LIMIT} characters")
    return Lock(scope=LockScope(scope), name=name, since=since, by=by)
