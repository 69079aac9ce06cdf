"""Would a decision be recorded now? Found out by a durable write, at most once in `FRESH_S`.

why = await Readiness(store.check_writable).problem()      "" = yes
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeAlias

# The route is open to everybody on this machine: it must not become a way to keep the disk busy.
FRESH_S = 1.0
ANSWER_WITHIN_S = 3.0
Check: TypeAlias = Callable[[], Awaitable[str]]


async def always_ready() -> str:
    """Return "": nothing is wrong."""
    return ""


class Readiness:
    """Checks whether decisions can be recorded; concurrent checks share one write.

    Args:
        check: returns why no entry could be stored, "" if one could.
    """

    def __init__(self, check: Check = always_ready, *, within_s: float = ANSWER_WITHIN_S) -> None:
        self._check, self._within_s = check, within_s
        self._asked: asyncio.Task[str] | None = None
        self._answered_at = 0.0

    async def problem(self) -> str:
        """Return why decisions cannot be recorded, "" if they can."""
        if self._asked is None or (self._asked.done() and time.monotonic() > self._until()):
            self._asked = asyncio.create_task(self._answer())
        try:
            # Shielded: others wait for the same answer.
            return await asyncio.wait_for(asyncio.shield(self._asked), self._within_s)
        except TimeoutError:
            return f"the store did not answer within {self._within_s:g} s"

    def _until(self) -> float:
        return self._answered_at + FRESH_S

    async def _answer(self) -> str:
        try:
            return await self._check()
        finally:
            self._answered_at = time.monotonic()
