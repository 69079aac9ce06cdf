"""The ladder asks in order and hears only answers that count."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field

import pytest

from signoff.assess.level import Challenge, Level
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import BY_HOST, BY_MODEL, BY_NAP, Answer
from signoff.challenge.ladder import NOBODY, Ladder
from signoff.challenge.people.host_prompt import HostChannel
from signoff.challenge.request import Channel, WaitBudget
from signoff.testing import FakeAssessment, FakeChannel, approved, make_action, refused
from signoff.values import replace


def escalate(
    *channels: Channel, preliminary: Verdict = Verdict.ASK, level: Level = Level.MEDIUM
) -> Answer:
    """Climb the ladder of these channels."""
    action = make_action()
    assessment = FakeAssessment(action=action, preliminary=preliminary, level=level)
    return asyncio.run(Ladder(channels).escalate(action, assessment))


def test_without_channels_nobody_answers() -> None:
    """Headless never approves."""
    assert escalate() == NOBODY


def test_the_first_answer_is_the_answer() -> None:
    """Whoever comes after is not asked."""
    first, second = FakeChannel(refused()), FakeChannel(approved())

    assert (escalate(first, second), second.requests) == (refused(), [])


def test_a_channel_without_an_answer_is_passed_over() -> None:
    """The next one is asked."""
    assert escalate(FakeChannel(None), FakeChannel(approved())) == approved()


def test_a_models_refusal_goes_on_to_the_person() -> None:
    """A model never denies by itself."""
    model, person = FakeChannel(refused(decided_by=BY_MODEL)), FakeChannel(approved())

    assert escalate(model, person) == approved()


def test_a_models_approval_of_the_critical_goes_on_to_the_person() -> None:
    """It may let through anything but that."""
    model, person = FakeChannel(approved(decided_by=BY_MODEL)), FakeChannel(refused())

    answers = [
        escalate(model, person, level=level).verdict for level in (Level.HIGH, Level.CRITICAL)
    ]

    assert answers == [Verdict.ALLOW, Verdict.DENY]


def test_what_is_settled_is_put_to_nobody() -> None:
    """Neither an allow nor a deny."""
    channel = FakeChannel(approved())
    for preliminary in (Verdict.ALLOW, Verdict.DENY):
        escalate(channel, preliminary=preliminary)

    assert channel.requests == []


def test_the_host_is_handed_the_question() -> None:
    """Its own prompt decides."""
    answer = escalate(HostChannel())

    assert (answer.verdict, answer.decided_by) == (Verdict.ASK, BY_HOST)


def test_the_host_is_not_handed_what_takes_a_chosen_proof() -> None:
    """Its prompt is one tap; a channel that takes the proof is asked, else nobody."""
    action = make_action()
    assessment = FakeAssessment(action=action, level=Level.MEDIUM, challenge=Challenge.TEACH_BACK)
    person = FakeChannel(approved())
    answers = [
        asyncio.run(Ladder(channels).escalate(action, assessment))
        for channels in ((HostChannel(),), (HostChannel(), person))
    ]

    assert [NOBODY, approved()] == answers


@pytest.mark.parametrize("verdict", [Verdict.ALLOW, Verdict.DENY])
def test_a_nap_only_approves_and_only_what_takes_one_tap(verdict: Verdict) -> None:
    """Its answer to anything else is none."""
    answer = Answer(verdict=verdict, decided_by=BY_NAP)
    counted = [answer.counts(level) for level in Level]

    assert counted == [verdict is Verdict.ALLOW and level <= Level.MEDIUM for level in Level]


def test_a_channel_is_given_the_callers_time_and_no_thought() -> None:
    """Nobody thought anything where there is no model."""
    person, patience = FakeChannel(approved()), WaitBudget(until=time.monotonic() + 60)
    action = make_action()
    asyncio.run(Ladder((person,)).escalate(action, FakeAssessment(action=action), patience))

    assert [(one.patience, one.thought) for one in person.requests] == [(patience, "")]


@dataclass
class Outcomes:
    """Keeps the ends of calls."""

    ended: list[tuple[str, bool]] = field(default_factory=list)

    async def finish(self, request_id: str, *, has_failed: bool = False) -> bool:
        """Note one."""
        self.ended.append((request_id, has_failed))
        return True


def test_the_end_of_a_call_is_noted_for_its_request() -> None:
    """And for no other: without a request, or somebody who notes it, nothing is."""
    outcomes = Outcomes()
    ladder, answer = Ladder(outcomes=outcomes), replace(approved(), request_id="r1")

    assert asyncio.run(ladder.finish(answer))
    assert asyncio.run(ladder.finish(answer, has_failed=True))
    assert not asyncio.run(ladder.finish(approved()))
    assert not asyncio.run(Ladder().finish(answer))
    assert outcomes.ended == [("r1", False), ("r1", True)]


def test_the_time_that_is_left_is_never_more_than_asked_for_and_never_less_than_none() -> None:
    """Without an end it is what was asked for."""
    now = time.monotonic()

    assert WaitBudget().left_s(5.0) == 5.0
    assert WaitBudget(until=now - 1).left_s(5.0) == 0.0
    assert WaitBudget(until=now + 1_000).left_s(5.0) == 5.0
    assert 500 < WaitBudget(until=now + 1_000).left_s(5_000.0) <= 1_000
