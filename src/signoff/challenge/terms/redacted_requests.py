"""A request as people and models may see it, and as it is kept: without the secrets of its call."""

from __future__ import annotations

from signoff.actions.action import Action
from signoff.challenge.request import Request
from signoff.challenge.terms.session_scope import shape_of
from signoff.redaction.calls import redactor_of
from signoff.redaction.redact import NEVER_CUT, Redactor
from signoff.redaction.redacted_calls import redacted_action, redacted_assessment
from signoff.values import replace


def redacted_request(request: Request, redactor: Redactor | None) -> Request:
    """Return a copy of the request with secrets masked; the same object without any."""
    knowing = _knowing(request, redactor)
    # Nothing to mask, as for most calls: no copy is made.
    if knowing is None or not knowing.known:
        return request
    assessment = redacted_assessment(request.assessment, knowing)
    return replace(
        request,
        action=assessment.action,
        assessment=assessment,
        thought=knowing.text(request.thought),
    )


def redacted_action_of(action: Action, redactor: Redactor | None) -> Action:
    """Return a copy of the action with secrets masked; unchanged without a redactor."""
    if redactor is None:
        return action
    return redacted_action(action, redactor_of(replace(redactor, text_limit=NEVER_CUT), action))


def redacted_shape(request: Request, redactor: Redactor | None) -> str:
    """Return what a session approval covers; equal secrets get equal masks."""
    shape = shape_of(request.assessment)
    knowing = _knowing(request, redactor) if shape else None
    return knowing.without_known(shape) if knowing is not None else shape


def _knowing(request: Request, redactor: Redactor | None) -> Redactor | None:
    """Return the redactor that knows the secrets of the call."""
    if redactor is None:
        return None
    # Never cut: what people approve must be the whole call (T-37).
    whole = replace(redactor, text_limit=NEVER_CUT)
    return redactor_of(whole, request.action, request.assessment)
