"""Tools that look for holes.

Finds:
    Names of scanners, addresses of call-back services, placeholders of attack lists,
    schema queries.

Why it matters:
    Somebody is mapping the application; what follows is meant.

Example:
    User-Agent: sqlmap/1.8

Does not find:
    Scanners that lie about their name.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.assess.detectors.detector import CallMark, Detector, Evidence
from signoff.assess.detectors.matching import in_request, request
from signoff.assess.finding import Finding

ID = "scanner-probe"


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding of a vulnerability scanner's request."""
    return in_request(evidence, ID, "scanner")


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Tools that look for holes",
    families=("scanner",),
    cwe=("CWE-200",),
    asi=("ASI02",),
    marks=frozenset({CallMark.HITS}),
    fires=(
        request(query={"q": "http://abcd1234.oast.fun/x"}),
        request(query={"q": "query IntrospectionQuery {__schema {queryType { name }}}"}),
        request(query={"q": "A" * 80}),
    ),
    passes=(
        request(query={"q": "a webhook for my site"}),
        request(query={"q": "map-like tables"}),
        request(query={"q": "AAAA batteries"}),
    ),
)
