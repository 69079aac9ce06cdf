"""`signoff hook <host>`: named here for the help; `__main__` calls the hook itself."""

from __future__ import annotations

import sys

import click

from signoff.frontends.hosts import local_hook
from signoff.frontends.hosts.registry import ADAPTERS


@click.command("hook", short_help="Answer an agent's hook (called by the agent).")
@click.argument("host", type=click.Choice(list(ADAPTERS)), metavar="HOST")
@click.option("--deadline", metavar="SECONDS", help="Deny the call after this many seconds.")
def command(host: str, deadline: str | None) -> None:
    """Answer an agent's hook: one event on standard input, one answer on standard output."""
    arguments = ["--deadline", deadline] if deadline else []
    sys.exit(local_hook.run([host, *arguments]))
