"""Deciding is total: every leaning with every answer gives one decision, and only these allow."""

from __future__ import annotations

from itertools import product

import pytest

from signoff.assess.level import Level
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import BY_HOST, BY_MODEL, BY_TIMEOUT, Answer
from signoff.decide.decide import decide, refuse, unenforced
from signoff.decide.decision import Decision, DecisionStamp, instead_of
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
        "a test wants it so; denied by ada: not on a Friday"
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


def test_a_reason_names_who_answered_and_repeats_nothing() -> None:
    """Without words there is no colon, and without a reason only the outcome."""
    said = [
        Answer(verdict=Verdict.ALLOW, decided_by="web", who="ada"),
        Answer(verdict=Verdict.ALLOW, decided_by="web"),
        Answer(verdict=Verdict.DENY, decided_by="web", words="a test wants it so"),
    ]
    action = make_action()
    without = FakeAssessment(action=action, preliminary=Verdict.ASK, reason="")

    assert [decided(Verdict.ASK, one).reason for one in said] == [
        "a test wants it so; approved by ada",
        "a test wants it so; approved by web",
        "a test wants it so; denied by web",
    ]
    assert decide(action, without, answer=said[0]).reason == "approved by ada"


def test_a_reason_does_not_say_that_somebody_approved_this_very_call() -> None:
    """Whoever gave a grant or started a nap was not asked about it."""
    said = [
        Answer(verdict=Verdict.ALLOW, decided_by="grant", who="ada", words="gr_1: git push"),
        Answer(verdict=Verdict.ALLOW, decided_by="nap", who="ada", words="nap until 14:30"),
    ]

    assert [decided(Verdict.ASK, one).reason for one in said] == [
        "a test wants it so; approved earlier by ada: gr_1: git push",
        "a test wants it so; let through unasked: nap until 14:30",
    ]


@pytest.mark.parametrize(
    ("preliminary", "said"), [(Verdict.DENY, "denied"), (Verdict.ASK, "asked about")]
)
def test_a_forecast_says_what_enforcing_would_have_done(preliminary: Verdict, said: str) -> None:
    """With the reason for it, and nobody's answer."""
    made = unenforced(decided(preliminary), "shadow")

    assert made.reason == (
        f"not enforced (mode shadow); would have been {said}: a test wants it so"
    )
    assert (made.verdict, made.would_be, made.answer) == (Verdict.ALLOW, preliminary, None)


def test_a_forecast_of_what_was_never_judged_keeps_its_reason() -> None:
    """There is no assessment to take one from."""
    made = unenforced(refuse(make_action(), "judge failed", stamp=DecisionStamp()), "audit_only")

    assert made.reason == "not enforced (mode audit_only); would have been denied: judge failed"
    assert made.would_be is Verdict.DENY


def test_a_refusal_keeps_its_stamp() -> None:
    """As every decision does."""
    assert refuse(make_action(), "x", stamp=DecisionStamp(id="d2")).id == "d2"


def test_nothing_is_advised_where_nothing_safe_is_known() -> None:
    """Nor what a rule denied, whose author says what they want, nor what was never judged."""
    denied = [
        decided(Verdict.DENY),
        decided(Verdict.DENY, rule=FakeRule()),
        refuse(make_action(), "judge failed", stamp=DecisionStamp()),
    ]

    assert [instead_of(one) for one in denied] == ["", "", ""]
