"""`signoff open`: opens the inbox in a browser of this machine, and signs it in.

    signoff open
    signoff open --no-browser   print the link only
    signoff open --as bob       for somebody else: an admin only, and the record says so
    signoff open --public       a link to the address under `server.inbox_url`, for a phone
    signoff open --sign-out     sign browsers out: all of them for an admin, else one's own
    signoff open --localhost    for a browser that knows no names under `localhost`, as Safari

The daemon writes a one-time link and a short code to the terminal itself, where a person sits:
nothing that reads files, sockets or the output of commands gets to see them (see
`server/wire/signing_in.py`). The browser is started on a page that leads to the inbox and holds
neither: a browser that is signed in is in, another one asks for the code.
"""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path

import click

from signoff.actions.action import Json
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.progress import progress
from signoff.frontends.cli.wrapping import say
from signoff.frontends.client.found import daemon_places
from signoff.frontends.client.places import Places
from signoff.frontends.server.control import start, tell
from signoff.system.terminals import open_terminal

NO_TERMINAL = "the link is shown only on a terminal, and there is no terminal here"
# One of these says that a browser has a screen to open on; macOS and Windows always have one.
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "WSL_DISTRO_NAME")


@click.command("open", short_help="Open the inbox in a browser, and sign it in.")
@click.option("--as", "other", default="", metavar="ID", help="Sign somebody else in; admins only.")
@click.option(
    "--localhost",
    "is_plain",
    is_flag=True,
    help="For browsers that do not find the link's own name, such as Safari; less protected.",
)
@click.option("--public", "is_public", is_flag=True, help="A link to the inbox's public address.")
@click.option("--sign-out", is_flag=True, help="Sign all browsers out instead.")
@click.option("--no-browser", is_flag=True, help="Print the link only.")
@click.option("--port", type=click.IntRange(1_024, 65_535), help="Not needed: the daemon says it.")
def command(
    *,
    other: str,
    is_plain: bool,
    is_public: bool,
    sign_out: bool,
    no_browser: bool,
    port: int | None,
) -> None:
    """Start the daemon if need be, print a one-time link here, and open a browser."""
    with errors_as_messages():
        open_inbox(
            daemon_places(),
            other=other,
            is_plain=is_plain,
            is_public=is_public,
            has_browser=not (no_browser or other or is_public),
            sign_out=sign_out,
        )


def open_inbox(
    places: Places,
    *,
    other: str = "",
    is_plain: bool = False,
    is_public: bool = False,
    has_browser: bool = True,
    sign_out: bool = False,
) -> None:
    """Have the daemon write a link to this terminal, and open a browser on the inbox.

    Args:
        other: whom the link is for, "" for oneself.
        is_plain: `localhost` instead of this start's own host name.
        is_public: the public address instead.
        sign_out: sign browsers out instead.

    Raises:
        Refusal: there is no terminal, or the daemon gives no link.
        NotRunning: the daemon does not start.
    """
    terminal = open_terminal()
    if terminal is None:
        raise Refusal(NO_TERMINAL)
    # Only looked for: it is the daemon that writes there.
    os.close(terminal)
    # A service is started by the system and not by its users.
    if not places.is_service:
        with progress("starting the daemon"):
            start(places)
    asked: dict[str, Json] = {
        "as": other,
        "is_plain": is_plain,
        "is_public": is_public,
        "has_browser": has_browser and has_screen(),
        "sign_out": sign_out,
    }
    said = tell(places, "/v1/sign-in-links", asked)
    if shown := said.get("shown"):
        say(str(shown))
    if said.get("written") is not True:
        raise Refusal(str(said.get("words") or "the daemon gave no link"))
    page = str(said.get("page") or "")
    if page and not _opened(page):
        say("no browser was found: follow the link")


def has_screen() -> bool:
    """Return whether a browser can be opened for the person at this terminal."""
    return sys.platform in {"darwin", "win32"} or any(os.environ.get(name) for name in SCREENS)


def _opened(page: str) -> bool:
    """Start the browser on a file; tell whether there is one."""
    try:
        return webbrowser.open(Path(page).as_uri())
    except (webbrowser.Error, OSError, ValueError):
        return False
