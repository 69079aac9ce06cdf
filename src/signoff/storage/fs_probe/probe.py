"""Where looks at files are taken: at once, as here, or aside (`aside.py`), as a server must.

project = await HERE.taken(lambda: find_project(folder, home=home))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias, TypeVar

Seen = TypeVar("Seen")
Moments: TypeAlias = Callable[[], object]  # the same object as long as what was seen holds


class FileProbe(Protocol):
    """Takes looks at files."""

    async def taken(self, look: Callable[[], Seen]) -> Seen:
        """Return what the look gives.

        Raises:
            StoreError: it was not over in time.
        """

    def moment(self) -> object:
        """Return the same object as long as what was seen holds for others as well."""


class LocalProbe:
    """Looks at once: for a process with nothing else to do meanwhile."""

    async def taken(self, look: Callable[[], Seen]) -> Seen:
        """Return what the look gives."""
        return look()

    def moment(self) -> object:
        """Return a new object: nothing that was seen holds."""
        return object()


HERE = LocalProbe()
