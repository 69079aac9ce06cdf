"""Challenges carried in the chat: quiz by buttons, explanation as a reply, by different people."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from fake_bot_api import ADA, BOB, FakeBotApi
from station import CONFIRM, PLAN, Station, build, running, until

from signoff.challenge.pending import RequestState
from signoff.challenge.terms.plan import ApprovalPlan
from signoff.challenge.terms.step import ProofKind, ProofStep, Question

Scene = Callable[[Station], Awaitable[None]]

QUIZ = ProofStep(
    kind=ProofKind.QUIZ,
    questions=(
        Question(text="Which folder?", choices=("src", "build", "home"), right=1),
        Question(text="What happens to it?", choices=("deleted", "copied"), right=0),
    ),
)
TEACH = ProofStep(kind=ProofKind.TEACH_BACK, terms=("build",))
SAID = (
    "this removes the whole build folder of the project with everything that is in it and it"
    " cannot be undone later"
)


def play(api: FakeBotApi, folder: Path, scene: Scene, *, plan: ApprovalPlan = PLAN) -> None:
    """Run a scene on a running channel."""

    async def whole() -> None:
        async with running(build(api, folder, plan=plan)) as station:
            await scene(station)

    asyncio.run(whole())


async def begin(station: Station, card: int, label: str, *, user: int = ADA) -> int:
    """Press Approve; return the message the proof is asked in."""
    await station.dealt_with(station.api.press(card, label, user=user))
    return max(station.api.messages)


def test_a_right_quiz_approves(api: FakeBotApi, tmp_path: Path) -> None:
    """Question after question, in one message."""

    async def scene(station: Station) -> None:
        pending = await station.asked(QUIZ)
        quiz = await begin(station, station.card(pending.id), "Approve (quiz)")
        await station.dealt_with(api.press(quiz, "B"))
        await station.dealt_with(api.press(quiz, "A"))

        assert RequestState.APPROVED is await station.state(pending)
        assert [] == api.labels(quiz)

    play(api, tmp_path, scene)


def test_a_wrong_quiz_approves_nothing_and_begins_anew(api: FakeBotApi, tmp_path: Path) -> None:
    """No question was answered right."""

    async def scene(station: Station) -> None:
        pending = await station.asked(QUIZ)
        quiz = await begin(station, station.card(pending.id), "Approve (quiz)")
        await station.dealt_with(api.press(quiz, "A"))
        await station.dealt_with(api.press(quiz, "B"))

        assert RequestState.PENDING is await station.state(pending)
        assert "question 1 of 2" in api.messages[quiz]["text"]

    play(api, tmp_path, scene)


def test_a_quiz_leaves_nothing_to_press_once_its_request_is_settled(
    api: FakeBotApi, tmp_path: Path
) -> None:
    """Somebody else refuses while a question stands open: the question says that it is over."""

    async def scene(station: Station) -> None:
        pending = await station.asked(QUIZ)
        card = station.card(pending.id)
        quiz = await begin(station, card, "Approve (quiz)")
        await station.dealt_with(api.press(card, "Deny", user=BOB))
        await until(lambda: not api.labels(quiz))

        assert "this question is over: the request is denied" == api.messages[quiz]["text"]

    play(api, tmp_path, scene)


def test_a_quiz_is_for_who_asked_for_it(api: FakeBotApi, tmp_path: Path) -> None:
    """Bob does not answer Ada's questions."""

    async def scene(station: Station) -> None:
        pending = await station.asked(QUIZ)
        quiz = await begin(station, station.card(pending.id), "Approve (quiz)")
        said = await station.told(api.press(quiz, "B", user=BOB))

        assert "somebody else" in said
        assert "question 1 of 2" in api.messages[quiz]["text"]

    play(api, tmp_path, scene)


def test_a_double_tap_answers_one_question(api: FakeBotApi, tmp_path: Path) -> None:
    """The second tap is not taken for an answer to the next question."""

    async def scene(station: Station) -> None:
        pending = await station.asked(QUIZ)
        quiz = await begin(station, station.card(pending.id), "Approve (quiz)")
        first = api.data(quiz, "B")
        api.tap(quiz, first)
        said = await station.told(api.tap(quiz, first))
        sent_message = station.store.at(quiz)

        assert "answered already" in said
        assert sent_message is not None and (1,) == sent_message.choices

    play(api, tmp_path, scene)


