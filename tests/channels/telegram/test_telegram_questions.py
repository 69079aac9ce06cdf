"""Questions of the agent's, and what to do after it stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from fake_bot_api import BOB, EVE, FakeBotApi
from station import Station, build, running, until

from signoff.challenge.words.asking import About, AgentQuestion, AnswerOption, Unasked

Scene = Callable[[Station], Awaitable[None]]
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


def play(api: FakeBotApi, folder: Path, scene: Scene) -> None:
    """Run a scene on a running channel."""

    async def whole() -> None:
        async with running(build(api, folder)) as station:
            await until(lambda: bool(api.offsets))
            await scene(station)

    asyncio.run(whole())


def ask(
    station: Station, *questions: AgentQuestion, timeout_s: float = 20
) -> asyncio.Task[tuple[str, ...] | None]:
    """Begin to ask."""
    asked = station.channel.in_words.ask(questions, about=ABOUT, timeout_s=timeout_s)
    return asyncio.get_running_loop().create_task(asked)


async def shown(station: Station, text: str) -> int:
    """Wait for the message that holds a text."""

    def number() -> int:
        found = [n for n, m in station.api.messages.items() if text in str(m.get("text"))]
        return max(found, default=0)

    await until(lambda: number() != 0 and station.store.at(number()) is not None)
    return number()


def test_one_question_after_another(api: FakeBotApi, tmp_path: Path) -> None:
    """Each answer is the label of its button."""

    async def scene(station: Station) -> None:
        asked = ask(station, COLOUR, SIZE)
        api.press(await shown(station, "Which colour?"), "Blue")
        api.press(await shown(station, "Which size?"), "Small", user=BOB)

        assert ("Blue", "Small") == await asked

    play(api, tmp_path, scene)


def test_free_text_is_an_answer_of_its_own(api: FakeBotApi, tmp_path: Path) -> None:
    """A reply stands for `other`."""

    async def scene(station: Station) -> None:
        asked = ask(station, COLOUR)
        api.write("green, please", to=await shown(station, "Which colour?"))

        assert ("green, please",) == await asked

    play(api, tmp_path, scene)


def test_several_may_be_chosen_where_that_is_asked(api: FakeBotApi, tmp_path: Path) -> None:
    """Buttons toggle until Done."""

    async def scene(station: Station) -> None:
        asked = ask(station, MANY)
        question = await shown(station, "Which parts?")
        for name in ("A", "C"):
            await station.dealt_with(api.press(question, name))
        api.press(question, "Done")

        assert ("A, C",) == await asked

    play(api, tmp_path, scene)


def test_strangers_and_late_taps_answer_nothing(api: FakeBotApi, tmp_path: Path) -> None:
    """No answer in time is none."""

    async def scene(station: Station) -> None:
        asked = ask(station, COLOUR, timeout_s=3)
        question = await shown(station, "Which colour?")
        data = api.data(question, "Red")
        await station.dealt_with(api.tap(question, data, user=EVE))

        assert await asked is None
        assert "Too late" in await station.told(api.tap(question, data))

    play(api, tmp_path, scene)


def test_a_question_answers_no_request(api: FakeBotApi, tmp_path: Path) -> None:
    """Words that would approve a card are only words here, and a card's button is none."""

    async def scene(station: Station) -> None:
        pending = await station.asked()
        approve = api.data(station.card(pending.id), "Approve")
        asked = ask(station, COLOUR)
        question = await shown(station, "Which colour?")
        await station.dealt_with(api.tap(question, approve))
        api.write("approve", to=question)

        assert ("approve",) == await asked
        assert "pending" == (await station.state(pending)).value

    play(api, tmp_path, scene)


def test_what_the_agent_writes_is_shown_safely(api: FakeBotApi, tmp_path: Path) -> None:
    """Hidden characters are written out; length is bounded."""
    ugly = "\u202e\x1b[2J" * 2_000

    async def scene(station: Station) -> None:
        question = AgentQuestion(
            text=ugly, header=ugly, options=(AnswerOption(label="x" + ugly, description=ugly),)
        )
        asked = ask(station, question)
        number = await shown(station, "\\u{202E}")
        api.tap(number, api.data(number, api.labels(number)[0]))
        await asked

        assert api.messages[number]["text"].replace("\n", "").isprintable()
        assert api.labels(number) == [] or api.labels(number)[0].isprintable()

    play(api, tmp_path, scene)


@pytest.mark.parametrize("count", [0, 5])
def test_too_many_questions_are_not_asked(api: FakeBotApi, tmp_path: Path, count: int) -> None:
    """Nor none."""

    async def scene(station: Station) -> None:
        with pytest.raises(Unasked):
            await ask(station, *[COLOUR] * count)

    play(api, tmp_path, scene)


def test_text_goes_back_to_an_agent_that_stopped(api: FakeBotApi, tmp_path: Path) -> None:
    """The summary is shown; the reply is what to do next."""

    async def scene(station: Station) -> None:
        task = asyncio.create_task(
            station.channel.in_words.ask_next("all tests pass", about=ABOUT, timeout_s=20)
        )
        api.write("now write the docs", to=await shown(station, "all tests pass"))

        assert "now write the docs" == await task

    play(api, tmp_path, scene)


@pytest.mark.parametrize("button", ["Let it stop", ""])
def test_an_agent_that_stopped_may_stay_so(api: FakeBotApi, tmp_path: Path, button: str) -> None:
    """By a button, or as nobody says anything."""

    async def scene(station: Station) -> None:
        wait_s = 20 if button else 0.3
        task = asyncio.create_task(
            station.channel.in_words.ask_next("all done", about=ABOUT, timeout_s=wait_s)
        )
        number = await shown(station, "all done")
        if button:
            api.press(number, button)

        assert "" == await task

    play(api, tmp_path, scene)
