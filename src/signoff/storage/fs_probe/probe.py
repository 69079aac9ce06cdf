"""Where files are probed: at once, as `HERE` does, or as a server must (`offloaded.py`).

project = await HERE.taken(lambda: find_project(folder, home=home))
TickCache(probe, tick.moment).now()    probes if nobody has in this moment
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeAlias, TypeVar

Seen = TypeVar("Seen")
Moments: TypeAlias = Callable[[], object]  # the same object as long as what was seen holds


class FileProbe(Protocol):
    """Port: reads the file system with a time limit and caches results for a short time."""

    async def taken(self, look: Callable[[], Seen]) -> Seen:
        """Run `look`, which reads the file system, and return its result.

        Raises:
            StoreError: it did not finish in time.
        """

    def moment(self) -> object:
        """Return an object that stays the same as long as earlier results may be reused."""


class LocalProbe:
    """A probe that reads at once: for a process that does nothing else meanwhile."""

    async def taken(self, look: Callable[[], Seen]) -> Seen:
        """Run the read at once and return its result."""
        return look()

    def moment(self) -> object:
        """Return a new object: no result is reused."""
        return object()


HERE = LocalProbe()


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
