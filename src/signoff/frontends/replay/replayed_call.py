"""What signoff would have said of one recorded call, small enough to keep tens of thousands.

replayed_call(past, assessment, redactor, granted).verdict  ->  "ask"
"""

from __future__ import annotations

from msgspec import Struct

from signoff.assess.assessed import Assessed
from signoff.assess.finding import Severity
from signoff.challenge.heading import command_line, title_of, worst_of
from signoff.challenge.terms.session_scope import shape_of, shape_words
from signoff.challenge.visible import visible
from signoff.redaction.calls import redactor_of
from signoff.redaction.redact import Redactor

BY_RISK = "risk"
_RANKS = {severity: rank for rank, severity in enumerate(Severity)}


class ReplayedCall(Struct, frozen=True, kw_only=True, gc=False):
    """One judged call; of an allowed one only the first six fields are filled in.

    Args:
        id: the host's id of the call, "" if it has none.
        at: when the host wrote it down, ISO 8601, "" if unknown.
        verdict: `allow`, `ask` or `deny`; "" if the call could not be read.
        cause: the rule or the policy line that interrupted it.
        program: the program, or the tool, that does the worst of it.
        title: what would happen, without secrets.
        text: the call itself, without secrets, in one line.
        grant: what "for this session" would have covered, in words; "" if nothing.
        grant_shape: the same for comparison; equal shapes are covered by one grant.
    """

    id: str
    host: str
    session: str
    at: str
    tool: str
    verdict: str
    cause: str = ""
    program: str = ""
    title: str = ""
    text: str = ""
    reason: str = ""
    level: str = ""
    proof: str = ""
    grant: str = ""
    grant_shape: str = ""


def replayed_call(
    assessment: Assessed, *, id: str, host: str, at: str, redactor: Redactor
) -> ReplayedCall:
    """Summarise a judged call, with secrets masked."""
    action, verdict = assessment.action, assessment.preliminary.value
    if verdict == "allow":
        return ReplayedCall(
            id=id, host=host, session=action.session, at=at, tool=action.tool, verdict=verdict
        )
    mask = redactor_of(redactor, action, assessment).text
    shape = shape_of(assessment) if verdict == "ask" else ""
    return ReplayedCall(
        id=id,
        host=host,
        session=action.session,
        at=at,
        tool=action.tool,
        verdict=verdict,
        cause=cause_of(assessment),
        program=mask(_program(assessment)),
        title=title_of(assessment, mask=mask),
        text=command_line(action, mask=mask),
        reason=visible(mask(assessment.reason)),
        level=assessment.level.value,
        proof=assessment.challenge.value,
        grant=mask(shape_words(shape)) if shape else "",
        grant_shape=mask(shape),
    )


def cause_of(assessment: Assessed) -> str:
    """Return the rule or the policy line that interrupted a call; `BY_RISK` if neither did."""
    if assessment.rule is not None:
        return f"rule `{assessment.rule.rule.name}`"
    findings = [one for one in assessment.findings if one.detected]
    worst = max(findings, key=lambda one: (_RANKS[one.severity], one.confidence), default=None)
    return BY_RISK if worst is None else worst.category


def _program(assessment: Assessed) -> str:
    """Return the program that does the worst of a call, the tool's name if there is none."""
    worst = worst_of(assessment.operations, assessment.findings)
    name = worst.program if worst is not None else ""
    return visible((name or assessment.action.tool)[:60])
