"""Targets that lead away from the site.

Finds:
    Addresses written so that nobody sees where they lead (`//host`, `/\\host`, user parts, odd
    numbers for addresses, script addresses), and addresses of any host but the application's
    own and the allowed ones in parameters whose name says that the browser is sent there.

Why it matters:
    A link that begins with a trusted name and ends elsewhere carries phishing and steals tokens.

Example:
    GET /login?next=//evil.example/login

Does not find:
    A plain foreign address in a parameter of any other name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from signoff.assess.contexts.syntax import Syntax
from signoff.assess.detectors.detector import Detector, Evidence, RequestField
from signoff.assess.detectors.matching import excerpt, in_request, place_of, request
from signoff.assess.finding import Finding, Severity
from signoff.values import replace

ID = "open-redirect"
_LEFT_OUT = dict.fromkeys(map(ord, "\t\r\n"))
_ABSOLUTE = re.compile(r"\s*(?:https?:)?//", re.IGNORECASE)
_END_OF_HOST = re.compile(r"[/?#\\]")
_ODD_DOTS = frozenset("\u3002\uff0e\uff61")  # read as dots of a host name (UTS 46)

NAMES = frozenset(
    {
        *("redirect", "redirecturl", "redirecturi", "redirectto", "redir", "next", "nexturl"),
        *("return", "returnurl", "returnto", "returnuri", "continue", "goto", "dest", "rurl"),
        *("destination", "forward", "checkouturl", "successurl", "fallback", "logouturl"),
    }
)


def open_redirect(allowed: Iterable[str] = ()) -> Detector:
    """Make a detector for an application that sends browsers to `allowed` hosts besides its own.

    Without a list, foreign hosts are asked about, and the callback of an OAuth request is left to
    the authorisation server; with a list, any other host is refused, in a callback as well.
    """
    hosts = frozenset(host.lower() for host in allowed)

    def run(evidence: Evidence) -> Iterator[Finding]:
        hidden = tuple(in_request(evidence, ID, "redirect"))
        return iter(hidden or tuple(_foreign(evidence, hosts)))

    return replace(DETECTOR, run=run)


def run(evidence: Evidence) -> Iterator[Finding]:
    """Find hidden targets anywhere, foreign ones where the browser is sent."""
    hidden = tuple(in_request(evidence, ID, "redirect"))
    return iter(hidden or tuple(_foreign(evidence, frozenset())))


def _foreign(evidence: Evidence, allowed: frozenset[str]) -> Iterator[Finding]:
    own = next((one.raw for one in evidence.fields if one.name == "host"), "")
    # Neither a link nor a form of another site makes a browser send JSON.
    is_json = any(one.name == "content-type" and "json" in one.raw for one in evidence.fields)
    for field in evidence.fields:
        if field.place not in (("query",) if is_json else ("query", "body")):
            continue
        is_target = _is_of_redirects(field.name)
        is_callback = field.syntax == Syntax.CALLBACK
        if is_target and (allowed or not is_callback) and _leads_away(field, own, allowed):
            yield Finding(
                detector=ID,
                category=f"{ID}.foreign",
                severity=_severity(field, own, allowed),
                evidence=f"{place_of(field)} leads to `{excerpt(field.raw)}`",
                field=f"{field.place}.{field.name}",
            )
            return


@lru_cache(maxsize=512)
def _is_of_redirects(name: str) -> bool:
    """Return whether a parameter's name says that the browser is sent there."""
    plain = name.lower().replace("_", "").replace("-", "")
    return plain in NAMES or "redirect" in plain


def _severity(field: RequestField, own: str, allowed: frozenset[str]) -> Severity:
    """Return how sure it is that nobody meant it: a host that looks like the own one is not."""
    own_host = own.lower().partition(":")[0]
    target = field.raw.lower().partition("//")[2]
    host = _END_OF_HOST.split(target, maxsplit=1)[0]
    is_disguised = bool(own_host) and host.startswith(f"{own_host}.")
    is_odd = not _ODD_DOTS.isdisjoint(host)
    return Severity.CRITICAL if allowed or is_disguised or is_odd else Severity.MEDIUM


def _leads_away(field: RequestField, own: str, allowed: frozenset[str]) -> bool:
    # Browsers leave blanks out of a scheme: `ht<tab>tps://` leads where `https://` does.
    address = field.forms[-1].translate(_LEFT_OUT)
    if "redirect.absolute" not in field.hits and not _ABSOLUTE.match(address):
        return False
    target = address.partition("//")[2].lower()
    host = _END_OF_HOST.split(target, maxsplit=1)[0].rpartition("@")[2].partition(":")[0]
    own_host = own.lower().partition(":")[0]
    homes = {*allowed, own_host} - {""}
    # With the dots: `evilbank.example` is no host of `bank.example`.
    return not any(f".{host}".endswith(f".{home}") for home in homes)


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
