"""Addresses that turn the server on itself.

Finds:
    Addresses of the machine itself, of private networks and of cloud metadata services in values,
    however their numbers are written; schemes that speak to other services.

Why it matters:
    The server can reach what the caller cannot: admin pages, databases, cloud credentials.

Example:
    GET /preview?url=http://169.254.169.254/latest/meta-data/

Does not find:
    Public names that resolve to private addresses, except the well-known ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from signoff.assess.detectors.detector import CallMark, Detector, Evidence
from signoff.assess.detectors.matching import except_hosts, in_request, request
from signoff.assess.finding import Finding
from signoff.values import replace

ID = "ssrf"


def ssrf(allowed: Iterable[str] = ()) -> Detector:
    """Return a detector of server-side request forgery.

    Args:
        allowed: hosts whose plain URLs are no finding; their subdomains too.
    """
    hosts = frozenset(host.lower() for host in allowed)

    def run(evidence: Evidence) -> Iterator[Finding]:
        return in_request(except_hosts(evidence, hosts), ID, "ssrf")

    return replace(DETECTOR, run=run)


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding of request forgery in the values of a web request."""
    return in_request(evidence, ID, "ssrf")


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Addresses that turn the server on itself",
    families=("ssrf",),
    cwe=("CWE-918",),
    asi=("ASI02",),
    marks=frozenset({CallMark.HITS}),
    fires=(
        request(query={"url": "http://169.254.169.254/latest/meta-data/"}),
        request(query={"url": "http://0x7f000001/admin"}),
        request(query={"url": "gopher://10.0.0.7:6379/_x"}),
    ),
    passes=(
        request(query={"url": "https://news.example.org/127/today"}),
        request(query={"q": "what is localhost?"}),
        request(headers={"Host": "localhost:8000", "Referer": "http://localhost:8000/"}),
    ),
)
