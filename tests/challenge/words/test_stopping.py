"""Agents that have stopped: which of them stopped on an error, and what they are told."""

from __future__ import annotations

import pytest

from signoff.challenge.words.stopping import (
    WORDS_LIMIT,
    SessionTurn,
    failed_call,
    try_another,
    users_words,
)

ASKED = SessionTurn(who="user", text="make the build work")
CALLED = SessionTurn(who="agent calls", text='Bash {"command": "make"}')
GOOD = SessionTurn(who="tool", text="ok")
SAID = SessionTurn(who="agent", text="The build does not work.")


def failed(text: str = "make: *** no rule to make target", *, call: str = "t1") -> SessionTurn:
    """Return an error that came back from a tool."""
    return SessionTurn(who="tool", text=text, failure=call)


@pytest.mark.parametrize(
    "turns",
    [
        (ASKED, CALLED, failed()),
        (ASKED, CALLED, failed(), SAID),
        (ASKED, CALLED, GOOD, CALLED, failed(), SAID),
    ],
)
def test_an_agent_that_ends_on_a_failed_call_stopped_on_an_error(
    turns: tuple[SessionTurn, ...],
) -> None:
    """Whatever it says after it."""
    assert "t1" == failed_call(turns)


@pytest.mark.parametrize(
    "turns",
    [
        (),
        (ASKED, SAID),
        (ASKED, CALLED, GOOD, SAID),
        (ASKED, CALLED, failed(), CALLED, GOOD, SAID),
        (ASKED, CALLED, failed(), ASKED, SAID),
    ],
)
def test_an_agent_whose_last_call_went_well_did_not(turns: tuple[SessionTurn, ...]) -> None:
    """Nor one that has called nothing since its user spoke."""
    assert "" == failed_call(turns)


@pytest.mark.parametrize(
    "text",
    [
        "signoff: deletes the home folder",
        "Permission to use Bash has been denied.",
        "The user doesn't want to proceed with this tool use.",
        "PreToolUse:Bash hook: [signoff]: a person must approve this",
    ],
)
def test_a_refused_call_is_no_error(text: str) -> None:
    """Nobody is sent round a refusal."""
    assert "" == failed_call((ASKED, CALLED, failed(text)))


def test_an_agent_that_ends_with_a_question_waits_for_its_user() -> None:
    """It is not told to try on its own."""
    assert "" == failed_call((ASKED, CALLED, failed()), last_words="Which target do you mean? ")


def test_an_agent_is_told_how_often_it_is_told() -> None:
    """And that a refusal is none of its errors."""
    said = try_another(1, 2)

    assert "1 of at most 2" in said
    assert "denied" in said


def test_a_persons_words_are_marked_and_visible() -> None:
    """Nothing in them stays hidden, and they have an end."""
    said = users_words("run the tests\u202e" + "x" * 2 * WORDS_LIMIT)

    assert said.startswith("signoff: you had stopped. The user")
    assert "run the tests\\u{202E}" in said
    assert len(said) < WORDS_LIMIT + 200
