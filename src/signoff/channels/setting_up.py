"""What the setup commands of channels share: who runs them, and whom they let in.

Whoever is let in is confirmed by a word typed on the terminal; there is no option in its place.

    place.confirm(f"user 4711 will answer as `ada`", word="ada")
    add_approver(place.config_dir, "ada", Identity("telegram", "4711"), is_new=False)
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from signoff.challenge.terms.approver import Approver, Identity
from signoff.errors import BadSettings
from signoff.storage.approvals.approver_file import FILE, ApproverFile
from signoff.values import replace

NAME_LIMIT = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupPlace:
    """What a setup command needs to know of its surroundings.

    Args:
        is_daemon_running: tells whether a daemon runs, which would take messages meant for
            setup.
        typed_out: shows a text on the terminal; returns whether the word was typed.
    """

    config_dir: str
    is_daemon_running: Callable[[], bool]
    typed_out: Callable[[str, str], bool]

    def check_at_rest(self) -> None:
        """Check that no daemon is running.

        Raises:
            BadSettings: one is.
        """
        if self.is_daemon_running():
            raise BadSettings("the daemon runs and listens for the bot: `signoff down` first")

    def confirm(self, text: str, *, name: str) -> None:
        """Ask the user to type the name of a new approver on the terminal.

        Args:
            text: who will answer under that name.

        Raises:
            BadSettings: it was not typed, or is not a valid name.
        """
        if not name.isprintable() or not 0 < len(name) <= NAME_LIMIT:
            raise BadSettings(f"a name has 1 to {NAME_LIMIT} characters, all to be seen")
        if not self.typed_out(f"{text}\nto let them, type: {name}", name):
            raise BadSettings("not confirmed on a terminal: nothing is written")


def add_approver(
    config_dir: str, id: str, identity: Identity, *, is_new: bool, groups: tuple[str, ...] = ()
) -> None:
    """Add an identity to the approver of this id, who is added if need be.

    Args:
        is_new: the id must be nobody's yet, or have this identity already.

    Raises:
        BadSettings: the name is taken, or the identity is somebody else's.
        StoreError: the list cannot be written.
    """
    people = ApproverFile(os.path.join(config_dir, FILE))
    known = next((one for one in people.listed() if one.id == id), None)
    if known is not None and is_new and identity not in known.identities:
        raise BadSettings(f"`{id}` is somebody else: choose another name")
    person = known or Approver(id=id, name=id)
    identities = dict.fromkeys((*person.identities, identity))
    joined = tuple(dict.fromkeys((*person.groups, *groups)))
    people.add(replace(person, identities=tuple(identities), groups=joined))
