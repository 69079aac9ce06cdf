"""Paths that climb out.

Finds:
    Climbing paths in every encoding, paths that begin in a folder and leave it by the way they
    came (`uploads/../../x`), and names of files that only an attacker asks for.

Why it matters:
    A file name from outside that leaves its folder reads or overwrites any file of the server.

Example:
    GET /download?file=..%2f..%2f..%2fetc%2fpasswd

Does not find:
    A short climb (`../img/a.png`) to a file of no interest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from signoff.assess.contexts.syntax import Syntax
from signoff.assess.detectors.detector import Detector, Evidence, RequestField
from signoff.assess.detectors.matching import excerpt, in_request, place_of, request
from signoff.assess.finding import Finding, Severity

ID = "path-traversal"
FILE_NAME = "filename"
# `../a.png` may be an honest link; a path that enters a folder to leave it again is none.
_BEGINS_IN_FOLDER = re.compile(r"/?[\w][\w.-]*/")


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding of path traversal in the values of a web request."""
    found = tuple(in_request(evidence, ID, "path"))
    return iter(found or tuple(_leaving(evidence.fields)))


_VALUE = Syntax.VALUE


def _leaving(fields: Iterable[RequestField]) -> Iterator[Finding]:
    # Most values are read in one way, and name no folder above.
    for field in [one for one in fields if len(one.forms) > 1 or ".." in one.forms[0]]:
        is_value = field.place in ("query", "body", "cookie") and field.syntax == _VALUE
        is_name = field.name == FILE_NAME and "://" not in field.raw[:8]
        if is_value and any(map(_climbs if is_name else _leaves, field.forms)):
            yield Finding(
                detector=ID,
                category=f"{ID}.leaves-its-folder",
                severity=Severity.CRITICAL,
                confidence=0.8,
                evidence=f"{place_of(field)}: `{excerpt(field.raw)}` ends above where it began",
            )
            return


def _climbs(name: str) -> bool:
    """Return whether the name of an uploaded file, which has no folder, has a way up in it."""
    return "../" in name or "..\\" in name


def _leaves(path: str) -> bool:
    """Return whether a path that begins in a folder ends above where it began."""
    if "/../" not in path or not _BEGINS_IN_FOLDER.match(path):
        return False
    depth = 0
    # What follows `?` names no folder.
    for part in path.split("?", 1)[0].split("/"):
        depth += {"..": -1, ".": 0, "": 0}.get(part, 1)
        if depth < 0:
            return True
    return False


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Paths that climb out",
    families=("path",),
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
