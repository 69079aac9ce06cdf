"""Questions of agents, and agents that have stopped, as chats show them: bounded and visible.

question_text(question, about, "1 of 2")
"""

from __future__ import annotations

import abc
import asyncio
import contextlib

from signoff.challenge.heading import origin
from signoff.challenge.visible import visible_lines
from signoff.challenge.words.asking import OPTIONS_LIMIT, About, AgentQuestion, bounded

PART_LIMIT = 600  # characters shown of one part of a question
SUMMARY_LIMIT = 1_600
LABEL_LIMIT = 60


class AsksInWords(abc.ABC):
    """Asks an agent's questions one after another; a subclass sends a single question."""

    async def ask(
        self, questions: tuple[AgentQuestion, ...], *, about: About, timeout_s: float
    ) -> tuple[str, ...] | None:
        """Return one answer per question, None if not all were answered in time.

        Raises:
            SignoffError: they could not be asked.
        """
        given: list[str] = []
        try:
            async with asyncio.timeout(timeout_s):
                for number, question in enumerate(bounded(questions), 1):
                    count = f"{number} of {len(questions)}" if len(questions) > 1 else ""
                    text = question_text(question, about, question.count or count)
                    given.append(await self._ask(question, text))
        except TimeoutError:
            return None
        return tuple(given)

    async def ask_next(self, summary: str, *, about: About, timeout_s: float) -> str:
        """Show what a stopped agent did; return its next task, "" to stop.

        Raises:
            SignoffError: it could not be shown.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                return await self._ask(
                    AgentQuestion(text=""), stop_text(summary, about), is_stop=True
                )
        return ""

    @abc.abstractmethod
    async def _ask(self, question: AgentQuestion, text: str, *, is_stop: bool = False) -> str:
        """Show a question with this text and return its answer."""


def question_text(question: AgentQuestion, about: About, count: str) -> str:
    """Return the text of a question as people see it.

    Args:
        count: its number among several, "" if it is alone.
    """
    lines = [f"{origin_words(about)} asks {count}".rstrip()]
    if question.header:
        lines.append(f"[{shown(question.header, LABEL_LIMIT)}]")
    lines.append(shown(question.text, PART_LIMIT))
    lines.extend(
        f"- {shown(option.label, 100)}: {shown(option.description, 150)}"
        for option in question.options[:OPTIONS_LIMIT]
        if option.description
    )
    lines.append("Press one, or reply in your own words.")
    return "\n".join(lines)


def stop_text(summary: str, about: About) -> str:
    """Return the text that tells people an agent has stopped."""
    said = shown(summary, SUMMARY_LIMIT)
    return f"{origin_words(about)} has stopped:\n{said}\nReply to say what to do next."


def shown(text: str, limit: int) -> str:
    """Return an agent's text with invisible characters escaped, cut at `limit` characters."""
    # Cut before and after: hidden characters are written out, and grow tenfold.
    said = "\n".join(visible_lines(text[: limit + 1]))
    return said if len(said) <= limit else f"{said[:limit]}..."


def origin_words(about: About) -> str:
    """Return in one line which host, agent and project a question comes from."""
    said = origin(host=about.host, folder=about.cwd, agent=about.agent, session=about.session)
    return said or "the agent"
