"""SQL handed in as a value.

Finds:
    Values of a request that break out of quotes, add logic, stack statements, read catalogs,
    call timing or file functions, or carry union selects, in any usual encoding.

Why it matters:
    Text that reaches a database as part of a statement reads, changes or destroys its data.

Example:
    GET /item?id=7%27%20or%201=1--

Does not find:
    Second-order injection, and words of SQL in ordinary sentences.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.assess.detectors.detector import CallMark, Detector, Evidence
from signoff.assess.detectors.matching import in_request, request
from signoff.assess.finding import Finding

ID = "sql-injection"


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding of SQL injection in the values of a web request."""
    return in_request(evidence, ID, "sql")


DETECTOR = Detector(
    id=ID,
    run=run,
    title="SQL handed in as a value",
    families=("sql",),
    cwe=("CWE-89",),
    asi=("ASI02",),
    marks=frozenset({CallMark.HITS}),
    fires=(
        request(query={"q": "7' or 1=1-- -"}),
        request(query={"q": "1 union/**/select login, secret from members"}),
        request(query={"q": "%2527%3B%20drop%20table%20orders--"}),
    ),
    passes=(
        request(query={"q": "O'Brien"}),
        request(query={"q": "please select a table from the list and order by name"}),
        request(query={"q": "the union of workers, or 1 of them"}),
    ),
)
