"""`signoff confirm`: lets a change hold that was made in the files while the daemon runs.

The daemon believes a changed file once an admin types the code here that it shows on the channels
and to admins in the inbox. Commands that change approvers, policies, the mode or locks ask for it
themselves.
"""

from __future__ import annotations

import click

from signoff.challenge.visible import visible
from signoff.errors import SignoffError
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.typed import typed_line
from signoff.frontends.cli.wrapping import say
from signoff.frontends.client.found import daemon_places
from signoff.frontends.client.places import Places
from signoff.frontends.server.control import ask, tell

PATH = "/v1/changes"


@click.command("confirm", short_help="Confirm a change that was made outside the daemon.")
def command() -> None:
    """Confirm a change from outside with its code. Asks on the terminal."""
    with errors_as_messages():
        places = daemon_places()
        changes = _waiting(places)
        if not changes:
            say("no change waits")
            return
        words = _confirmed(places, changes)
    if not words:
        raise Refusal("not confirmed: what was confirmed before stays in force")
    say(words)


def take_over(kind: str = "") -> bool:
    """Have the running daemon take over a change that was just made; nothing if none runs.

    Args:
        kind: what was changed, as the daemon names it: `locks`; "" for any.

    Returns:
        False if a change of this kind still waits: what was in force before stays in force.
    """
    try:
        places = daemon_places()
        changes = _waiting(places)
    # Nobody to tell: the next start shows what waits.
    except SignoffError:
        return True
    if not changes:
        return True
    try:
        words = _confirmed(places, changes)
        left = _waiting(places)
        words = words or ("not confirmed" if left else "confirmed in the inbox or on a channel")
    except SignoffError as error:
        words, left = f"not confirmed: {error}", changes
    say(words, err=True)
    if left:
        say("the daemon waits for this: `signoff confirm`", err=True)
    return not any(kind in change for change in left)


def _waiting(places: Places) -> tuple[str, ...]:
    """Return the unconfirmed changes as text."""
    changes = ask(places, PATH).get("changes")
    return tuple(map(str, changes)) if isinstance(changes, list) else ()


def _confirmed(places: Places, changes: tuple[str, ...]) -> str:
    """Ask for the code; return what the daemon says to it, "" where none was typed."""
    shown = "\n".join(f"  {visible(change)}" for change in changes)
    code = typed_line(
        f"the daemon does not use this until an admin confirms it:\n{shown}\n"
        "press the button on the Policies page, or enter the code that this page and your channels"
        " show; to the inbox (`signoff open`):"
    )
    return str(tell(places, PATH, {"code": code}).get("words") or "") if code else ""
