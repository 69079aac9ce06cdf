"""Script that comes straight back.

Finds:
    A value of the request with script in it that stands unescaped in the response.

Why it matters:
    Here the attack is not tried, it has worked: the page carries the attacker's script.

Example:
    request ?q=<script>x()</script>, response ...<script>x()</script>...

Does not find:
    Values the application changed before it wrote them.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.action import Action, ActionKind, Json
from signoff.assess.detectors.detector import Detector, Evidence, TextSource
from signoff.assess.detectors.matching import excerpt, place_of
from signoff.assess.finding import Finding, Severity

ID = "reflected-xss"
# Shorter values are in any page by chance.
LENGTH_AT_LEAST = 6
# Without one of these a value does not get out of the text it was put into.
SIGNS = ("<", '"', "'", "javascript:")


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield a finding if the response repeats a request value with script in it."""
    output = evidence.texts.get(TextSource.RESULT, "")
    for field in evidence.fields if output else ():
        if not any(hit.startswith("xss.") for hit in field.hits):
            continue
        for form in field.forms:
            has_signs = any(sign in form for sign in SIGNS)
            if len(form) >= LENGTH_AT_LEAST and has_signs and form in output:
                yield Finding(
                    detector=ID,
                    category=f"{ID}.unescaped",
                    severity=Severity.CRITICAL,
                    evidence=f"{place_of(field)} came back unescaped: `{excerpt(form)}`",
                )
                return


def _answer(query: str, output: str) -> Action:
    asked: dict[str, Json] = {"method": "GET", "path": "/", "query": {"q": query}}
    arguments: dict[str, Json] = {"request": asked, "output": output}
    return Action(tool="http", kind=ActionKind.RESULT, arguments=arguments)


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Script that comes straight back",
    lines="unescaped",
    cwe=("CWE-79",),
    asi=("ASI02",),
    fires=(
        _answer("<script>x()</script>", "<p>You asked for <script>x()</script></p>"),
        _answer("%3Cimg src=x onerror=y()%3E", "<p><img src=x onerror=y()></p>"),
        _answer('" onfocus=z() autofocus "', '<input value="" onfocus=z() autofocus "">'),
    ),
    passes=(
        _answer("<script>x()</script>", "<p>&lt;script&gt;x()&lt;/script&gt;</p>"),
        _answer("shoes", "<p>You asked for shoes</p><script src=app.js></script>"),
        _answer("<b>hi</b>", "<p><b>hi</b></p>"),
    ),
)
