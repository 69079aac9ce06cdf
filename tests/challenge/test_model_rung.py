"""The model on the ladder: it lets through what it is sure of, and never refuses."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import pytest

from signoff.actions.action import Action
from signoff.assess.assessed import Assessed
from signoff.assess.level import Challenge, Level
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import BY_MODEL, BY_TIMEOUT, Answer
from signoff.challenge.card import make_card, render_text
from signoff.challenge.evaluator import Evaluation
from signoff.challenge.ladder import Ladder
from signoff.challenge.request import Request, WaitBudget
from signoff.testing import FakeChannel, approved, make_request

Ask = Callable[[Action, Assessed, WaitBudget], Awaitable[Answer]]
SURE = Evaluation(allowed=True, confident=True, reason="reads only", model="m")


@dataclass
class FakeEvaluator:
    """A model that thinks the same of everything, or fails."""

    evaluation: Evaluation | None
    asked: list[Request] = field(default_factory=list)

    async def evaluate(self, request: Request) -> Evaluation:
        """Return what it thinks."""
        self.asked.append(request)
        if self.evaluation is None:
            raise TimeoutError("too slow")
        return self.evaluation


def escalate(
    evaluator: FakeEvaluator, *channels: FakeChannel, level: Level = Level.MEDIUM
) -> Answer:
    """Climb a ladder with a model."""
    request = make_request(level=level)
    ladder = Ladder(channels, evaluator=evaluator)
    return asyncio.run(ladder.escalate(request.action, request.assessment))


def test_a_model_that_is_sure_lets_it_through() -> None:
    """And nobody else is asked."""
    person = FakeChannel(approved())
    answer = escalate(FakeEvaluator(SURE), person)

    assert (answer.verdict, answer.decided_by, answer.who) == (Verdict.ALLOW, BY_MODEL, "m")
    assert person.requests == []


@pytest.mark.parametrize(
    "evaluation",
    [
        Evaluation(allowed=False, confident=True, reason="deletes"),
        Evaluation(allowed=True, confident=False, reason="perhaps"),
        Evaluation(),
        None,
    ],
)
def test_every_other_thought_goes_on_to_people(evaluation: Evaluation | None) -> None:
    """T-27: sure of a no, unsure, or failing; what it thought is in the answer."""
    answer = escalate(FakeEvaluator(evaluation), FakeChannel(approved()))

    assert (answer.verdict, answer.decided_by) == (Verdict.ALLOW, "fake")
    expected = "TimeoutError" if evaluation is None else evaluation.reason
    assert expected in answer.model


def test_with_nobody_after_it_its_no_is_nobodys() -> None:
    """Denied by the time limit, not by the model."""
    answer = escalate(FakeEvaluator(Evaluation(allowed=False, confident=True)))

    assert (answer.verdict, answer.decided_by) == (Verdict.DENY, BY_TIMEOUT)


@pytest.mark.parametrize(
    ("level", "is_asked"),
    [(Level.LOW, 1), (Level.MEDIUM, 1), (Level.HIGH, 1), (Level.CRITICAL, 0)],
)
def test_a_model_is_never_asked_about_the_critical(level: Level, is_asked: int) -> None:
    """Up to HIGH it is, unless it is configured lower."""
    evaluator = FakeEvaluator(SURE)
    answer = escalate(evaluator, level=level)

    assert (len(evaluator.asked), answer.decided_by == BY_MODEL) == (is_asked, is_asked == 1)


def test_how_far_up_a_model_settles_can_be_lowered() -> None:
    """But CRITICAL is never included."""
    request = make_request(level=Level.HIGH)
    for up_to, count in ((Level.MEDIUM, 0), (Level.CRITICAL, 1)):
        evaluator = FakeEvaluator(SURE)
        ladder = Ladder((), evaluator=evaluator, model_up_to=up_to)
        asyncio.run(ladder.escalate(request.action, request.assessment))
        assert len(evaluator.asked) == count


def test_a_model_approves_nothing_that_takes_a_chosen_proof() -> None:
    """Who asks for more than the level does asks for it of people; a lighter proof is none."""
    for challenge, count in (
        (Challenge.TEACH_BACK, 0),
        (Challenge.QUIZ, 1),
        (Challenge.CONFIRM, 1),
    ):
        request = make_request(level=Level.HIGH, challenge=challenge)
        evaluator = FakeEvaluator(SURE)
        asyncio.run(Ladder((), evaluator=evaluator).escalate(request.action, request.assessment))
        assert len(evaluator.asked) == count


def test_people_are_shown_what_the_model_said() -> None:
    """Whoever is asked sees on the card what the model thought, and that it did not settle it."""
    person = FakeChannel(approved())
    escalate(FakeEvaluator(Evaluation(allowed=False, confident=True, reason="deletes")), person)

    assert (
        "model (not checked): deny, confident: deletes"
        in render_text(make_card(person.requests[0])).text.splitlines()
    )


def test_people_are_not_told_an_opinion_where_the_model_gave_none() -> None:
    """An error counts as a refusal that is not sure, and is shown as the error it is."""
    person = FakeChannel(approved())
    escalate(FakeEvaluator(None), person)

    assert (
        "model (not checked): no answer: TimeoutError"
        in render_text(make_card(person.requests[0])).text
    )


def test_what_a_model_approved_says_why() -> None:
    """Its reason is told to the agent; all it thought is kept."""
    answer = escalate(FakeEvaluator(SURE))

    assert (answer.words, answer.model) == ("reads only", str(SURE))


@dataclass
class Slow:
    """A model that thinks for a while."""

    thinks_s: float
    asked: list[Request] = field(default_factory=list)

    async def evaluate(self, request: Request) -> Evaluation:
        """Return that it is sure, at some time."""
        self.asked.append(request)
        await asyncio.sleep(self.thinks_s)
        return SURE


@pytest.mark.parametrize("is_forecast", [True, False])
def test_a_model_has_no_more_time_than_the_caller(*, is_forecast: bool) -> None:
    """One that is too slow is not waited for; one in time is heard."""
    heard = []
    for thinks_s, left_s in ((3_600.0, 0.05), (0.01, 3_600.0)):
        request, model = make_request(), Slow(thinks_s)
        ladder = Ladder((), evaluator=model)
        patience = WaitBudget(until=time.monotonic() + left_s)
        ask = ladder.foresee if is_forecast else ladder.escalate

        async def asked(ask: Ask = ask, of: Request = request, left: WaitBudget = patience) -> str:
            async with asyncio.timeout(60):
                return (await ask(of.action, of.assessment, left)).decided_by

        heard.append(asyncio.run(asked()))
        assert [(one.action, one.patience) for one in model.asked] == [(request.action, patience)]

    assert heard == [BY_TIMEOUT, BY_MODEL]
