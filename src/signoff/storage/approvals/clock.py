"""The clocks requests are timed by: the wall's, and one that nobody can set."""

from __future__ import annotations

import functools
import time

from signoff.challenge.pending import ClockReading
from signoff.storage.installation import this_machine

# Sleep of the machine counts: somebody's answer from before it is too late after it.
_RUNNING = getattr(time, "CLOCK_BOOTTIME", None)


def moment_now() -> ClockReading:
    """Return this moment by both clocks."""
    running_s = time.monotonic() if _RUNNING is None else time.clock_gettime(_RUNNING)
    return ClockReading(wall_s=time.time(), running_s=running_s, boot_id=_boot_id())


@functools.cache
def _boot_id() -> str:
    """Return the id of this start of the machine, "" where there is none."""
    return this_machine("").boot_id
