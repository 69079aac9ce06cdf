"""Which open requests are decoys: known in the daemon's memory alone, in no file and no message.

A decoy is a request that no agent made. Whoever reads the requests on disk, `signoff approve`
among them, sees one like any other. The approval service asks here before an approval counts: a
decoy is settled as a denial whatever was answered, and its answer is kept for the audit log.

    register = DecoyRegister()
    register.hide(request_id)
    register.answered(request_id, DecoyAnswer(...))
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from signoff.assess.verdict import Verdict
from signoff.challenge.pending import PendingRequest

REFUSED_WORDS = (
    "refused, rightly: this was a test of signoff's. No agent made this call, and it could not run"
)
APPROVED_WORDS = (
    "this was a test of signoff's, to be refused. No agent made this call, and nothing ran or was"
    " kept. The next one like it can be real: read it through, and refuse what should not happen"
)


class DecoyAnswer(Struct, frozen=True, kw_only=True):
    """A person's answer to a decoy (a test request that must be denied).

    Args:
        took_s: seconds from showing the card to the answer.
        was_fast: it came faster than the card can be read.
    """

    approver: str
    channel: str
    verdict: Verdict
    took_s: float = 0.0
    was_fast: bool = False

    @property
    def told(self) -> str:
        """The message shown to the person right after answering."""
        return REFUSED_WORDS if self.verdict is Verdict.DENY else APPROVED_WORDS


class DecoyRegister:
    """The open decoys of this process; other processes do not know them.

    `noted` is called with each answered real request and the channel of its answer.
    """

    def __init__(self) -> None:
        self.noted: Callable[[PendingRequest, str], None] = _unnoted
        self._open: dict[str, DecoyAnswer | None] = {}

    def hide(self, id: str) -> None:
        """Register a request id as a decoy."""
        self._open[id] = None

    def holds(self, id: str) -> bool:
        """Tell whether a request is a decoy."""
        return id in self._open

    def answered(self, id: str, answer: DecoyAnswer) -> None:
        """Store the answer to a decoy; later answers to it are ignored."""
        if self.holds(id) and self._open[id] is None:
            self._open[id] = answer

    def note(self, pending: PendingRequest, channel: str) -> None:
        """Call `noted` for a real request that was answered."""
        if not self.holds(pending.id):
            self.noted(pending, channel)

    def take(self, id: str) -> DecoyAnswer | None:
        """Remove a decoy and return its answer, None if it has none or is unknown."""
        return self._open.pop(id, None)


def _unnoted(pending: PendingRequest, channel: str) -> None:
    """Note nothing: no decoys are shown."""