def test_a_quiz_goes_on_after_a_restart(api: FakeBotApi, tmp_path: Path) -> None:
    """What was chosen before is kept."""

    async def whole() -> None:
        async with running(build(api, tmp_path)) as station:
            pending = await station.asked(QUIZ)
            quiz = await begin(station, station.card(pending.id), "Approve (quiz)")
            await station.dealt_with(api.press(quiz, "B"))
        async with running(build(api, tmp_path)) as station:
            await station.dealt_with(api.press(quiz, "A"))

            assert RequestState.APPROVED is await station.state(pending)

    asyncio.run(whole())


def test_an_explanation_approves(api: FakeBotApi, tmp_path: Path) -> None:
    """A reply to the call for it, with enough words and the right ones."""

    async def scene(station: Station) -> None:
        pending = await station.asked(TEACH)
        question = await begin(station, station.card(pending.id), "Approve (teach-back)")
        await station.dealt_with(api.write(SAID, to=question))

        assert RequestState.APPROVED is await station.state(pending)

    play(api, tmp_path, scene)


def test_a_short_explanation_does_not(api: FakeBotApi, tmp_path: Path) -> None:
    """Nor does a plain yes."""

    async def scene(station: Station) -> None:
        pending = await station.asked(TEACH)
        question = await begin(station, station.card(pending.id), "Approve (teach-back)")
        await station.dealt_with(api.write("approve", to=question))

        assert RequestState.PENDING is await station.state(pending)

    play(api, tmp_path, scene)


def test_a_refusal_in_place_of_an_explanation_is_one(api: FakeBotApi, tmp_path: Path) -> None:
    """Whoever is asked to explain may still deny."""

    async def scene(station: Station) -> None:
        pending = await station.asked(TEACH)
        question = await begin(station, station.card(pending.id), "Approve (teach-back)")
        await station.dealt_with(api.write("deny: not now", to=question))

        assert RequestState.DENIED is await station.state(pending)

    play(api, tmp_path, scene)


def test_two_people_give_two_proofs(api: FakeBotApi, tmp_path: Path) -> None:
    """An explanation by one, a quiz by another; the first may not give both."""

    async def scene(station: Station) -> None:
        pending = await station.asked(TEACH, QUIZ)
        card = station.card(pending.id)
        question = await begin(station, card, "Approve (teach-back)")
        await station.dealt_with(api.write(SAID, to=question))
        await station.dealt_with(api.press(card, "Approve (quiz)"))
        quizzes = [m for m in api.messages.values() if "question 1" in str(m["text"])]
        quiz = await begin(station, card, "Approve (quiz)", user=BOB)
        await station.dealt_with(api.press(quiz, "B", user=BOB))
        await station.dealt_with(api.press(quiz, "A", user=BOB))

        assert [] == quizzes
        assert RequestState.APPROVED is await station.state(pending)

    play(api, tmp_path, scene)


def test_what_comes_too_fast_does_not_count(api: FakeBotApi, tmp_path: Path) -> None:
    """The approval service says how long a card must be read, and the card stays open."""

    async def scene(station: Station) -> None:
        step = ProofStep(kind=ProofKind.CONFIRM, min_review_s=30.0)
        pending = await station.asked(step)
        said = await station.told(api.press(station.card(pending.id), "Approve"))

        assert "too fast" in said
        assert RequestState.PENDING is await station.state(pending)

    play(api, tmp_path, scene)


def test_words_of_an_approval_survive_its_proof(api: FakeBotApi, tmp_path: Path) -> None:
    """A policy given with the approval is kept once the quiz is right."""

    async def scene(station: Station) -> None:
        pending = await station.asked(QUIZ)
        card = station.card(pending.id)
        await station.dealt_with(api.write("approve. add policy: builds may go", to=card))
        quiz = max(n for n, m in api.messages.items() if "question 1" in str(m["text"]))
        await station.dealt_with(api.press(quiz, "B"))
        await station.dealt_with(api.press(quiz, "A"))

        assert ["builds may go"] == [policy.text for policy in station.policies.listed()]

    play(api, tmp_path, scene)


def test_an_unlisted_step_stays_plain(api: FakeBotApi, tmp_path: Path) -> None:
    """A confirmation needs no message of its own."""

    async def scene(station: Station) -> None:
        pending = await station.asked(CONFIRM)
        await station.dealt_with(api.press(station.card(pending.id), "Approve"))

        assert 1 == len(api.messages)

    play(api, tmp_path, scene)
