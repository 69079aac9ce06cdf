"""Checks at most twice a second whether something on disk has changed, when it is asked for.

rules = PeriodicCheck(reread, clock=time.monotonic)
rules.current()      # `reread` gets the last value if the last check is older than `CHECK_EVERY_S`
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Loaded = TypeVar("Loaded")

CHECK_EVERY_S = 0.4  # not every call reads the disk; a change holds before a person notices


class PeriodicCheck(Generic[Loaded]):
    """Caches a loaded value and checks now and then whether it is current.

    Args:
        check: gets the last value (None at first) and returns the current one; if it raises, so
            does `current`, and the next call checks again.
        clock: monotonic seconds.
    """

    def __init__(
        self, check: Callable[[Loaded | None], Loaded], *, clock: Callable[[], float]
    ) -> None:
        self.last: Loaded | None = None
        self._check, self._clock = check, clock
        self._lock = threading.Lock()
        self._checked_at = float("-inf")

    def current(self) -> Loaded:
        """Return the value, checked again if the last check is old."""
        last = self.last
        if last is not None and self._clock() - self._checked_at < CHECK_EVERY_S:
            return last
        with self._lock:
            last, now = self.last, self._clock()
            # Again under the lock: another thread may have checked while this one waited.
            if last is None or now - self._checked_at >= CHECK_EVERY_S:
                last = self.last = self._check(last)
                self._checked_at = now
            return last
