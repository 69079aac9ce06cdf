"""Objects that act when they are read.

Finds:
    Packed objects of Java, PHP, Python, Ruby, .NET and Node in values, and names that reach into
    the objects of the program (`__proto__`, `constructor[prototype]`, `class.module.classLoader`).

Why it matters:
    Unpacking such an object runs code of the sender's choice; a changed prototype or class loader
    changes what the whole program does.

Example:
    POST /merge  with  {"__proto__": {"isAdmin": true}}

Does not find:
    Packed objects inside another encoding or a signed envelope.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.assess.detectors.detector import CallMark, Detector, Evidence
from signoff.assess.detectors.matching import in_request, request
from signoff.assess.finding import Finding

ID = "object-injection"


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding of unsafe deserialisation in the values of a web request."""
    return in_request(evidence, ID, "object")


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Objects that act when they are read",
    families=("object",),
    cwe=("CWE-502", "CWE-1321"),
    asi=("ASI02", "ASI05"),
    marks=frozenset({CallMark.HITS}),
    fires=(
        request(query={"state": "rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcA=="}),
        request(query={"q": 'O:8:"Template":1:{s:4:"file";s:1:"x";}'}),
        request(method="POST", body='{"__proto__": {"isAdmin": true}}'),
    ),
    passes=(
        request(query={"q": "what does __proto__ mean in JavaScript?"}),
        request(method="POST", body='{"prototype": "v2", "class": "header large"}'),
        request(query={"q": "O: 8, A: 3"}),
    ),
)
