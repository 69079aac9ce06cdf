"""`signoff open`: a one-time link that signs a browser of this machine in to the inbox.

    signoff open
    signoff open --as bob       for somebody else: an admin only, and the record says so

Nobody can tell who sits behind a link for somebody else. It gives no part of an approval that
takes several people, and what it does approve is recorded with the name of who made it.

The link is written to the terminal itself and nowhere else, so that nothing that reads the output
of commands gets to see it.
"""

from __future__ import annotations

import os
import time

import click

from signoff.challenge.channels.conversation import here, open_terminal
from signoff.challenge.terms.approver import Approver, Role
from signoff.challenge.visible import visible
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.client.places import Places
from signoff.frontends.server.control import start
from signoff.frontends.web.link import GOOD_FOR_S, Claim, link_of, make_code
from signoff.settings import Settings, load_settings
from signoff.storage.approvals.approver_file import FILE, KEY_FILE, ApproverFile, approver_key

STRANGER = "`{identity}` is no approver: `approvers.json` in `{folder}` says who is"


@click.command("open", short_help="Print a link that signs a browser in to the inbox.")
@click.option("--as", "other", default="", metavar="ID", help="Sign somebody else in; admins only.")
@click.option("--port", type=click.IntRange(1_024, 65_535), help="Where the daemon listens.")
def command(*, other: str, port: int | None) -> None:
    """Start the daemon if need be, and print a one-time link on this terminal."""
    terminal = open_terminal()
    if terminal is None:
        raise Refusal("a link is given to a person at a terminal only, and there is none here")
    try:
        with errors_as_messages():
            settings = load_settings()
            claim = _claim(settings, other)
            start(Places(settings.state_dir))
            key = approver_key(os.path.join(settings.config_dir, KEY_FILE))
        link = link_of(port or settings.port, make_code(key, claim, now_s=time.time()))
        whom = visible(claim.approver)
        said = f"signs {whom} in, once, within {GOOD_FOR_S / 60:g} minutes:\n\n  {link}\n\n"
        os.write(terminal, said.encode())
    finally:
        os.close(terminal)


def _claim(settings: Settings, other: str) -> Claim:
    """Return whom the link is for, as far as whoever sits here may give it."""
    directory = ApproverFile(os.path.join(settings.config_dir, FILE))
    me = directory.find(here())
    if me is None:
        raise Refusal(STRANGER.format(identity=here(), folder=settings.config_dir))
    if not other or other == me.id:
        return Claim(approver=me.id, made_by=me.id)
    if me.role is not Role.ADMIN:
        raise Refusal(f"only an admin may sign others in; you are `{me.role}`")
    return Claim(approver=_known(directory.listed(), other).id, made_by=me.id)


def _known(people: tuple[Approver, ...], other: str) -> Approver:
    found = next((one for one in people if one.id == other), None)
    if found is None:
        names = ", ".join(one.id for one in people)
        raise Refusal(f"there is no approver `{visible(other)}`, only {visible(names)}")
    return found
