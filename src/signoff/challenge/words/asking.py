"""Asking people what is no approval: questions of the agent's, and what to do after it stopped.

The door of a host calls this where the agent asks its user something, and where it ends its turn;
a channel that can ask implements it. No answer in time is None or "": the host goes on by itself.

    given = await people.ask(questions, about=About(session="s1", agent="claude"), timeout_s=300)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

QUESTIONS_LIMIT = 4
OPTIONS_LIMIT = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One thing to choose."""

    label: str
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentQuestion:
    """One question of the agent's.

    Args:
        takes_many: more than one option may be chosen.
    """

    text: str
    header: str = ""
    options: tuple[Option, ...] = ()
    takes_many: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """Whose question it is."""

    agent: str = ""
    session: str = ""
    cwd: str = ""


class People(Protocol):
    """People who can be asked in words."""

    async def ask(
        self, questions: tuple[AgentQuestion, ...], *, about: About, timeout_s: float
    ) -> tuple[str, ...] | None:
        """Return one answer a question: labels joined by a comma, or free text. None if none came.

        Raises:
            SignoffError: nobody could be asked.
        """

    async def ask_next(self, summary: str, *, about: About, timeout_s: float) -> str:
        """Show what an agent did before it stopped; return what it is to do next, "" to stop.

        Raises:
            SignoffError: nobody could be asked.
        """
