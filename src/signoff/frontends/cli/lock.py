"""`signoff lock`: the panic switch. Works with and without the daemon, and holds over restarts.

signoff lock                          everything
signoff lock agent claude-code        one host, or one agent by its id
signoff lock session ID
signoff lock tool Bash
"""

from __future__ import annotations

import os
from datetime import UTC, datetime

import click

from signoff.challenge.visible import visible
from signoff.errors import BadSettings
from signoff.frontends.cli.exits import errors_as_messages
from signoff.settings import load_settings
from signoff.storage.locks.lock import NAME_LIMIT, Lock, Scope
from signoff.storage.locks.lock_file import LockFile


@click.command("lock", short_help="Refuse everything of an agent, session or tool, or everything.")
@click.argument("scope", type=click.Choice([scope.value for scope in Scope]), default="all")
@click.argument("name", default="")
def command(scope: str, name: str) -> None:
    """Refuse from now on whatever falls under the lock; `signoff unlock` lifts it."""
    with errors_as_messages():
        since = datetime.now(UTC).isoformat(timespec="seconds")
        lock = named(scope, name, since=since, by=f"uid {os.getuid()}")
        LockFile(load_settings().locks_file).add(lock)
    click.echo(visible(str(lock)))


def named(scope: str, name: str, *, since: str = "", by: str = "") -> Lock:
    """Return the lock these words name.

    Raises:
        BadSettings: a name is missing, too long, or stands where none belongs.
    """
    if (scope == Scope.ALL.value) == bool(name):
        raise BadSettings("give `all`, or `agent`, `session` or `tool` and its name")
    if len(name) > NAME_LIMIT:
        raise BadSettings(f"the name is longer than {NAME_LIMIT} characters")
    return Lock(scope=Scope(scope), name=name, since=since, by=by)
