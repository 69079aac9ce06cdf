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
    application allows: `csrf(allowed=("https://app.example",))`. Nor JSON from a page of the same
    domain, which a browser sends only if the server allows it, nor answers of sign-in services
    (SAML, OpenID Connect `form_post`, WS-Federation, 3-D Secure), which come from another site by
    design, and requests for a token that carry a refresh token or the verifier of a code: forms
    with the members of the protocol and no other, at a path that takes such answers.
    The application checks `state`, `InResponseTo` and the signature. If it does not, another site
    can sign a visitor in to an account of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import parse_qsl, urlsplit

from signoff.actions.action import Action, ActionKind
from signoff.assess.contexts.fields.sign_in_responses import is_sign_in_response, is_token_request
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.matching import excerpt, request
from signoff.assess.finding import Finding, Severity
from signoff.values import replace

ID = "csrf"
CROSS_SITE = "cross-site"
FORM_LIMIT = 1 << 20
# Domains whose subdomains belong to anybody.
_SHARED = frozenset(
    (
        *("github.io", "gitlab.io", "netlify.app", "vercel.app", "pages.dev", "workers.dev"),
        *("web.app", "firebaseapp.com", "herokuapp.com", "onrender.com", "fly.dev", "glitch.me"),
        *("azurewebsites.net", "azurestaticapps.net", "amazonaws.com", "cloudfront.net"),
        *("blogspot.com", "wordpress.com", "myshopify.com", "wixsite.com", "weebly.com"),
        *("appspot.com", "run.app", "ngrok.io", "ngrok.app", "replit.app", "surge.sh"),
        *("trycloudflare.com", "deno.dev", "railway.app", "streamlit.app", "hf.space"),
    )
)
CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})


def csrf(allowed: Iterable[str] = ()) -> Detector:
    """Return a detector of cross-site request forgery.

    Args:
        allowed: `https://app.example` (this scheme, host and port), `app.example` (any scheme and
            port), `*.app.example` (its subdomains).
    """
    origins = frozenset(one.lower().rstrip("/") for one in allowed)
    return replace(DETECTOR, run=lambda evidence: _foreign(evidence, origins))


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield a finding if another site's page makes the browser change something."""
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
    if action.text("method").upper() == "POST" and _is_of_sign_in(action, headers):
        return
    if not is_socket and _is_allowed_by_itself(source, host, headers):
        return
    yield Finding(
        detector=ID,
        category=f"{ID}.foreign-origin",
        severity=Severity.HIGH,
        evidence=f"a change of `{excerpt(host)}` asked for by `{excerpt(source)}`",
    )


def _is_of_sign_in(action: Action, headers: Mapping[str, str]) -> bool:
    """Return whether a browser went here with the answer of a sign-in service, and nothing else."""
    path, _, query = (action.text("path") or action.text("url")).partition("?")
    body = action.arguments.get("body")
    # Scripts and pictures of a page are not how such an answer comes.
    is_visit = headers.get("sec-fetch-mode", "navigate") == "navigate"
    is_form = "urlencoded" in headers.get("content-type", "").lower()
    if query or action.arguments.get("query") or not is_form:
        return False
    if isinstance(body, Mapping):
        pairs = [(str(name), value) for name, value in body.items()]
    elif isinstance(body, str) and len(body) <= FORM_LIMIT:
        pairs = [*parse_qsl(body, keep_blank_values=True)]
    else:
        return False
    form = {name: value for name, value in pairs if isinstance(value, str)}
    # A name given twice has two meanings.
    is_single = len(form) == len(pairs)
    is_answer = is_visit and is_sign_in_response(path, form)
    return is_single and (is_answer or is_token_request(path, form))


def _is_allowed_by_itself(source: str, host: str, headers: Mapping[str, str]) -> bool:
    """Return whether a page of the same domain sends JSON, which the server had to allow first.

    A browser asks before a script sends JSON to another host (Fetch, 4.8), and only a server that
    names the page's origin in its answer gets it. Pages of other domains are found all the same.
    """
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    is_other = headers.get("sec-fetch-site") == CROSS_SITE  # a browser knows all shared domains
    if kind != "application/json" or not source.startswith("https://") or is_other:
        return False
    return _domain(_host(source)) == _domain(host) is not None


def _domain(host: str) -> str | None:
    """Return the domain that two hosts share if they are of one owner, None if it is not sure.

    The last two labels may be those under which anybody registers (`co.id`): then three.
    """
    labels = host.split(".")
    if labels[-1].isdecimal() or ":" in host:
        return None
    is_shared = len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) <= 3
    size = 3 if is_shared or ".".join(labels[-2:]) in _SHARED else 2
    return ".".join(labels[-size:]) if len(labels) >= size else None


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


def _answer(path: str, body: str) -> Action:
    headers = _post("app.example", Origin="https://idp.example")
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    return request(path, method="POST", headers={**headers, **form}, body=body)


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Changes asked for by another site",
    lines="foreign-origin",
    cwe=("CWE-352",),
    asi=("ASI03",),
    fires=(
        request(method="POST", headers=_post("bank.example", Origin="https://evil.example")),
        request(method="DELETE", headers=_post("bank.example", Origin="null")),
        request(
            method="PUT", headers=_post("bank.example", Referer="https://bank.example.evil.io/")
        ),
        request(headers=_post("a.example", Origin="https://evil.example", Upgrade="websocket")),
        _answer("/account/delete", "code=x&state=y"),
        _answer("/signin-oidc", "code=x&state=y&amount=900"),
    ),
    passes=(
        request(method="POST", headers=_post("bank.example", Origin="https://bank.example")),
        request(method="GET", headers=_post("bank.example", Origin="https://evil.example")),
        request(headers=_post("a.example", Origin="https://a.example", Upgrade="websocket")),
        request(method="POST", headers={"Host": "api.example", "Origin": "https://app.example"}),
        _answer("/signin-oidc", "code=x&state=y&session_state=z"),
    ),
)
