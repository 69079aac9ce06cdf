"""Everybody asked at once: the first answer is the answer, and nobody is asked after it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from signoff.challenge.words.asking import About, AgentQuestion, AnswerOption, Unasked
from signoff.challenge.words.together import Together
from signoff.errors import SignoffError

ABOUT = About(agent="claude")
COLOUR = AgentQuestion(
    text="Which colour?", options=(AnswerOption(label="Red"), AnswerOption(label="Blue"))
)
SIZE = AgentQuestion(text="Which size?")


@dataclass(slots=True)
class Channel:
    """People who answer single questions after a while, or cannot be asked.

    Args:
        says: answers by the question's text, "" by the summary's key; None = never.
    """

    says: dict[str, str | None] = field(default_factory=dict)
    after_s: float = 0.0
    error: SignoffError | None = None
    asked: list[AgentQuestion] = field(default_factory=list)
    taken_off: int = 0

    async def ask(
        self, questions: tuple[AgentQuestion, ...], *, about: About, timeout_s: float
    ) -> tuple[str, ...] | None:
        """Answer the first of them."""
        self.asked.append(questions[0])
        said = await self._said(questions[0].text, timeout_s)
        return None if said is None else (said,)

    async def ask_next(self, summary: str, *, about: About, timeout_s: float) -> str:
        """Say what is next."""
        return await self._said(summary, timeout_s) or ""

    async def _said(self, text: str, timeout_s: float) -> str | None:
        if self.error:
            raise self.error
        try:
            said = self.says.get(text)
            await asyncio.sleep(self.after_s if said is not None else timeout_s)
            return said
        except asyncio.CancelledError:
            self.taken_off += 1
            raise


def ask(*channels: Channel, questions: tuple[AgentQuestion, ...]) -> tuple[str, ...] | None:
    """Ask all of them for a short while."""
    return asyncio.run(Together(channels).ask(questions, about=ABOUT, timeout_s=2))


def test_one_question_is_answered_here_and_the_next_there() -> None:
    """Each on the channel whose people were first."""
    here = Channel(says={"Which colour?": "Blue"})
    there = Channel(says={"Which size?": "Small"})

    assert ("Blue", "Small") == ask(here, there, questions=(COLOUR, SIZE))
    assert (1, 1) == (here.taken_off, there.taken_off)
    assert ["1 of 2", "2 of 2"] == [question.count for question in here.asked]


def test_a_channel_that_fails_leaves_it_to_the_others() -> None:
    """However early it fails."""
    down, up = Channel(error=Unasked("down")), Channel(says={"Which size?": "Small"}, after_s=0.05)

    assert ("Small",) == ask(down, up, questions=(SIZE,))


def test_where_all_fail_nobody_could_be_asked() -> None:
    """Which is told."""
    with pytest.raises(Unasked):
        ask(Channel(error=Unasked("down")), Channel(error=Unasked("down")), questions=(SIZE,))


def test_no_answer_in_time_is_none() -> None:
    """On any of them."""
    assert ask(Channel(), Channel(), questions=(COLOUR, SIZE)) is None


def test_all_questions_together_have_one_time() -> None:
    """The second has what the first has left."""
    slow = Channel(says={"Which colour?": "Red"}, after_s=0.4)

    assert ask(slow, questions=(COLOUR, SIZE)) is None
    assert 2 == len(slow.asked)


@pytest.mark.parametrize(("words", "given"), [("go on", "go on"), ("", "")])
def test_an_agent_that_stopped_hears_the_first_answer(words: str, given: str) -> None:
    """To stop is an answer as well."""
    quick, slow = Channel(says={"sum": words}), Channel(says={"sum": "no"}, after_s=10)

    assert given == asyncio.run(Together((slow, quick)).ask_next("sum", about=ABOUT, timeout_s=20))
    assert 1 == slow.taken_off


def test_too_many_questions_are_not_asked() -> None:
    """Of anybody."""
    with pytest.raises(Unasked):
        ask(Channel(), questions=(COLOUR,) * 5)
