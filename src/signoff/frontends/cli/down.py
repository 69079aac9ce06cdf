"""`signoff down`: end the daemon. Hooks that were installed with `start` will start it again."""

from __future__ import annotations

import click

from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.client.places import Places
from signoff.frontends.server.control import stop
from signoff.settings import own_folders


@click.command("down", short_help="End the daemon.")
def command() -> None:
    """End the daemon; what it was deciding is refused."""
    with errors_as_messages():
        was_running = stop(Places(own_folders()[1]))
    click.echo("the daemon has ended" if was_running else "the daemon was not running")
