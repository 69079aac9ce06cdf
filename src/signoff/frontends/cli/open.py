"""`signoff open`: a one-time link that signs a browser of this machine in to the inbox.

    signoff open
    signoff open --as bob       for somebody else: an admin only, and the record says so
    signoff open --localhost    for a browser that knows no names under `localhost`, as Safari

The daemon makes the link and writes it to the terminal itself, where a person sits: nothing that
reads files, sockets or the output of commands gets to see it (see `server/wire/signing_in.py`).
"""

from __future__ import annotations

import os

import click

from signoff.challenge.channels.conversation import open_terminal
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.client.places import Places
from signoff.frontends.server.control import start, tell
from signoff.settings import load_settings


@click.command("open", short_help="Print a link that signs a browser in to the inbox.")
@click.option("--as", "other", default="", metavar="ID", help="Sign somebody else in; admins only.")
@click.option(
    "--localhost",
    "is_plain",
    is_flag=True,
    help="For browsers that do not find the link's own name, such as Safari; less protected.",
)
@click.option("--port", type=click.IntRange(1_024, 65_535), help="Not needed: the daemon says it.")
def command(*, other: str, is_plain: bool, port: int | None) -> None:
    """Start the daemon if need be, and have it print a one-time link on this terminal."""
    terminal = open_terminal()
    if terminal is None:
        raise Refusal("a link is given to a person at a terminal only, and there is none here")
    os.close(terminal)
    with errors_as_messages():
        places = Places(load_settings().state_dir)
        start(places)
        said = tell(places, "/v1/sign-in-links", {"as": other, "is_plain": is_plain})
    if said.get("written") is not True:
        raise Refusal(str(said.get("words") or "the daemon gave no link"))
