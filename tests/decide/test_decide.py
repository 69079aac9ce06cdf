"""Deciding is total: every leaning with every answer gives one decision, and only these allow."""

from __future__ import annotations

from itertools import product

import pytest

from signoff.assess.level import Level
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import BY_HOST, BY_MODEL, BY_TIMEOUT, Answer
from signoff.decide.decide import decide, refuse
from signoff.decide.decision import Decision, DecisionStamp
from signoff.testing import FakeAssessment, FakeRule, make_action

DECIDERS = (BY_MODEL, BY_HOST, BY_TIMEOUT, "terminal", "telegram")
ANSWERS = (None, *(Answer(verdict=v, decided_by=d) for v, d in product(Verdict, DECIDERS)))


def decided(
    preliminary: Verdict,
    answer: Answer | None = None,
    *,
    level: Level = Level.MEDIUM,
    rule: FakeRule | None = None,
) -> Decision:
    """Decide about a call that leans this way."""
    action = make_action()
    assessment = FakeAssessment(action=action, preliminary=preliminary, level=level, rule=rule)
    return decide(action, assessment, answer=answer)


def test_only_an_allowing_answer_or_leaning_allows() -> None:
    """All 192 combinations: who allowed is always known, and a model never the critical."""
    cells = list(product(Verdict, ANSWERS, Level))
    allowed = [
        (preliminary, answer, level)
        for preliminary, answer, level in cells
        if decided(preliminary, answer, level=level).allowed
    ]

    assert len(cells) == 3 * 16 * 4
    assert all(
        preliminary is Verdict.ALLOW
        or (
            preliminary is Verdict.ASK
            and answer is not None
            and answer.verdict is Verdict.ALLOW
            and (answer.decided_by != BY_MODEL or level is not Level.CRITICAL)
        )
        for preliminary, answer, level in allowed
    )
    assert len(allowed) == 64 + 4 * 5 - 1


@pytest.mark.parametrize("answer", ANSWERS)
def test_a_refusal_is_refused_whatever_anybody_answers(answer: Answer | None) -> None:
    """Nobody was asked, so nobody is heard."""
    made = decided(Verdict.DENY, answer)

    assert (made.verdict, made.answer) == (Verdict.DENY, None)


@pytest.mark.parametrize(
    ("preliminary", "rule", "by"),
    [
        (Verdict.DENY, "deny", "rule"),
        (Verdict.DENY, "allow", "score"),
        (Verdict.DENY, "escalate", "score"),
        (Verdict.DENY, None, "score"),
        (Verdict.ALLOW, "allow", "rule"),
        (Verdict.ALLOW, "escalate", "score"),
        (Verdict.ALLOW, None, "score"),
    ],
)
def test_who_decided_is_the_rule_only_if_it_said_so(
    preliminary: Verdict, rule: str | None, by: str
) -> None:
    """A rule that said something else did not decide."""
    matched = FakeRule(action=rule) if rule else None

    assert decided(preliminary, rule=matched).decided_by == by


def test_nobodys_answer_is_a_refusal_by_timeout() -> None:
    """Silence is no."""
    made = decided(Verdict.ASK)

    assert (made.verdict, made.decided_by) == (Verdict.DENY, BY_TIMEOUT)


def test_a_models_refusal_is_nobodys_answer() -> None:
    """A model never denies by itself."""
    made = decided(Verdict.ASK, Answer(verdict=Verdict.DENY, decided_by=BY_MODEL))

    assert (made.verdict, made.decided_by) == (Verdict.DENY, BY_TIMEOUT)


def test_what_is_handed_to_the_host_is_not_allowed_yet() -> None:
    """The host still has to ask."""
    made = decided(Verdict.ASK, Answer(verdict=Verdict.ASK, decided_by=BY_HOST))

    assert (made.verdict, made.decided_by, made.allowed) == (Verdict.ASK, BY_HOST, False)


def test_the_reason_says_why_it_was_asked_and_what_came_of_it() -> None:
    """With the approver's own words."""
    answer = Answer(verdict=Verdict.DENY, decided_by="web", who="ada", words="not on a Friday")

    assert decided(Verdict.ASK, answer).reason == (
        "a test wants it so; refused by ada: not on a Friday"
    )


def test_a_decision_is_bound_to_its_action() -> None:
    """By the digest, with the stamp it was given."""
    action, stamp = make_action(), DecisionStamp(id="d1", latency_s=0.5)
    made = decide(action, FakeAssessment(action=action, preliminary=Verdict.ALLOW), stamp=stamp)

    assert (made.digest, made.id, made.latency_s) == (action.digest, "d1", 0.5)


def test_what_could_not_be_judged_is_refused_as_critical() -> None:
    """Nothing is known of it, so nothing is taken for granted."""
    made = refuse(make_action(), "judge failed", stamp=DecisionStamp())

    assert (made.verdict, made.level, made.decided_by) == (Verdict.DENY, Level.CRITICAL, "error")
