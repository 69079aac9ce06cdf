"""Targets that lead away from the site.

Finds:
    Addresses written so that nobody sees where they lead (`//host`, `/\\host`, user parts, odd
    numbers for addresses, script addresses), and plain foreign addresses in parameters whose
    name says that the browser is sent there.

Why it matters:
    A link that begins with a trusted name and ends elsewhere carries phishing and steals tokens.

Example:
    GET /login?next=//evil.example/login

Does not find:
    A plain foreign address in a parameter of any other name.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.assess.detectors.detector import Detector, Evidence, Field
from signoff.assess.detectors.matching import excerpt, in_request, place_of, request
from signoff.assess.finding import Finding, Severity

ID = "open-redirect"

NAMES = frozenset(
    {
        *("redirect", "redirecturl", "redirecturi", "redirectto", "redir", "next", "nexturl"),
        *("return", "returnurl", "returnto", "returnuri", "continue", "goto", "dest", "rurl"),
        *("destination", "forward", "checkouturl", "successurl", "fallback", "logouturl"),
    }
)


def run(evidence: Evidence) -> Iterator[Finding]:
    """Find hidden targets anywhere, foreign ones where the browser is sent."""
    hidden = tuple(in_request(evidence, ID, "redirect"))
    if hidden:
        return iter(hidden)
    return _foreign(evidence)


def _foreign(evidence: Evidence) -> Iterator[Finding]:
    own = next((one.raw for one in evidence.fields if one.name == "host"), "")
    for field in evidence.fields:
        name = field.name.lower().replace("_", "").replace("-", "")
        if field.place in ("query", "body") and name in NAMES and _leads_away(field, own):
            yield Finding(
                detector=ID,
                category=f"{ID}.foreign",
                severity=Severity.MEDIUM,
                evidence=f"{place_of(field)} leads to `{excerpt(field.raw)}`",
            )
            return


def _leads_away(field: Field, own: str) -> bool:
    if "redirect.absolute" not in field.hits:
        return False
    host = field.forms[-1].partition("//")[2].partition("/")[0].partition("?")[0].lower()
    own_host = own.lower().partition(":")[0]
    return not own_host or not f".{host.partition(':')[0]}".endswith(f".{own_host}")


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Targets that lead away from the site",
    cwe=("CWE-601",),
    asi=("ASI02",),
    fires=(
        request(query={"next": "//evil.example/login"}),
        request(query={"q": "/\\evil.example"}),
        request(query={"return_to": "https://elsewhere.example"}, headers={"Host": "a.example"}),
    ),
    passes=(
        request(query={"next": "/account/settings"}),
        request(query={"link": "https://docs.example.org/guide"}),
        request(query={"next": "https://shop.a.example/x"}, headers={"Host": "a.example"}),
    ),
)
