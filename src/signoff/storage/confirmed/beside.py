"""What holds as a gate sees it in a process other than the daemon, on a node of a shared store.

standing = SharedEnforcement(path, key, fleet)
standing(), standing.trust(), standing.held(locks)
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from signoff.errors import StoreError
from signoff.storage.confirmed.fleet import FleetStanding
from signoff.storage.confirmed.head import SealedEnforcement, StandingState
from signoff.storage.locks.lock import Lock


class SharedEnforcement(SealedEnforcement):
    """Mode, trust marks and locks as all nodes hold them.

    If they cannot be read, decisions are enforced and everything is locked.
    """

    def __init__(self, path: str, key: Callable[[], bytes], fleet: FleetStanding) -> None:
        super().__init__(path, key)
        self._fleet = fleet
        self._is_begun = False

    def held(self, locks: tuple[Lock, ...]) -> tuple[Lock, ...]:
        """Return the locks of the file together with those of all nodes."""
        there = {lock.target for lock in locks}
        shared = (one for one in self._read().locks if one.target not in there)
        return (*locks, *shared, *self._fleet.stand_in())

    def _read(self) -> StandingState:
        own = super()._read()
        if not self._is_begun:
            self._is_begun = True
            with suppress(StoreError):  # then everything is refused
                self._fleet.begin(own.versions)
        # What cannot be seen is no reason to enforce less.
        return StandingState() if self._fleet.problem() else self._fleet.over(own)
