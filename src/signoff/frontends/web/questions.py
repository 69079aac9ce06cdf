"""Questions of agents, and agents that have stopped, as pages of the inbox show them.

They live as long as an agent waits: in this process, and nowhere else. The first answer is the
answer. Nothing here approves anything.

    questions = WebQuestions(tell=live.tell)
    given = await questions.ask((question,), about=about, timeout_s=300)
    questions.answer(id, "Blue")
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field

from signoff.challenge.visible import visible_lines
from signoff.challenge.words.asking import About, AgentQuestion, Unasked, bounded
from signoff.challenge.words.showing import origin_words

OPEN_LIMIT = 100
TEXT_LIMIT = 4_000  # characters shown of one part of a question
OPENED, CLOSED = "asked", "answered"

Tell = Callable[[str, str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingQuestion:
    """An agent's question that waits for an answer, or an agent that has stopped.

    Args:
        summary: what the agent did before it stopped, "" for a question.
        asked_s, ends_s: seconds since the epoch.
    """

    id: str
    about: About
    question: AgentQuestion
    summary: str = ""
    asked_s: float
    ends_s: float
    answer: asyncio.Future[str] = field(repr=False)

    @property
    def is_stop(self) -> bool:
        """Whether it is an agent that has stopped."""
        return bool(self.summary)

    @property
    def lines(self) -> tuple[str, ...]:
        """The agent's text by lines, invisible characters escaped."""
        return tuple(visible_lines((self.summary or self.question.text)[:TEXT_LIMIT]))

    @property
    def headline(self) -> str:
        """The question or stop in one line."""
        whose = origin_words(self.about)
        if self.is_stop:
            return f"{whose} has stopped: what next?"
        return f"{whose} asks: {self.question.text[:120]}"


class WebQuestions:
    """Asks agents' questions on the web inbox.

    Args:
        tell: called when a question was asked or answered.
    """

    def __init__(self, tell: Tell, *, clock: Callable[[], float] = time.time) -> None:
        self._tell, self._clock = tell, clock
        self._open: dict[str, WaitingQuestion] = {}

    def listed(self) -> tuple[WaitingQuestion, ...]:
        """Return the waiting questions, oldest first."""
        return tuple(self._open.values())

    def find(self, id: str) -> WaitingQuestion | None:
        """Return the waiting question with this id, None if there is none."""
        return self._open.get(id)

    def answer(self, id: str, words: str) -> bool:
        """Answer a question; "" lets an agent stop.

        Return False if nobody waits for it any more.
        """
        waiting = self._open.get(id)
        if waiting is None or waiting.answer.done():
            return False
        waiting.answer.set_result(words)
        return True

    async def ask(
        self, questions: tuple[AgentQuestion, ...], *, about: About, timeout_s: float
    ) -> tuple[str, ...] | None:
        """Return one answer per question, None if not all were answered in time.

        Raises:
            Unasked: they cannot be shown.
        """
        ends_s = self._clock() + timeout_s
        given: list[str] = []
        for question in bounded(questions):
            words = await self._ask(question, about=about, ends_s=ends_s)
            if words is None:
                return None
            given.append(words)
        return tuple(given)

    async def ask_next(self, summary: str, *, about: About, timeout_s: float) -> str:
        """Show what a stopped agent did; return its next task, "" to stop.

        Raises:
            Unasked: it cannot be shown.
        """
        stopped, ends_s = AgentQuestion(text=""), self._clock() + timeout_s
        said = summary or "nothing is known of this session"
        return await self._ask(stopped, about=about, ends_s=ends_s, summary=said) or ""

    async def _ask(
        self, question: AgentQuestion, *, about: About, ends_s: float, summary: str = ""
    ) -> str | None:
        """Show one question until it is answered, None if it is not in time."""
        if len(self._open) >= OPEN_LIMIT:
            raise Unasked(f"{OPEN_LIMIT} questions wait on the web already")
        now_s = self._clock()
        waiting = WaitingQuestion(
            id=uuid.uuid4().hex,
            about=about,
            question=question,
            summary=summary,
            asked_s=now_s,
            ends_s=ends_s,
            answer=asyncio.get_running_loop().create_future(),
        )
        self._open[waiting.id] = waiting
        self._tell(waiting.id, OPENED)
        try:
            async with asyncio.timeout(max(0.0, ends_s - now_s)):
                return await waiting.answer
        except TimeoutError:
            return None
        finally:
            del self._open[waiting.id]
            self._tell(waiting.id, CLOSED)
