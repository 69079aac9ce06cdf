"""Query operators handed in as a value.

Finds:
    Operators of document stores in names or values (`[$ne]`, `$gt`, `$where`), script that reads
    `this`, and break-outs into either.

Why it matters:
    A login that compares with an operator instead of a value lets anybody in.

Example:
    POST /login  user=kim&password[$ne]=x

Does not find:
    Operators an application defines itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.assess.detectors.detector import CallMark, Detector, Evidence
from signoff.assess.detectors.matching import in_request, request
from signoff.assess.finding import Finding

ID = "nosql-injection"


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding of NoSQL injection in the values of a web request."""
    return in_request(evidence, ID, "nosql")


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Query operators handed in as a value",
    families=("nosql",),
    cwe=("CWE-943",),
    asi=("ASI02",),
    marks=frozenset({CallMark.HITS}),
    fires=(
        request("/login", query={"password[$ne]": "x"}),
        request("/login", method="POST", body='{"user": "kim", "password": {"$gt": ""}}'),
        request(query={"q": "'; return this.secret == 1"}),
    ),
    passes=(
        request(query={"q": "it costs $100 in total"}),
        request(query={"q": '{"name": "Kim", "age": 7}'}),
        request(query={"q": "this is what I am looking for"}),
    ),
)
