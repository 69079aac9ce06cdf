"""A decision as JSON: what the HTTP API answers.

The fields of `signoff check --json`, with the verdict and reason of the decision itself, and:

    id            of the action in this API, to ask for its answer again
    decision_id   on the record, "" where nothing was recorded
    decided_by    rule, score, host, llm, grant, nap, shadow, second_look, timeout, error, lock
                  or a channel's name
    digest        SHA-256 of the action's canonical bytes
    request_id    the caller's own id, echoed
"""

from __future__ import annotations

import msgspec

from signoff.assess.advice import advice_for
from signoff.assess.level import Challenge, Level
from signoff.assess.verdict import Verdict
from signoff.decide.decision import BY_ERROR, Decision
from signoff.frontends.assessed_json import NOT_JUDGED, AssessmentJson, judged

_encode = msgspec.json.Encoder().encode


class _Decided(AssessmentJson, gc=False):
    """The JSON answer with a decision; its fields are in output order."""

    status: str
    decided_by: str
    decision_id: str
    digest: str
    request_id: str


def decision_json(decision: Decision, *, id: str) -> bytes:
    """Return the JSON answer with a decision.

    Args:
        id: the ticket's id.
    """
    return _encode(
        _Decided(
            id,
            decision.verdict,
            decision.level,
            *judged(decision.assessment),
            decision.challenge,
            decision.reason,
            _instead(decision),
            "decided",
            decision.decided_by,
            decision.stamp.id,
            decision.digest,
            decision.action.request_id,
        )
    )


def _instead(decision: Decision) -> str:
    """Return a safe form of what was denied, "" if it was allowed or none is known."""
    if decision.assessment is None or decision.allowed:
        return ""
    return advice_for(decision.assessment)


def pending_json(*, id: str, request_id: str) -> bytes:
    """Return the JSON answer for an action that people are still asked about; it must not run.

    Args:
        id: the ticket's id.
        request_id: of the approval request.
    """
    return _encode({"id": id, "status": "pending", "request_id": request_id})


def undecided_json(reason: str) -> bytes:
    """Return the JSON answer that denies a request which could not be processed."""
    return _encode(
        _Decided(
            "",
            Verdict.DENY,
            Level.CRITICAL,
            *NOT_JUDGED,
            Challenge.MULTI_PARTY,
            reason,
            "",
            "refused",
            BY_ERROR,
            "",
            "",
            "",
        )
    )
