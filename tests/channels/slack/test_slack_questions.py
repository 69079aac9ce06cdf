"""Questions of the agent's in Slack, and what to do after it stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

pytest.importorskip("websockets")

from slack_server import tap, written
from test_slack import SECRET, Line, approvals, asked, connected

from signoff.challenge.pending import RequestState
from signoff.challenge.words.asking import About, AgentQuestion, AnswerOption
from signoff.channels.slack.cards import APPROVE
from signoff.channels.slack.questions import FOREIGN, TOO_LATE

ABOUT = About(agent="claude", session="s1")
COLOUR = AgentQuestion(
    text="Which colour?",
    options=(AnswerOption(label="Red"), AnswerOption(label="Blue", description="cold")),
)
SIZE = AgentQuestion(
    text="Which size?", options=(AnswerOption(label="Small"), AnswerOption(label="Large"))
)
MANY = AgentQuestion(
    text="Which parts?", options=tuple(AnswerOption(label=name) for name in "ABC"), takes_many=True
)

Talk = Callable[[Line], Awaitable[None]]


def run(talk: Talk) -> None:
    """Run a talk with a connected channel."""

    async def whole() -> None:
        async with connected(approvals()) as line:
            await talk(line)

    asyncio.run(whole())


def ask(
    line: Line, *questions: AgentQuestion, timeout_s: float = 10
) -> asyncio.Task[tuple[str, ...] | None]:
    """Begin to ask."""
    work = line.channel.in_words.ask(questions, about=ABOUT, timeout_s=timeout_s)
    return asyncio.get_running_loop().create_task(work)


async def shown(line: Line, number: int = 1) -> tuple[dict[str, Any], str]:
    """Wait for so many messages; return the last one, and which it is."""
    await line.until(lambda: len(line.slack.bodies("chat.postMessage")) >= number)
    calls = [c.method for c in line.slack.calls if c.method != "apps.connections.open"]
    at = [n for n, method in enumerate(calls, 1) if method == "chat.postMessage"][number - 1]
    await asyncio.sleep(0.1)  # the answer with the message's number is on its way
    return line.slack.bodies("chat.postMessage")[number - 1], f"1700000000.{at:06}"


def pressed(body: dict[str, Any], message: str, label: str, *, user: str = "ada") -> dict[str, Any]:
    """Return a tap on the button of that label."""
    elements = body["blocks"][-1]["elements"]
    found = next(one for one in elements if one["text"]["text"] == label)
    return tap(found["value"], found["action_id"], user=user, message=message)


def test_one_question_after_another() -> None:
    """Each answer is the label of its button; anybody asked there may give it."""

    async def talk(line: Line) -> None:
        coming = ask(line, COLOUR, SIZE)
        body, message = await shown(line, 1)
        await line.send(pressed(body, message, "Blue"))
        body, message = await shown(line, 2)
        await line.send(pressed(body, message, "Small", user="bob"))

        assert ("Blue", "Small") == await coming
        assert 2 == len(line.slack.bodies("chat.update"))

    run(talk)


def test_words_in_the_thread_are_an_answer_of_their_own() -> None:
    """Also such as would approve a card."""

    async def talk(line: Line) -> None:
        coming = ask(line, COLOUR)
        _, message = await shown(line)
        await line.send(written("approve", thread=message), kind="events_api")

        assert ("approve",) == await coming

    run(talk)


def test_several_may_be_chosen_where_that_is_asked() -> None:
    """Buttons toggle until Done."""

    async def talk(line: Line) -> None:
        coming = ask(line, MANY)
        body, message = await shown(line)
        for label in ("A", "B", "C", "B", "Done"):
            await line.send(pressed(body, message, label))

        assert ("A, C",) == await coming

    run(talk)


def test_strangers_answer_nothing() -> None:
    """By a tap or by words; they are told."""

    async def talk(line: Line) -> None:
        coming = ask(line, COLOUR)
        body, message = await shown(line)
        await line.send(pressed(body, message, "Red", user="eve"))
        await line.send(written("red", thread=message, user="eve"), kind="events_api")
        elsewhere = {**pressed(body, message, "Red"), "channel": {"id": "C2"}}
        await line.send(elsewhere)
        await line.send(pressed(body, message, "Blue"))

        assert ("Blue",) == await coming
        assert [FOREIGN, FOREIGN] == line.told()

    run(talk)


def test_a_late_tap_is_told_so() -> None:
    """Nobody waits for it, and no card is looked for."""

    async def talk(line: Line) -> None:
        coming = ask(line, COLOUR, timeout_s=2)
        body, message = await shown(line)
        assert await coming is None
        await line.send(pressed(body, message, "Red"))

        assert [TOO_LATE] == line.told()

    run(talk)


def test_a_question_answers_no_request() -> None:
    """A card's button is none of its own, and its own none of a card's."""

    async def talk(line: Line) -> None:
        pending = asked(line.approvals)
        coming = ask(line, COLOUR)
        body, message = await shown(line)
        await line.send(tap(pending.nonce, body["blocks"][-1]["elements"][0]["action_id"]))
        nonce = body["blocks"][-1]["elements"][0]["value"]
        await line.send(tap(nonce, APPROVE, message=message))

        assert RequestState.PENDING is await line.stands(pending)
        await line.send(pressed(body, message, "Blue"))
        assert ("Blue",) == await coming

    run(talk)


@pytest.mark.parametrize("words", ["now write the docs", ""])
def test_an_agent_that_stopped_is_sent_on_or_let_be(words: str) -> None:
    """By words in the thread, or by its button; secrets stay masked."""

    async def talk(line: Line) -> None:
        work = line.channel.in_words.ask_next(f"done with {SECRET}", about=ABOUT, timeout_s=10)
        coming = asyncio.get_running_loop().create_task(work)
        body, message = await shown(line)
        if words:
            await line.send(written(words, thread=message), kind="events_api")
        else:
            await line.send(pressed(body, message, "Let it stop"))

        assert words == await coming
        assert SECRET not in str(body)
        assert "has stopped" in str(body)

    run(talk)
