"""`signoff serve`: the daemon in the foreground; `signoff up` starts it in the background."""

from __future__ import annotations

import click

from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.server.serve import serve
from signoff.settings import load_settings


@click.command("serve", short_help="Run the daemon in the foreground.")
@click.option("--port", type=click.IntRange(0, 65_535), help="Not the configured one; 0 = any.")
def command(port: int | None) -> None:
    """Serve hooks and the API on loopback and on a Unix socket until Control-C or a signal."""
    with errors_as_messages():
        serve(load_settings(), port=port)
