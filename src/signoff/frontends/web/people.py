"""People on the web: a one-time link signs in the approver it was made for.

The daemon made the link for a person at a terminal, so nobody has to be entered for this channel.

    WebPeople(ApproverFile(path)).find(Identity("web", "ada"))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from signoff.challenge.terms.approver import Approver, Directory, Identity

CHANNEL = "web"


@dataclass(frozen=True, slots=True)
class WebPeople:
    """A `Directory` that knows everybody on the web by their id, and asks another for the rest.

    Args:
        guests: who signed in at a provider, and is on no list.
    """

    directory: Directory
    guests: Callable[[], tuple[Approver, ...]] = tuple

    def find(self, identity: Identity) -> Approver | None:
        """Return the person behind an identity, None if nobody is."""
        if identity.channel == CHANNEL:
            return next((one for one in self.listed() if one.id == identity.id), None)
        return self.directory.find(identity)

    def listed(self) -> tuple[Approver, ...]:
        """Return everybody."""
        known = self.directory.listed()
        ids = {one.id for one in known}
        # Who is on the list counts as listed, whatever a provider says of them.
        return (*known, *(one for one in self.guests() if one.id not in ids))
