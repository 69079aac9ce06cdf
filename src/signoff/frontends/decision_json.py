"""A decision as JSON: what the HTTP API answers.

The fields of `signoff check --json`, with the verdict and reason of the decision itself, and:

    id            of the action in this API, to ask for its answer again
    decision_id   on the record, "" where nothing was recorded
    decided_by    rule, score, host, llm, grant, second_look, timeout, error, lock
                  or a channel's name
    digest        SHA-256 of the action's canonical bytes
    request_id    the caller's own id, echoed
"""

from __future__ import annotations

import msgspec

from signoff.decide.decision import BY_ERROR, Decision
from signoff.frontends.assessed_json import assessed_fields, refused_fields

_encode = msgspec.json.Encoder().encode


def decision_json(decision: Decision, *, id: str) -> bytes:
    """Return the answer for an action that was decided about."""
    assessment = decision.assessment
    said = refused_fields(decision.reason) if assessment is None else assessed_fields(assessment)
    return _encode(
        {
            "id": id,
            **said,
            "status": "decided",
            "verdict": decision.verdict,
            "reason": decision.reason,
            "level": decision.level,
            "challenge": decision.challenge,
            "decided_by": decision.decided_by,
            "decision_id": decision.id,
            "digest": decision.digest,
            "request_id": decision.action.request_id,
        }
    )


def pending_json(*, id: str, request_id: str) -> bytes:
    """Return the answer for an action somebody is still asked about: nothing may happen yet."""
    return _encode({"id": id, "status": "pending", "request_id": request_id})


def undecided_json(reason: str) -> bytes:
    """Return the answer for what could not be taken in: a refusal."""
    return _encode(
        {
            "id": "",
            **refused_fields(reason),
            "status": "refused",
            "decided_by": BY_ERROR,
            "decision_id": "",
            "digest": "",
            "request_id": "",
        }
    )
