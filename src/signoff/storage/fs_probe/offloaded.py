"""Looks that keep no server waiting.

A file system of this machine answers as fast as its memory, and a thread would cost more than the
look. One of another machine or of a program may never answer: it is looked at from threads of
their own, for so long, and what was not seen by then is not known.

    looking = LookingAside(Mounts())
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from signoff.errors import StoreError
from signoff.storage.fs_probe.loop_tick import LoopTick
from signoff.storage.fs_probe.mounts import Mounts
from signoff.storage.fs_probe.probe import Seen

THREADS = 16
WITHIN_S = 5.0


class OffloadedProbe:
    """Looks at once where all file systems are near, else from a thread.

    Args:
        mounts: tells whether they are; kept current by whoever owns it.
    """

    def __init__(self, mounts: Mounts, *, within_s: float = WITHIN_S) -> None:
        self._mounts = mounts
        self._within_s = within_s
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="signoff-look")
        self.moment = LoopTick().moment  # looks from other threads never share one

    async def taken(self, look: Callable[[], Seen]) -> Seen:
        """Return what the look gives.

        Raises:
            StoreError: it was not over in time.
        """
        # A local file system answers faster than a thread starts; a network one may never answer.
        if self._mounts.are_near:
            return look()
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._within_s):
                return await loop.run_in_executor(self._threads, look)
        except TimeoutError:
            said = f"the file system did not answer within {self._within_s:g} s"
            raise StoreError(said) from None
