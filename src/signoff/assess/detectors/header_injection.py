"""Line ends handed in to split a message.

Finds:
    Line ends followed by a header, a request, or a mail or cache command; also encoded ones.

Why it matters:
    The rest of the value becomes a header, a second response or a command of its own.

Example:
    GET /go?to=%0d%0aSet-Cookie:%20a=b

Does not find:
    Line ends in ordinary text.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.assess.detectors.detector import CallMark, Detector, Evidence
from signoff.assess.detectors.matching import in_request, request
from signoff.assess.finding import Finding

ID = "header-injection"


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding of header injection in the values of a web request."""
    return in_request(evidence, ID, "header")


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Line ends handed in to split a message",
    families=("header",),
    cwe=("CWE-93", "CWE-113"),
    asi=("ASI02",),
    marks=frozenset({CallMark.HITS}),
    fires=(
        request(query={"q": "x%0d%0aSet-Cookie:%20role=admin"}),
        request(query={"q": "a\r\nBcc: everyone@example.org"}),
        request(query={"q": "%E5%98%8A%E5%98%8DLocation:%20//h.example"}),
    ),
    passes=(
        request(query={"q": "line one\nline two"}),
        request(query={"q": "Subject: hello"}),
        request(query={"q": "to: be or not to be"}),
    ),
)
