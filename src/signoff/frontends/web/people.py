"""People on the web: a one-time link signs in the approver it was made for.

The daemon made the link for a person at a terminal, so nobody has to be entered for this channel.

    WebPeople(ApproverFile(path)).find(Identity("web", "ada"))
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from signoff.challenge.terms.approver import Approver, Directory, Identity

CHANNEL = "web"


class WebPeople(Struct, frozen=True):
    """A directory that finds web visitors by approver id, others through another directory.

    Args:
        guests: returns who signed in through a provider and is on no list.
    """

    directory: Directory
    guests: Callable[[], tuple[Approver, ...]] = tuple

    def find(self, identity: Identity) -> Approver | None:
        """Return the approver with this identity, None if there is none."""
        if identity.channel == CHANNEL:
            return next((one for one in self.listed() if one.id == identity.id), None)
        return self.directory.find(identity)

    def listed(self) -> tuple[Approver, ...]:
        """Return all approvers and guests."""
        known = self.directory.listed()
        ids = {one.id for one in known}
        # Who is on the list counts as listed, whatever a provider says of them.
        return (*known, *(one for one in self.guests() if one.id not in ids))
