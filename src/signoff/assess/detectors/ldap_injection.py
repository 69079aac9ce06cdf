"""Directory filters handed in as a value.

Finds:
    Filter syntax that closes, widens or joins conditions, lone wildcards, and the same for XPath.

Why it matters:
    A widened filter finds everybody and lets a login pass.

Example:
    GET /user?name=*)(uid=*

Does not find:
    Ordinary brackets and stars in text.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.assess.detectors.detector import CallMark, Detector, Evidence
from signoff.assess.detectors.matching import in_request, request
from signoff.assess.finding import Finding

ID = "ldap-injection"


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding of LDAP or XPath injection in the values of a web request."""
    return in_request(evidence, ID, "ldap")


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Directory filters handed in as a value",
    families=("ldap",),
    cwe=("CWE-90", "CWE-643"),
    asi=("ASI02",),
    marks=frozenset({CallMark.HITS}),
    fires=(
        request(query={"q": "*)(uid=*))(|(uid=*"}),
        request(query={"q": "(&(uid=admin)(!(&(1=0)(x=y))))"}),
        request(query={"q": "kim*)(objectclass=*"}),
    ),
    passes=(
        request(query={"q": "5 stars *****: great (really)"}),
        request(query={"q": "f(x) = y"}),
        request(query={"q": "Kim (support)"}),
    ),
)
