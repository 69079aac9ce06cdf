"""Changes asked for by another site.

Finds:
    A request that changes something (POST, PUT, PATCH, DELETE) or opens a WebSocket, carries a
    cookie, and says in Origin, Referer or Sec-Fetch-Site that another site's page sent it.

Why it matters:
    The browser adds the user's cookies: any page the user visits can act in their name.

Example:
    POST /transfer  with  Host: bank.example  and  Origin: https://evil.example

Does not find:
    Requests without these headers, applications that change things on GET, and origins the
    application allows: `csrf(allowed=("https://app.example",))`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from signoff.actions.action import ActionKind
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.matching import excerpt, request
from signoff.assess.finding import Finding, Severity
from signoff.values import replace

ID = "csrf"
CROSS_SITE = "cross-site"
CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})


def csrf(allowed: Iterable[str] = ()) -> Detector:
    """Make a detector for an application that pages of other sites may use.

    Args:
        allowed: `https://app.example` (this scheme, host and port), `app.example` (any scheme and
            port), `*.app.example` (its subdomains).
    """
    origins = frozenset(one.lower().rstrip("/") for one in allowed)
    return replace(DETECTOR, run=lambda evidence: _foreign(evidence, origins))


def run(evidence: Evidence) -> Iterator[Finding]:
    """Find changes that another site's page asks for."""
    return _foreign(evidence, frozenset())


def _foreign(evidence: Evidence, allowed: frozenset[str]) -> Iterator[Finding]:
    action = evidence.action
    if action.kind is not ActionKind.HTTP_REQUEST:
        return
    # A Referer gives its address first, then its query under the same name: the first one stays.
    headers = {one.name: one.raw for one in reversed(evidence.fields) if one.place == "header"}
    # The handshake is a GET that browsers send across sites, cookies and all (RFC 6455, 10.2).
    is_socket = headers.get("upgrade", "").lower() == "websocket"
    if action.text("method").upper() not in CHANGING and not is_socket:
        return
    has_cookie = any(one.place == "cookie" for one in evidence.fields)
    site = headers.get("sec-fetch-site", "")
    source = headers.get("origin") or headers.get("referer", "")
    host = _without_port(headers.get("host", "").lower())
    # Without a cookie the other site's page gains nothing from the user's browser.
    if not host or not has_cookie or not (source or site == CROSS_SITE):
        return
    source = source or site
    # `null` is what sandboxed frames and local files send: never the site itself.
    if source not in ("null", CROSS_SITE) and (
        _host(source) == host or _is_allowed(source, allowed)
    ):
        return
    yield Finding(
        detector=ID,
        category=f"{ID}.foreign-origin",
        severity=Severity.HIGH,
        evidence=f"a change of `{excerpt(host)}` asked for by `{excerpt(source)}`",
    )


def _is_allowed(source: str, allowed: frozenset[str]) -> bool:
    if not allowed:
        return False
    try:
        parts = urlsplit(source.lower())
        host = parts.hostname or ""
    except ValueError:
        return False
    if f"{parts.scheme}://{parts.netloc}" in allowed or host in allowed:
        return True
    return any(one.startswith("*.") and host.endswith(one[1:]) for one in allowed)


def _host(address: str) -> str:
    try:
        return _without_port(urlsplit(address).netloc.lower().rpartition("@")[2])
    except ValueError:
        return ""


def _without_port(host: str) -> str:
    """Return a host without the port its scheme has anyway."""
    return host.removesuffix(":443").removesuffix(":80")


def _post(host: str, **headers: str) -> dict[str, str]:
    return {"Host": host, "Cookie": "session=1", **headers}


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Changes asked for by another site",
    cwe=("CWE-352",),
    asi=("ASI03",),
    fires=(
        request(method="POST", headers=_post("bank.example", Origin="https://evil.example")),
        request(method="DELETE", headers=_post("bank.example", Origin="null")),
        request(
            method="PUT", headers=_post("bank.example", Referer="https://bank.example.evil.io/")
        ),
        request(headers=_post("a.example", Origin="https://evil.example", Upgrade="websocket")),
    ),
    passes=(
        request(method="POST", headers=_post("bank.example", Origin="https://bank.example")),
        request(method="GET", headers=_post("bank.example", Origin="https://evil.example")),
        request(headers=_post("a.example", Origin="https://a.example", Upgrade="websocket")),
        request(method="POST", headers={"Host": "api.example", "Origin": "https://app.example"}),
    ),
)
