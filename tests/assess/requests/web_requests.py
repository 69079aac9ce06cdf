"""Helpers of the tests of web requests: whether the detectors stop one."""

from __future__ import annotations

import json

from signoff.actions.action import Action, ActionKind, Json
from signoff.assess.detectors.content import WEB_DETECTORS
from signoff.assess.detectors.detector import Evidence
from signoff.assess.detectors.runner import run_detectors
from signoff.assess.detectors.texts import with_texts
from signoff.assess.threat.score import finding_to_score

JSON = {"content-type": "application/json"}
STOPS_AT = 40  # of 100: the score from which a request is stopped by default


def stops(path: str = "/x", **parts: Json) -> bool:
    """Tell whether a POST is stopped.

    Args:
        parts: of the request: `headers`, `query`, `body`; `method` in place of POST.
    """
    given: dict[str, Json] = {"method": "POST", "path": path, "headers": {}, **parts}
    action = Action(tool="http", kind=ActionKind.HTTP_REQUEST, arguments=given)
    findings = run_detectors(WEB_DETECTORS, with_texts(Evidence(action=action)))
    return any(finding_to_score(one) >= STOPS_AT for one in findings)


def stops_json(body: Json, path: str = "/x") -> bool:
    """Tell whether a POST of JSON is stopped."""
    return stops(path, headers=dict(JSON), body=json.dumps(body))
