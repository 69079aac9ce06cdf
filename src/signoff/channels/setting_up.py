"""What the setup commands of channels share: who runs them, and whom they let in.

Whoever is let in is confirmed by a word typed on the terminal; there is no option in its place.

    identity = Identity("telegram", "4711")
    place.let_in(identity, "user 4711 will answer as `ada`", name="ada", is_new=False)
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable

import click
from msgspec import Struct

from signoff.challenge.terms.approver import Approver, Identity
from signoff.challenge.visible import visible
from signoff.effects.admin_acts import AdminAct
from signoff.errors import BadSettings
from signoff.storage.approvals.approver_file import FILE, ApproverFile
from signoff.system.files import own_uid
from signoff.values import replace

NAME_LIMIT = 60
CODE_DIGITS = 8  # one in a hundred million, and the setup listens for five minutes only


class SetupPlace(Struct, frozen=True, kw_only=True):
    """What a setup command needs from its caller.

    Args:
        is_daemon_running: tells whether a daemon runs, which would take messages meant for
            setup.
        typed_out: shows a text on the terminal; returns whether the word was typed.
        record: writes an act to the audit log, before it takes effect.
    """

    config_dir: str
    is_daemon_running: Callable[[], bool]
    typed_out: Callable[[str, str], bool]
    record: Callable[[AdminAct], None]

    def check_at_rest(self) -> None:
        """Raise if a daemon is running.

        Raises:
            BadSettings: one is.
        """
        if self.is_daemon_running():
            # Two listeners of one bot take each other's messages, so the code might never arrive
            # here.
            raise BadSettings("the daemon runs and listens for the bot: `signoff down` first")

    def confirm(self, text: str, *, name: str) -> None:
        """Ask the user to type the name of a new approver on the terminal.

        Args:
            text: who will answer under that name.

        Raises:
            BadSettings: it was not typed, or is not a valid name.
        """
        # The name is typed to confirm it and stands in the record: what cannot be seen cannot be
        # checked.
        if not name.isprintable() or not 0 < len(name) <= NAME_LIMIT:
            raise BadSettings(f"a name has 1 to {NAME_LIMIT} characters, all to be seen")
        if not self.typed_out(f"{text}\nto let them, type: {name}", name):
            raise BadSettings("not confirmed on a terminal: nothing is written")

    def let_in(
        self,
        identity: Identity,
        text: str,
        *,
        name: str,
        is_new: bool,
        groups: tuple[str, ...] = (),
    ) -> None:
        """Ask for confirmation on the terminal, then store who may answer.

        Args:
            text: shown: who will answer under that name.
            is_new: as in `add_approver`.

        Raises:
            BadSettings: it was not confirmed, or another person has the name.
            StoreError: the list of approvers cannot be written.
        """
        self.confirm(text, name=name)
        by = f"uid:{own_uid()}"
        said = visible(f"{name}: {identity}")
        self.record(AdminAct(act="approver.add", by=by, said=said, channel="terminal"))
        add_approver(self.config_dir, name, identity, is_new=is_new, groups=groups)


def pairing_code() -> str:
    """Return a random code that a person copies from the terminal into the conversation."""
    return "".join(secrets.choice("0123456789") for _ in range(CODE_DIGITS))


def invite_command(run: Callable[..., None]) -> click.Command:
    """Return the command `invite NAME [--group G]` of a channel that calls `run`."""
    group = click.option(
        "--group", "groups", multiple=True, help="Asked together; may be given again."
    )
    return click.command("invite")(click.argument("name")(group(click.pass_obj(run))))


def tell_invited(name: str) -> None:
    """Print that a person may answer once the daemon was restarted."""
    click.echo(f"{visible(name)} may answer\nnow start the daemon: signoff up")


def add_approver(
    config_dir: str, id: str, identity: Identity, *, is_new: bool, groups: tuple[str, ...] = ()
) -> None:
    """Add an identity to the approver with this id; create the approver if needed.

    Args:
        is_new: the id must be nobody's yet, or have this identity already.

    Raises:
        BadSettings: the name is taken, or the identity is somebody else's.
        StoreError: the list cannot be written.
    """
    people = ApproverFile(os.path.join(config_dir, FILE))
    known = next((one for one in people.listed() if one.id == id), None)
    # An invited person under a taken name would answer as somebody else. The same identity again
    # is no error: an invitation that was cut off can be repeated.
    if known is not None and is_new and identity not in known.identities:
        raise BadSettings(f"`{id}` is somebody else: choose another name")
    person = known or Approver(id=id, name=id)
    identities = dict.fromkeys((*person.identities, identity))
    joined = tuple(dict.fromkeys((*person.groups, *groups)))
    people.add(replace(person, identities=tuple(identities), groups=joined))
