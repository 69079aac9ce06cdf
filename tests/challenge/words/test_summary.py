"""Summaries: the end of a session as data, masked and bound, and something to show in any case."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from signoff.challenge.evaluators.model import Completion, Metered, Prompt
from signoff.challenge.outbound.endpoint import CallFailed
from signoff.challenge.words.stopping import SessionTurn
from signoff.challenge.words.summary import (
    TOTAL_LIMIT,
    ModelSummarizer,
    PlainSummarizer,
    summary_prompt,
)
from signoff.redaction.redact import Redactor

MASK = Redactor(b"tests")
TURNS = (
    SessionTurn(who="user", text="fix the bug"),
    SessionTurn(who="agent", text="ran\nthe tests"),
)
SECRET = "ghp_" + "a1B2" * 9


@dataclass(slots=True)
class Scripted:
    """A model that says one thing, or fails."""

    text: str = ""
    error: Exception | None = None
    prompts: list[Prompt] = field(default_factory=list)

    async def complete(self, prompt: Prompt) -> Completion:
        """Say it."""
        self.prompts.append(prompt)
        if self.error:
            raise self.error
        return Completion(text=self.text)


def summarize(model: Scripted, turns: tuple[SessionTurn, ...] = TURNS) -> str:
    """Sum up."""
    summarizer = ModelSummarizer(metered=Metered(model, "m"), mask=MASK)
    return asyncio.run(summarizer.summarize(turns))


def test_a_summary_says_what_it_is() -> None:
    """Made by a model of the agent's words."""
    text = summarize(Scripted("It fixed a bug."))

    assert "by the model, from the agent's own transcript, not checked:\nIt fixed a bug." == text


def test_a_summary_hides_nothing() -> None:
    """What the model writes is shown like any foreign text, and bound."""
    text = summarize(Scripted("ok \u202e\x1b[31m" + "x" * 9_000))

    assert "ok \\u{202E}\\u{1B}[31m" in text
    assert len(text) < 2_200


def test_turns_are_data_between_fences() -> None:
    """One line of JSON each."""
    model = Scripted("ok")
    summarize(model)
    lines = model.prompts[0].user.split("\n")

    assert lines[1] == lines[-1]
    assert [
        '{"who": "user", "text": "fix the bug"}',
        '{"who": "agent", "text": "ran\\nthe tests"}',
    ] == lines[2:-1]


def test_no_secret_is_sent_or_shown() -> None:
    """Neither to the model, nor from it, nor without it."""
    turns = (SessionTurn(who="tool", text=f"token {SECRET}"),)
    model = Scripted(f"It saw {SECRET}.")
    shown = summarize(model, turns)
    plain = asyncio.run(PlainSummarizer(mask=MASK).summarize(turns))

    assert SECRET not in model.prompts[0].user
    assert SECRET not in shown
    assert SECRET not in plain


def test_only_the_end_of_a_long_session_is_sent() -> None:
    """Bound in turns, in characters of each, and in all."""
    turns = [
        SessionTurn(who="agent", text=f"turn {number} " + "x" * 5_000) for number in range(500)
    ]
    prompt = summary_prompt(turns, mask=MASK)

    assert len(prompt.user) < TOTAL_LIMIT + 500
    assert "turn 499 " in prompt.user
    assert "turn 400 " not in prompt.user


@pytest.mark.parametrize("error", [CallFailed("status 500"), ValueError("x")])
def test_without_a_summary_the_last_turns_are_shown(error: Exception) -> None:
    """Details always answers."""
    text = summarize(Scripted(error=error))

    assert text.startswith("the last turns, not checked (no summary: ")
    assert text.endswith("user: fix the bug\nagent: ran the tests")


def test_without_turns_nothing_is_asked() -> None:
    """There is nothing to tell."""
    model = Scripted("made up")

    assert "nothing is known of this session" == summarize(model, ())
    assert [] == model.prompts
