"""Paths that climb out.

Finds:
    Climbing paths in every encoding, and names of files that only an attacker asks for.

Why it matters:
    A file name from outside that leaves its folder reads or overwrites any file of the server.

Example:
    GET /download?file=..%2f..%2f..%2fetc%2fpasswd

Does not find:
    A short climb (`../img/a.png`) to a file of no interest.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.matching import in_request, request
from signoff.assess.finding import Finding

ID = "path-traversal"


def run(evidence: Evidence) -> Iterator[Finding]:
    """Find it in the values of a web request."""
    return in_request(evidence, ID, "path")


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Paths that climb out",
    cwe=("CWE-22",),
    asi=("ASI02",),
    fires=(
        request(query={"q": "..%2f..%2f..%2fetc%2fpasswd"}),
        request(query={"q": "....//....//....//....//etc/shadow"}),
        request(query={"q": "..\\..\\..\\windows\\system32\\drivers\\etc\\hosts"}),
    ),
    passes=(
        request(query={"q": "docs/guide/index.md"}),
        request(query={"q": "../images/logo.png"}),
        request(query={"q": "src/__init__.py"}),
    ),
)
