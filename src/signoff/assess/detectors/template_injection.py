"""Template expressions handed in as a value.

Finds:
    Expressions of template engines that compute, reach into objects or call functions.

Why it matters:
    A template engine that evaluates a value runs code on the server.

Example:
    GET /hello?name={{7*7}}

Does not find:
    Placeholders such as `{{name}}` or `${HOME}`.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.assess.detectors.detector import CallMark, Detector, Evidence
from signoff.assess.detectors.matching import in_request, request
from signoff.assess.finding import Finding

ID = "template-injection"


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding of template injection in the values of a web request."""
    return in_request(evidence, ID, "template")


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Template expressions handed in as a value",
    families=("template",),
    cwe=("CWE-1336",),
    asi=("ASI02", "ASI05"),
    marks=frozenset({CallMark.HITS}),
    fires=(
        request(query={"q": "{{7*7}}"}),
        request(query={"q": "{{ ''.__class__.__mro__ }}"}),
        request(query={"q": "<#assign x=1>"}),
    ),
    passes=(
        request(query={"q": "Dear {{name}}, welcome"}),
        request(query={"q": "${HOME}/bin"}),
        request(query={"q": "{{ .Values.image }}"}),
    ),
)
