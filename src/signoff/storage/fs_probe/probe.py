"""Where looks at files are taken: at once, as here, or aside (`aside.py`), as a server must.

project = await HERE.taken(lambda: find_project(folder, home=home))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias, TypeVar

Seen = TypeVar("Seen")
Moments: TypeAlias = Callable[[], object]  # the same object as long as what was seen holds


class FileProbe(Protocol):
    """Reads the file system with a time limit, and caches what it read for a short time."""

    async def taken(self, look: Callable[[], Seen]) -> Seen:
        """Run `look`, which reads the file system, and return its result.

        Raises:
            StoreError: it did not finish in time.
        """

    def moment(self) -> object:
        """Return an object that stays the same as long as earlier results may be reused."""


class LocalProbe:
    """Looks at once: for a process with nothing else to do meanwhile."""

    async def taken(self, look: Callable[[], Seen]) -> Seen:
        """Return what the look gives."""
        return look()

    def moment(self) -> object:
        """Return a new object: nothing that was seen holds."""
        return object()


HERE = LocalProbe()
