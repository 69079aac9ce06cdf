"""XML that reads files.

Finds:
    Entities, document types with an inner part, includes, style sheets that call out, server-side
    and edge-side includes.

Why it matters:
    A parser that follows them reads local files and calls other servers.

Example:
    <!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/hosts'>]>

Does not find:
    XML without a document type.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.assess.detectors.detector import CallMark, Detector, Evidence
from signoff.assess.detectors.matching import in_request, request
from signoff.assess.finding import Finding

ID = "xxe"


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding of XML external entities in the values of a web request."""
    return in_request(evidence, ID, "xml")


DETECTOR = Detector(
    id=ID,
    run=run,
    title="XML that reads files",
    families=("xml",),
    cwe=("CWE-611", "CWE-97"),
    asi=("ASI02",),
    marks=frozenset({CallMark.HITS}),
    fires=(
        request(query={"q": "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/hosts'>]><a>&b;</a>"}),
        request(
            query={"q": "<a xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include href='x'/></a>"}
        ),
        request(query={"q": "<!--#exec cmd='id' -->"}),
    ),
    passes=(
        request(query={"q": "<?xml version='1.0'?><note><to>Kim</to></note>"}),
        request(query={"q": "<!-- a comment -->"}),
        request(query={"q": "<!doctype html>"}),
    ),
)
