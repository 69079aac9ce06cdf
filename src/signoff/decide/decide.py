"""One decision out of an assessment and an answer: total, pure, and the same every time.

leaning deny   ->  deny, by the rule or the score
leaning allow  ->  allow, by the rule or the score
leaning ask    ->  what the answer says; nobody's answer, or one that does not count, is deny
"""

from __future__ import annotations

from typing import assert_never

from signoff.actions.action import Action
from signoff.assess.assessed import Assessed
from signoff.assess.level import Challenge, Level
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import BY_GRANT, BY_NAP, NO_ANSWER, Answer
from signoff.decide.decision import (
    BY_ERROR,
    BY_RULE,
    BY_SCORE,
    BY_SHADOW,
    NO_STAMP,
    Decision,
    DecisionStamp,
)
from signoff.values import replace

REASON_LIMIT = 2_000


def decide(
    action: Action,
    assessment: Assessed,
    *,
    answer: Answer | None = None,
    edited_from: str = "",
    stamp: DecisionStamp = NO_STAMP,
) -> Decision:
    """Build the decision on an action from its assessment and the answer.

    Args:
        edited_from: the digest of what the answer was asked about, where it changed the action.

    Raises:
        ValueError: the action has no canonical form, so nothing can be bound to it.
    """
    verdict, decided_by, reason, heard = _settle(assessment, answer)
    return Decision(
        action=action,
        verdict=verdict,
        decided_by=decided_by,
        reason=reason[:REASON_LIMIT],
        level=assessment.level,
        challenge=assessment.challenge,
        digest=action.digest,
        assessment=assessment,
        # Whoever changed the action was asked, whatever settles what they made of it.
        answer=answer if edited_from else heard,
        edited_from=edited_from,
        stamp=stamp,
    )


def unenforced(decision: Decision, mode: str) -> Decision:
    """Return the decision as a mode that does not enforce gives it: an allow.

    Its reason and `would_be` say what enforcing would do. An allow is returned unchanged.

    Args:
        mode: the name of the mode, for the reason.
    """
    if decision.allowed:
        return decision
    assessed = decision.assessment
    is_asked = assessed is not None and assessed.preliminary is Verdict.ASK
    # No person is asked in this mode: a refusal for want of an answer says nothing.
    would_be = Verdict.ASK if is_asked else decision.verdict
    said = "asked about" if is_asked else "denied"
    why = assessed.reason if assessed is not None else decision.reason
    return replace(
        decision,
        verdict=Verdict.ALLOW,
        decided_by=BY_SHADOW,
        reason=f"not enforced (mode {mode}); would have been {said}: {why}"[:REASON_LIMIT],
        would_be=would_be,
        answer=None,
    )


def refuse(
    action: Action, reason: str, *, decided_by: str = BY_ERROR, stamp: DecisionStamp
) -> Decision:
    """Build the denial of an action that could not be judged, recorded or parsed."""
    return Decision(
        action=action,
        verdict=Verdict.DENY,
        decided_by=decided_by,
        reason=reason[:REASON_LIMIT],
        # Nothing is known of it, so it counts as the worst.
        level=Level.CRITICAL,
        challenge=Challenge.MULTI_PARTY,
        digest=_digest_if_any(action),
        stamp=stamp,
    )


def _settle(assessment: Assessed, answer: Answer | None) -> tuple[Verdict, str, str, Answer | None]:
    """Return verdict, who decided, why, and the answer that was heard."""
    match assessment.preliminary:
        case Verdict.ALLOW | Verdict.DENY as preliminary:
            rule = assessment.rule
            by_rule = rule is not None and rule.action == preliminary.value
            return preliminary, BY_RULE if by_rule else BY_SCORE, assessment.reason, None
        case Verdict.ASK:
            # Checked here too, so that this function is safe with any answer.
            heard = NO_ANSWER
            if answer is not None and answer.counts(assessment.level):
                heard = answer
            return heard.verdict, heard.decided_by, _words(assessment, heard), heard
        case _:
            assert_never(assessment.preliminary)


def _words(assessment: Assessed, heard: Answer) -> str:
    """Return why a call was asked about, and the result."""
    who = heard.who or heard.decided_by
    approved = {BY_GRANT: f"approved earlier by {who}", BY_NAP: "let through unasked"}
    outcome = {
        Verdict.ALLOW: approved.get(heard.decided_by, f"approved by {who}"),
        Verdict.DENY: f"denied by {who}",
        Verdict.ASK: "handed to the host's own prompt",
    }[heard.verdict]
    said = f": {heard.words}" if heard.words and heard.words != assessment.reason else ""
    return f"{assessment.reason}; {outcome}{said}" if assessment.reason else f"{outcome}{said}"


def _digest_if_any(action: Action) -> str:
    """Return the digest, "" where the arguments have no canonical form."""
    try:
        return action.digest
    except (ValueError, TypeError, RecursionError):
        return ""
