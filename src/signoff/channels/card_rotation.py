"""Which open cards are compared with their requests this time: a few each time, all in turn.

A channel is told what changes. Comparing finds what it was not told: all at first and after a
failure, then a few at a time, so that thousands of open cards cost no more than some.
"""

from __future__ import annotations

from collections.abc import Sequence


class CardRotation:
    """Picks which cards to update next, a few at a time, in rotation.

    Args:
        at_once: number of cards per round.
    """

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._next = 0
        self._is_all = True

    def take_all(self) -> None:
        """Make the next round pick every card."""
        self._is_all = True

    def of(self, ids: Sequence[str]) -> Sequence[str]:
        """Return the ids to update in this round."""
        if self._is_all or len(ids) <= self._at_once:
            self._is_all, self._next = False, 0
            return ids
        # The list changes between looks: a place kept from a longer one must still be within it.
        start = self._next % len(ids)
        self._next = start + self._at_once
        return (*ids[start : self._next], *ids[: max(0, self._next - len(ids))])
