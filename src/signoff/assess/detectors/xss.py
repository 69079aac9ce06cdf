"""Script handed in as a value.

Finds:
    Script tags, event handlers, script and data addresses, active elements, break-outs from
    attributes and script, client-side template expressions.

Why it matters:
    What the application echoes runs in the browser of whoever looks at it.

Example:
    GET /search?q=<img src=x onerror=steal()>

Does not find:
    Formatting markup without script such as `<b>`; stored script that never passes here.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.assess.detectors.detector import CallMark, Detector, Evidence
from signoff.assess.detectors.matching import in_request, request
from signoff.assess.finding import Finding

ID = "xss"


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding of cross-site scripting in the values of a web request."""
    return in_request(evidence, ID, "xss")


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Script handed in as a value",
    families=("xss",),
    cwe=("CWE-79",),
    asi=("ASI02",),
    marks=frozenset({CallMark.HITS}),
    fires=(
        request(query={"q": "<script>steal(1)</script>"}),
        request(query={"q": "%3Csvg%20onload%3Dfetch(1)%3E"}),
        request(query={"q": '"><img src=x onerror=alert(7)>'}),
    ),
    passes=(
        request(query={"q": "<b>bold</b> and 3 < 4"}),
        request(query={"q": "how to use JavaScript: a guide"}),
        request(query={"q": "once upon = a time"}),
    ),
)
