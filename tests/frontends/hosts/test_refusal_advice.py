"""A refusal says what the agent can do instead, in the words every host is given."""

from __future__ import annotations

import pytest

from signoff.actions.facts import Facts
from signoff.assess.assessment import Judge
from signoff.assess.detectors.evidence import shell_call
from signoff.assess.rules.rule import RuleSet
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import Answer
from signoff.decide.decide import decide
from signoff.decide.decision import Decision
from signoff.frontends.hosts.wording import reason_of, refusal_of

NO_RULES = RuleSet()
JUDGE = Judge(rules=lambda: NO_RULES)
PLAN = ". Instead: show the change first with a plan, diff or dry run, as in `terraform plan`."


def decided(command: str, answer: Answer | None = None) -> Decision:
    """Decide a shell line without rules."""
    call = shell_call(command)
    return decide(call, JUDGE(call, Facts()), answer=answer)


def person(verdict: Verdict, words: str = "") -> Answer:
    """Make what a person answered."""
    return Answer(verdict=verdict, decided_by="terminal", who="ada", took_s=60, words=words)


def test_an_unanswered_question_is_refused_with_a_safe_form() -> None:
    """In the answer of a host that asks, and of one that cannot."""
    decision = decided("terraform apply")

    assert Verdict.DENY is decision.verdict
    assert reason_of(decision).endswith(PLAN)
    assert refusal_of(decision, "Codex").endswith(PLAN)


@pytest.mark.parametrize(
    "decision",
    [
        decided("terraform apply", person(Verdict.DENY, "not on a Friday")),
        decided("terraform apply", Answer(verdict=Verdict.ASK, decided_by="host")),
        decided("terraform plan"),
        decided("signoff approve req_12"),
    ],
    ids=("a person's words", "the host's own prompt", "an allow", "signoff itself"),
)
def test_nothing_is_added_elsewhere(decision: Decision) -> None:
    """Where somebody said why, nothing was refused, or any other way would go around signoff."""
    assert "Instead:" not in reason_of(decision)
