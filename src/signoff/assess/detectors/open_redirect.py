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
    A plain foreign address in a parameter of any other name, in JSON, or at a page that is there to
    lead away (`/out?to=`). One that passes for the application's host is found there, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum
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
        # The same in other languages.
        *("weiter", "weiterleitung", "zurueck", "retour", "suivant", "volver", "siguiente"),
        *("redireccion", "redirigir", "destino", "voltar", "proximo", "ritorno", "terug"),
        *("tillbaka", "tilbake", "powrot", "przekieruj", "navrat", "zpet", "vissza", "inapoi"),
        *("yonlendir", "kembali", "nazad", "vozvrat"),
    }
)
# Pages whose purpose is to lead away, and how they name the target. A plain foreign one is meant.
_EXITS = frozenset(
    ("out", "away", "go", "goto", "leave", "exit", "redirect", "redir", "outgoing", "external")
)
# Where another host is usual: an application behind a sign-in service, a receiver of webhooks.
_OFTEN_FOREIGN = frozenset({"relaystate", "callbackurl"})
_NAMES_AT_EXITS = frozenset({"to", "url", "u", "target", "link", "href", "site", "page", "uri"})
_TAILS = re.compile(r"[?#]")
_BLANK = frozenset("\t\r\n")
_BROKEN_SCHEME = re.compile(r"h[\t\r\n]*t[\t\r\n]*t[\t\r\n]*p[\t\r\n]*s?[\t\r\n]*:", re.IGNORECASE)


def open_redirect(allowed: Iterable[str] = ()) -> Detector:
    """Return a detector of open redirects to hosts other than the application's own.

    Without a list, foreign hosts are asked about, and an OAuth callback is left to the
    authorisation server; with a list, any other host is refused, in a callback as well.

    Args:
        allowed: further hosts that browsers may be sent to.
    """
    hosts = frozenset(host.lower() for host in allowed)

    def run(evidence: Evidence) -> Iterator[Finding]:
        hidden = tuple(in_request(evidence, ID, "redirect"))
        return iter(hidden or tuple(_foreign(evidence, hosts)))

    return replace(DETECTOR, run=run)


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield findings for hidden redirect targets, and for foreign ones in redirect fields."""
    hidden = tuple(in_request(evidence, ID, "redirect"))
    return iter(hidden or tuple(_foreign(evidence, frozenset())))


def _foreign(evidence: Evidence, allowed: frozenset[str]) -> Iterator[Finding]:
    targets = [
        (one, purpose)
        for one in evidence.fields
        if one.place in ("query", "body") and (purpose := _purpose(one.name)) is not None
    ]
    if not targets:
        return
    is_exit = any([one.place == "path" and _is_exit(one.raw) for one in evidence.fields])
    targets = [one for one in targets if is_exit or one[1] is not _Purpose.EXIT]
    if not targets:
        return
    own = next((one.raw for one in evidence.fields if one.name == "host"), "")
    # Neither a link nor a form of another site makes a browser send JSON.
    is_json = any([one.name == "content-type" and "json" in one.raw for one in evidence.fields])
    for field, purpose in targets:
        is_named = purpose is _Purpose.REDIRECT
        is_left_out = not allowed and field.syntax == Syntax.CALLBACK
        if is_left_out or not _leads_away(field, own, allowed):
            continue
        severity = _severity(field, own, allowed)
        is_meant = not is_named or (is_json and field.place == "body")
        if is_meant and not _is_disguised(field, own):
            continue
        yield Finding(
            detector=ID,
            category=f"{ID}.foreign",
            severity=severity,
            evidence=f"{place_of(field)} leads to `{excerpt(field.raw)}`",
            field=f"{field.place}.{field.name}",
        )
        return


def _is_exit(path: str) -> bool:
    """Return whether a page is there to lead to other sites."""
    return path.rstrip("/").rpartition("/")[2].lower().partition(".")[0] in _EXITS


class _Purpose(Enum):
    """What a parameter is for, by its name."""

    REDIRECT = 1  # the browser is sent there
    OFTEN_FOREIGN = 2  # it leads somewhere, and often to another host
    EXIT = 3  # the same, on a page that is there to lead away


@lru_cache(maxsize=1024)
def _purpose(name: str) -> _Purpose | None:
    """Return what a parameter is for, None if it leads nowhere."""
    plain = name.lower().replace("_", "")
    bare = plain.replace("-", "")
    if bare in NAMES or "redirect" in bare:
        return _Purpose.REDIRECT
    if plain in _OFTEN_FOREIGN:
        return _Purpose.OFTEN_FOREIGN
    return _Purpose.EXIT if plain in _NAMES_AT_EXITS else None


def _severity(field: RequestField, own: str, allowed: frozenset[str]) -> Severity:
    """Return how sure it is that nobody meant it."""
    return Severity.CRITICAL if allowed or _is_disguised(field, own) else Severity.MEDIUM


def _is_disguised(field: RequestField, own: str) -> bool:
    """Return whether an address is written so that it passes for one of the application.

    Its host has the application's name in it and ends elsewhere (`app.example.evil.example`,
    `app-example.evil.example`), its query is that name alone, which a test for "contains our
    host" accepts, it has signs that browsers read as dots, or its scheme has a line end in it.
    """
    if any(map(_is_odd, (field.raw, field.forms[-1]))):
        return True
    own_host = own.lower().partition(":")[0]
    return "." in own_host and any(_has_name(form.lower(), own_host) for form in field.forms)


def _has_name(address: str, own_host: str) -> bool:
    """Return whether an address has a host's name in its own host, or as its whole query."""
    target = address.translate(_LEFT_OUT).partition("//")[2]
    host = _END_OF_HOST.split(target, maxsplit=1)[0]
    dashed = own_host.replace(".", "-")
    names = [dashed]
    if own_host.count(".") > 1:
        # `mail-shop.top` for `mail.shop.example`: the dash stands where the dot was.
        names.append("-".join(own_host.split(".", 2)[:2]))
    leads = tuple(f"{name}{sign}" for name in names for sign in ".-")
    is_in_host = f".{own_host}." in f".{host}" or host.startswith(leads)
    return is_in_host or own_host in _TAILS.split(target[len(host) :])[1:]


def _is_odd(address: str) -> bool:
    """Return whether an address has an odd dot in its host, or a line end in its scheme."""
    scheme = _BROKEN_SCHEME.match(address)
    if scheme is not None and not _BLANK.isdisjoint(scheme[0]):
        return True
    host = _END_OF_HOST.split(address.partition("//")[2], maxsplit=1)[0]
    return not _ODD_DOTS.isdisjoint(host)


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
    lines="foreign",
    families=("redirect",),
    cwe=("CWE-601",),
    asi=("ASI02",),
    fires=(
        request(query={"next": "//evil.example/login"}),
        request(query={"q": "/\\evil.example"}),
        request(query={"return_to": "https://elsewhere.example"}, headers={"Host": "a.example"}),
        request("/out", query={"to": "https://b.io/?a.example"}, headers={"Host": "a.example"}),
    ),
    passes=(
        request(query={"next": "/account/settings"}),
        request(query={"link": "https://docs.example.org/guide"}),
        request(query={"next": "https://shop.a.example/x"}, headers={"Host": "a.example"}),
        request("/out", query={"to": "https://b.io/news?id=4"}, headers={"Host": "a.example"}),
    ),
)
