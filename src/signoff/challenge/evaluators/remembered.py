"""Answers of a model, kept for a while: the same question is not asked twice, not even at once.

Only answers are kept, never failures: those are worth another try.

    found = await remembered.answer(key, lambda: ask_the_model())
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Generic, TypeVar

from msgspec import Struct, field

KEPT_LIMIT = 1_024
WINDOW_S = 300.0

Answer = TypeVar("Answer")


class CachedEvaluator(Struct, Generic[Answer]):
    """Keeps answers by what was asked.

    Args:
        window_s: how long an answer is kept; 0 keeps none.
    """

    window_s: float = WINDOW_S
    clock: Callable[[], float] = time.monotonic
    _kept: OrderedDict[bytes, tuple[float, Answer]] = field(default_factory=OrderedDict)
    _asked: dict[bytes, asyncio.Task[Answer]] = field(default_factory=dict)

    async def answer(self, key: bytes, ask: Callable[[], Coroutine[None, None, Answer]]) -> Answer:
        """Return the answer kept for a question, else that of asking, which others join."""
        at, kept = self._kept.get(key, (0.0, None))
        if kept is not None and self.clock() - at < self.window_s:
            return kept
        loop = asyncio.get_running_loop()
        task = self._asked.get(key)
        if task is None or task.get_loop() is not loop:
            task = loop.create_task(ask())
            self._asked[key] = task
            task.add_done_callback(lambda done: self._done(key, done))
        # One that asks and gives up must not take the answer from those who joined.
        return await asyncio.shield(task)

    def _done(self, key: bytes, task: asyncio.Task[Answer]) -> None:
        """Keep the answer of a task that has ended."""
        if self._asked.get(key) is task:
            del self._asked[key]
        if task.cancelled() or task.exception() is not None:
            return
        self._kept[key] = (self.clock(), task.result())
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT_LIMIT:
            self._kept.popitem(last=False)
