"""What was decided about one action, with everything that led to it.

    decision.allowed        may the call go on now?
    decision.decided_by     rule, score, host, llm, timeout, error, lock or a channel's name
    decision.reason         why, in words a person understands

Whether decisions are enforced, or only made and recorded:

    enforce     a denied call does not run, and people are asked
    shadow      nothing is blocked; the model is asked and people are not
    audit_only  as `shadow`, without the model

Locks, and calls that touch signoff itself, are enforced in every mode. What cannot be judged or
recorded is denied in every mode. A mode other than `enforce` has an end.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from signoff.actions.action import Action
from signoff.assess.advice import advice_of
from signoff.assess.assessed import Assessed
from signoff.assess.level import Challenge, Level
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import Answer

BY_RULE = "rule"
BY_SCORE = "score"
BY_ERROR = "error"
BY_LOCK = "lock"
BY_SHADOW = "shadow"


class DecisionStamp(Struct, frozen=True, kw_only=True, gc=False):
    """What `decide` is given from outside: the decision's id, time and duration."""

    id: str = ""
    decided_at: datetime | None = None
    latency_s: float = 0.0


NO_STAMP = DecisionStamp()


class Decision(Struct, frozen=True, kw_only=True, gc=False):
    """The final outcome for one action: what the host must do, who decided it, and why.

    Args:
        verdict: allow, deny, or ask = the host must ask its user.
        level: how serious it is; critical if it could not be judged.
        challenge: the proof of understanding an approver must give.
        assessment: None if judging itself failed.
        answer: the answer of model, person or host; None if nobody was asked.
        digest: SHA-256 of the action's canonical bytes, "" where it has none.
        edited_from: digest of the original action, if a person changed its arguments. `action`
            is then the edited call, and nothing else may run.
        would_be: the verdict that enforcing would give, where it is not enforced; None where the
            verdict is the real one.
        decided_by: `rule`, `score`, `llm`, `host`, `timeout`, `error`, `lock`, or the channel a
            person answered on.
    """

    action: Action
    verdict: Verdict
    decided_by: str
    reason: str
    level: Level
    challenge: Challenge
    digest: str
    assessment: Assessed | None = None
    answer: Answer | None = None
    edited_from: str = ""
    would_be: Verdict | None = None
    stamp: DecisionStamp = NO_STAMP

    @property
    def allowed(self) -> bool:
        """True only for an allow; an ask that the host must answer is not allowed."""
        return self.verdict is Verdict.ALLOW

    @property
    def id(self) -> str:
        """The decision's unique id."""
        return self.stamp.id

    @property
    def decided_at(self) -> datetime | None:
        """Aware time of the decision; None if it has not been stamped."""
        return self.stamp.decided_at

    @property
    def latency_s(self) -> float:
        """Seconds from the call's arrival to the decision, including waiting for people."""
        return self.stamp.latency_s


def instead_of(decision: Decision) -> str:
    """Return a safer alternative for the agent after a denial, "" if none is known.

    Nothing is added to a rule's message or a person's own words.
    """
    assessed, answer = decision.assessment, decision.answer
    has_words = answer is not None and bool(answer.who) and bool(answer.words)
    if assessed is None or assessed.rule is not None or has_words:
        return ""
    advice = advice_of(assessed.findings, assessed.operations)
    return f". Instead: {advice}." if advice else ""


class Enforcement(StrEnum):
    """The mode: whether decisions are enforced, or only computed and recorded."""

    ENFORCE = "enforce"
    SHADOW = "shadow"
    AUDIT_ONLY = "audit_only"

    @property
    def warning(self) -> str:
        """What every user must know about this mode; "" where decisions are enforced."""
        if self is Enforcement.ENFORCE:
            return ""
        return (
            f"NOT ENFORCED: mode {self.value}, nothing is blocked and nobody is asked;"
            " `signoff shadow report` says what enforcing would do, `signoff shadow off` enforces"
        )


def always_enforce() -> Enforcement:
    """Return the mode that enforces: the default where no admin can change it."""
    return Enforcement.ENFORCE
