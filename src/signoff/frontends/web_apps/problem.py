"""The answer to a client whose request is not served: problem details (RFC 9457).

The answer names no detector and no pattern, which would help whoever looks for a way around. The
id in `instance` is in the log, too.

    {"type": "about:blank", "title": "Forbidden", "status": 403,
     "detail": "This request was blocked.", "instance": "urn:signoff:5f0c..."}
"""

from __future__ import annotations

import json
from http import HTTPStatus

from msgspec import Struct

from signoff.assess.detectors.rate import BRUTE_FORCE, RATE_LIMIT
from signoff.effects.pipeline import PipelineDecision

CONTENT_TYPE = "application/problem+json"
RETRY_AFTER_S = 60
TOKEN = "token"  # noqa: S105 - the id of the check of tokens
_LIMITS = frozenset({RATE_LIMIT, BRUTE_FORCE})


class Problem(Struct, frozen=True, kw_only=True):
    """An error response: status, text, and the request's id."""

    status: HTTPStatus
    detail: str
    request_id: str = ""

    @property
    def body(self) -> bytes:
        """The JSON document."""
        said: dict[str, str | int] = {
            "type": "about:blank",
            "title": self.status.phrase,
            "status": int(self.status),
            "detail": self.detail,
        }
        if self.request_id:
            said["instance"] = f"urn:signoff:{self.request_id}"
        return json.dumps(said).encode()

    @property
    def headers(self) -> tuple[tuple[str, str], ...]:
        """The headers that go with it."""
        common = (
            ("content-type", CONTENT_TYPE),
            ("content-length", str(len(self.body))),
            # The same request may be allowed a minute later.
            ("cache-control", "no-store"),
        )
        if self.status is HTTPStatus.UNAUTHORIZED:
            # A 401 names its scheme (RFC 9110, 11.6.1).
            return (*common, ("www-authenticate", "Bearer"))
        is_limit = self.status is HTTPStatus.TOO_MANY_REQUESTS
        return (*common, ("retry-after", str(RETRY_AFTER_S))) if is_limit else common


def blocked(decision: PipelineDecision) -> Problem:
    """Return the response to a blocked request: 429 for a limit, 401 for a token, else 403."""
    found = {one.detector for one in decision.threat.results}
    # Only where nothing else was found: an attack is not told that a token would help.
    if found == {TOKEN}:
        return Problem(
            status=HTTPStatus.UNAUTHORIZED,
            detail="A valid token is needed.",
            request_id=decision.action.request_id,
        )
    is_limit = bool(found) and found <= _LIMITS
    return Problem(
        status=HTTPStatus.TOO_MANY_REQUESTS if is_limit else HTTPStatus.FORBIDDEN,
        detail="Too many requests; try again later." if is_limit else "This request was blocked.",
        request_id=decision.action.request_id,
    )


def withheld(decision: PipelineDecision) -> Problem:
    """Return the response in place of one that must not be sent."""
    return Problem(
        status=HTTPStatus.INTERNAL_SERVER_ERROR,
        detail="The response was withheld.",
        request_id=decision.action.request_id,
    )


TOO_LARGE = Problem(
    status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail="The body is larger than is accepted here."
)
NOT_JUDGED = Problem(
    status=HTTPStatus.SERVICE_UNAVAILABLE, detail="The request could not be checked."
)


def unreadable(why: str) -> Problem:
    """Return the response to a body that cannot be decoded."""
    return Problem(status=HTTPStatus.UNSUPPORTED_MEDIA_TYPE, detail=f"The {why}.")
