"""Where looks at files are taken: at once, as here, or aside (`aside.py`), as a server must.

project = await HERE.taken(lambda: find_project(folder, home=home))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

Seen = TypeVar("Seen")


class Looking(Protocol):
    """Takes looks at files."""

    async def taken(self, look: Callable[[], Seen]) -> Seen:
        """Return what the look gives.

        Raises:
            StoreError: it was not over in time.
        """


class LookingHere:
    """Looks at once: for a process with nothing else to do meanwhile."""

    async def taken(self, look: Callable[[], Seen]) -> Seen:
        """Return what the look gives."""
        return look()


HERE = LookingHere()
