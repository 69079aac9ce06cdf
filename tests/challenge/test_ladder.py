"""The ladder asks in order and hears only answers that count."""

from __future__ import annotations

import asyncio

from signoff.assess.level import Challenge, Level
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import BY_HOST, BY_MODEL, Answer
from signoff.challenge.ladder import NOBODY, Ladder
from signoff.challenge.people.host_prompt import HostChannel
from signoff.challenge.request import Channel
from signoff.testing import FakeAssessment, FakeChannel, approved, make_action, refused


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
