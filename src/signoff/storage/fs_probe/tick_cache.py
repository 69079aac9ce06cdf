"""What a look gives, taken once in a moment and held as long as the moment lasts.

held = Held(look, turn.moment)
held.now()    looks if nobody has in this moment
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic

from signoff.storage.fs_probe.probe import Moments, Seen


class TickCache(Generic[Seen]):
    """Caches the result of one file system read for as long as it may be reused.

    Args:
        moments: returns the same object as long as a cached result may be reused.
    """

    def __init__(self, look: Callable[[], Seen], moments: Moments = object) -> None:
        self._look = look
        self._moments = moments
        self._seen: tuple[object, Seen] | None = None

    def now(self) -> Seen:
        """Return the cached result, read again if it is no longer valid."""
        moment, known = self._moments(), self._seen
        if known is not None and known[0] is moment:
            return known[1]
        seen = self._look()
        self._seen = (moment, seen)
        return seen

    def forget(self) -> None:
        """Drop the cached result, so that the next call reads again."""
        self._seen = None
