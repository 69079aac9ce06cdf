"""`signoff unlock`: lifts a lock, for a person at a terminal who types it out."""

from __future__ import annotations

import sys

import click

from signoff.build.acts import record_own_act
from signoff.challenge.channels.terminal import here
from signoff.challenge.visible import visible
from signoff.effects.admin_acts import AdminAct
from signoff.frontends.cli.confirm import take_over
from signoff.frontends.cli.exits import Refusal, errors_as_messages
from signoff.frontends.cli.json_out import answer_with
from signoff.frontends.cli.lock import named
from signoff.frontends.cli.typed import typed_out
from signoff.frontends.cli.wrapping import say
from signoff.settings import load_settings, own_folders
from signoff.storage.locks.lock import LockScope
from signoff.storage.locks.lock_file import LockFile


@click.command("unlock", short_help="Lift a lock; asks on your terminal.")
@click.argument("scope", type=click.Choice([scope.value for scope in LockScope]), default="all")
@click.argument("name", default="")
def command(scope: str, name: str) -> None:
    """Lift one lock, or all of them. Asks on the terminal."""
    with errors_as_messages():
        lock = named(scope, name)
        # Not by the settings, as with `signoff lock`.
        file = LockFile.of(own_folders()[1])
        in_force = file.locks()
    if not in_force:
        say("nothing is locked")
        return
    shown = "\n".join(f"  {visible(str(one))}" for one in in_force)
    word = f"unlock {scope} {name}".strip()
    if not typed_out(f"in force now:\n{shown}\nto lift it, type: {visible(word)}", word=word):
        raise Refusal("not confirmed on a terminal: everything stays locked as it is")
    with errors_as_messages():
        # For a daemon that runs it stays until the code from its channels is typed (T-63).
        note = AdminAct(act="lock.remove", by=str(here()), said=word, channel="terminal")
        record_own_act(load_settings(), note)
        was_there = file.remove(lock)
        is_lifted = take_over("locks: ") and was_there
    answer_with(scope=scope, name=name, lifted=is_lifted)
    waits = "not lifted yet: an admin has to confirm it" if was_there else "there was no such lock"
    say("lifted" if is_lifted else waits)
    sys.exit(0 if is_lifted else 1)
