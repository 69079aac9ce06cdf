"""Everybody who can be asked in words, asked at once: the first answer is the answer.

Each question is put on all channels together and taken off all of them when it is answered on
one, so several questions may be answered here and there. A channel that fails leaves it to the
others; only where all of them fail could nobody be asked.

    given = await Together((telegram, web)).ask(questions, about=about, timeout_s=300)
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

from msgspec import Struct

from signoff.challenge.words.asking import About, AgentQuestion, QuestionChannel, bounded
from signoff.errors import SignoffError
from signoff.values import replace

log = logging.getLogger(__name__)

CLOSE_S = 2.0  # for channels to take a question off; the answer does not wait for longer

Given = TypeVar("Given")


class Together(Struct, frozen=True):
    """Asks on several channels at once; the first complete answer counts."""

    channels: Sequence[QuestionChannel]

    async def ask(
        self, questions: tuple[AgentQuestion, ...], *, about: About, timeout_s: float
    ) -> tuple[str, ...] | None:
        """Return one answer per question, None if not all were answered in time.

        Raises:
            SignoffError: nobody could be asked.
        """
        loop = asyncio.get_running_loop()
        ends, given = loop.time() + timeout_s, list[str]()
        for number, question in enumerate(bounded(questions), 1):
            count = f"{number} of {len(questions)}" if len(questions) > 1 else ""
            # One time for all of them: the host waits for the whole set, not for each.
            one, left_s = (replace(question, count=count),), ends - loop.time()
            answers = await _first(
                [people.ask(one, about=about, timeout_s=left_s) for people in self.channels],
                counts=lambda answers: answers is not None,
            )
            if answers is None:
                return None
            given.extend(answers)
        return tuple(given)

    async def ask_next(self, summary: str, *, about: About, timeout_s: float) -> str:
        """Show what a stopped agent did; return its next task, "" to stop.

        Raises:
            SignoffError: nobody could be asked.
        """
        asked = [
            people.ask_next(summary, about=about, timeout_s=timeout_s) for people in self.channels
        ]
        return await _first(asked, counts=lambda _: True)


async def _first(
    asked: Sequence[Coroutine[Any, Any, Given]], *, counts: Callable[[Given], bool]
) -> Given:
    """Return the first answer that counts, else the last of those that do not; end the others.

    Raises:
        SignoffError: all of them failed.
    """
    tasks = [asyncio.ensure_future(one) for one in asked]
    failed: SignoffError | None = None
    others: list[Given] = []
    try:
        for next_one in asyncio.as_completed(tasks):
            try:
                given = await next_one
            except SignoffError as error:
                log.warning("a channel cannot ask: %s", error)
                failed = error
                continue
            if counts(given):
                return given
            others.append(given)
    finally:
        # Before the answer is handed on: a question that looks open elsewhere would be answered
        # again.
        await _end(tasks)
    if others:
        return others[-1]
    raise failed or SignoffError("nobody can be asked")


async def _end(tasks: Sequence[asyncio.Future[Given]]) -> None:
    """Cancel tasks whose result is no longer needed."""
    for task in tasks:
        task.cancel()
    ended, _ = await asyncio.wait(tasks, timeout=CLOSE_S)
    for task in ended:
        if not task.cancelled() and isinstance(error := task.exception(), SignoffError):
            log.debug("a channel failed after the answer: %s", error)
