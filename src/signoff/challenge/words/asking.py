"""Asking people what is no approval: questions of the agent's, and what to do after it stopped.

An adapter calls this where the agent asks its user something, and where it ends its turn;
a channel that can ask implements it. No answer in time is None or "": the host goes on by itself.

    given = await people.ask(questions, about=About(session="s1", agent="claude"), timeout_s=300)
"""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from signoff.errors import SignoffError
from signoff.values import count_of

QUESTIONS_LIMIT = 4
OPTIONS_LIMIT = 8


class AnswerOption(Struct, frozen=True, kw_only=True):
    """One option of a question."""

    label: str
    description: str = ""


class AgentQuestion(Struct, frozen=True, kw_only=True):
    """One question an agent asks its user.

    Args:
        takes_many: True if several options may be chosen.
        count: its number among several, as `1 of 2`; "" if it is the only one.
    """

    text: str
    header: str = ""
    options: tuple[AnswerOption, ...] = ()
    takes_many: bool = False
    count: str = ""


class About(Struct, frozen=True, kw_only=True):
    """The origin of a question; `host` is the name of the adapter."""

    host: str = ""
    agent: str = ""
    session: str = ""
    cwd: str = ""


class Unasked(SignoffError):
    """A question could not be asked."""


def bounded(questions: tuple[AgentQuestion, ...]) -> tuple[AgentQuestion, ...]:
    """Return the questions unchanged if they are within the limits of channels.

    Raises:
        Unasked: there are none, too many, or one has too many options.
    """
    if not 0 < len(questions) <= QUESTIONS_LIMIT:
        raise Unasked(f"{count_of(len(questions), 'question')}, expected 1 to {QUESTIONS_LIMIT}")
    for question in questions:
        if len(question.options) > OPTIONS_LIMIT:
            raise Unasked(f"{len(question.options)} options, expected at most {OPTIONS_LIMIT}")
    return questions


class QuestionChannel(Protocol):
    """A channel on which people answer an agent's questions."""

    async def ask(
        self, questions: tuple[AgentQuestion, ...], *, about: About, timeout_s: float
    ) -> tuple[str, ...] | None:
        """Return one answer per question: option labels joined by commas, or free text.

        None if nobody answered in `timeout_s` seconds.

        Raises:
            SignoffError: nobody could be asked.
        """

    async def ask_next(self, summary: str, *, about: About, timeout_s: float) -> str:
        """Show what an agent did before it stopped and return its next task, "" to stop.

        Raises:
            SignoffError: nobody could be asked.
        """
