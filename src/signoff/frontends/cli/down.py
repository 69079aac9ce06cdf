"""`signoff down`: end the daemon. Hooks that were installed with `start` will start it again."""

from __future__ import annotations

import click

from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.cli.json_out import answer_with
from signoff.frontends.cli.progress import progress
from signoff.frontends.cli.wrapping import say
from signoff.frontends.client.places import Places
from signoff.frontends.server.control import stop
from signoff.settings import own_folders


@click.command("down", short_help="Stop the daemon.")
def command() -> None:
    """Stop the daemon. Calls that it is deciding are denied."""
    with errors_as_messages(), progress("stopping the daemon"):
        # Not by the settings: a daemon can be stopped although they cannot be read.
        was_running = stop(Places(own_folders()[1]))
    answer_with(was_running=was_running)
    say("the daemon has ended" if was_running else "the daemon was not running")
