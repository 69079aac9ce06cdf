"""Questions of agents, and agents that have stopped, as chats show them: bounded and visible.

question_text(question, about, "1 of 2")
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from signoff.challenge.visible import visible_lines
from signoff.challenge.words.asking import OPTIONS_LIMIT, About, AgentQuestion, bounded
from signoff.challenge.words.origin import origin_words

PART_LIMIT = 600  # characters shown of one part of a question
SUMMARY_LIMIT = 1_600
LABEL_LIMIT = 60


async def asked_in_turn(
    questions: tuple[AgentQuestion, ...],
    ask: Callable[[AgentQuestion, str], Awaitable[str]],
    *,
    about: About,
    timeout_s: float,
) -> tuple[str, ...] | None:
    """Ask questions one by one; return the answers, None if not all came in time.

    Args:
        ask: shows a question with this text and returns its answer.
    """
    given: list[str] = []
    try:
        async with asyncio.timeout(timeout_s):
            for number, question in enumerate(bounded(questions), 1):
                count = f"{number} of {len(questions)}" if len(questions) > 1 else ""
                text = question_text(question, about, question.count or count)
                given.append(await ask(question, text))
    except TimeoutError:
        return None
    return tuple(given)


async def asked_what_next(
    summary: str,
    ask: Callable[[AgentQuestion, str], Awaitable[str]],
    *,
    about: About,
    timeout_s: float,
) -> str:
    """Ask for the next task of an agent that stopped; return it, "" to let it stop.

    Args:
        ask: as in `asked_in_turn`.
    """
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(timeout_s):
            return await ask(AgentQuestion(text=""), stop_text(summary, about))
    return ""


def question_text(question: AgentQuestion, about: About, count: str) -> str:
    """Return a question as it is shown.

    Args:
        count: which of several it is, "" where it is alone.
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
    """Return an agent that has stopped as it is shown."""
    said = shown(summary, SUMMARY_LIMIT)
    return f"{origin_words(about)} has stopped:\n{said}\nReply to say what to do next."


def shown(text: str, limit: int) -> str:
    """Return an agent's text with invisible characters escaped, cut at `limit` characters."""
    said = "\n".join(visible_lines(text[: limit + 1]))
    return said if len(said) <= limit else f"{said[:limit]}..."
