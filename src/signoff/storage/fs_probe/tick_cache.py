"""What a look gives, taken once in a moment and held as long as the moment lasts.

held = Held(look, turn.moment)
held.now()    looks if nobody has in this moment
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic

from signoff.storage.fs_probe.probe import Moments, Seen


class TickCache(Generic[Seen]):
    """Holds what was seen.

    Args:
        moments: gives the same object as long as what was seen holds.
    """

    def __init__(self, look: Callable[[], Seen], moments: Moments = object) -> None:
        self._look = look
        self._moments = moments
        self._seen: tuple[object, Seen] | None = None

    def now(self) -> Seen:
        """Return what is seen in this moment."""
        moment, known = self._moments(), self._seen
        if known is not None and known[0] is moment:
            return known[1]
        seen = self._look()
        self._seen = (moment, seen)
        return seen

    def forget(self) -> None:
        """Look again, be it in the same moment."""
        self._seen = None
