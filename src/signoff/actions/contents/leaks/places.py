"""Where code sends something: literal addresses of other machines, and what they are for.

counts_only("https://stats.shop.example/hit")     True: a place for figures, not for logins
is_drop("https://paste.example/api")              True: anybody reads what is left there
is_drop("https://chat.example/api/webhooks/1/x")  True: all of a channel read it
gives_files("https://fonts.example/a.woff2")      True: it has no use for what is sent
is_for_logins("https://id.shop.example/token")    True
is_own("https://api.shop.example/", "/home/ann/shop/app.py")     True: the project's name
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

import re2

from signoff.actions.known.hosts import HostClass, address_of, class_of_host, normal_host
from signoff.actions.urls import look_at_url
from signoff.actions.vocabulary import lazy_re, lazy_re2

MOST = 40
ADDRESS = lazy_re2(
    r"(?i)\b(?:https?|wss?|ftp|tcp)://(?:[^\s\"'`/@]*@)?([\w.-]+\.[\w-]+)(?::\d+)?([^\s\"'`]*)"
)
_HOLDS_ADDRESS = lazy_re2(
    r"\b([A-Za-z_]\w{2,40})\s*(?::\s*[\w&' ]{1,30})?\s*(?::=|=>|=)\s*"
    r"(?:URI\.create\(|new\s+Uri\(|\w*\()?\s*"
    r"[\"'`]((?:https?|wss?)://[^\"'`\n]{4,200})[\"'`]"
)
_NOT_SENT_TO = lazy_re2(r"(?i)w3\.org|schemas?\.|xmlns|json-schema|pwnedpasswords|\.dtd|\.xsd")
_FOR_LOGINS = lazy_re2(
    r"(?i)oauth|token|revoke|introspect|log-?(?:in|out|on)|sign-?(?:in|up)|\bauth|callback|register"
    r"|account|users?\b|passw|session|verify|payments?|charges?|\bpay\.|checkout|customers?\b|identity|idp\.|sso"
)
# Labels of a host, and parts of a path, of what counts, measures and watches.
_COUNTS = (
    r"stats?|statisti\w*|statystyk\w*|estatistic\w*|estadistic\w*|istatistik\w*|thong-?ke|metri[ckx]\w*|telemetr\w*"
    r"|analy[tsz]\w*|analiz\w*|analit\w*|track\w*|collect\w*|beacon\w*|pixel\w*|maaling\w*|sporing\w*|metingen"
    r"|messwert\w*|mereni|licznik\w*|pomiar\w*|olcum\w*|mittau\w*|matning\w*|maling\w*|meting\w*"
    r"|cijfers|meritev|meritve|mesure\w*|medicion\w*|medicao|contador"
)
_COUNTING_HOST = lazy_re2(
    rf"(?i)(?:^|[.-])(?:{_COUNTS}|ingest\w*|insights?|apm|rum|hits?|monitor\w*|diag\w*|crash\w*|uptime|probe)(?:[.-]|$)"
)
_COUNTING_PATH = lazy_re2(rf"(?i)/(?:{_COUNTS}|beacon|hit|ping)(?:[/?.\"'`]|$)")
_DROP = lazy_re2(
    r"(?i)(?:^|[.-])(?:\w*paste\w*|(?:post|request|hook|haste|json|data|file|http|drop|up)bin\w?"
    r"|(?:file)?drops?)(?:[.-]|$)"
)
# Message hooks of chats, by the form of their addresses.
_MESSAGE_HOOK = lazy_re2(
    r"(?i)//hooks?\.(?:slack|chat)\b|/api/webhooks/\d+/|(?-i:/services/T[A-Z0-9]*/B[A-Z0-9]*/\w)"
    r"|(?-i:/hooks/[a-z0-9]{24,}\b)|/webhookb2/|/bot[^/\s]{1,80}/send(?:Message|Document|Photo)\b"
    r"|/chat\.postMessage\b|/robot/send\?|/open-apis/bot/|/_matrix/client/[\w/!.:%-]*/send/"
    r"|//(?:discord(?:app)?|mattermost|rocketchat|chat)\.[\w.-]+/(?:hooks|webhooks|api/webhooks)/"
    r"|/cgi-bin/webhook/send"
)
_FILES_HOST = lazy_re2(
    r"(?i)(?:^|[.-])(?:fonts?|px|pix|pixels?|imgs?|images?|icons?|favicons?|gifs?)\d?(?:[.-]|$)"
)
_FILES_PATH = lazy_re2(r"(?i)\.(?:gif|png|jpe?g|webp|svg|ico|woff2?|ttf|css)(?:[?#\"'`]|$)")
# An address in parts: the host, and a path where one stands behind it.
_IN_PARTS = lazy_re2(
    r"(?i)(?:\bUri\.https?\(\s*|\bHTTPS?Connection\(\s*(?:host\s*=\s*)?|\bURI::HTTPS?\.build\(\s*host:\s*"
    r"|\bNet::HTTP\.(?:new|start)\(\s*|\bhttplib::(?:SSL)?Client\s+\w+\s*[({]\s*"
    r"|\bnew\s+(?:URI|URL|UriBuilder|HttpHost)\(\s*(?:\"https?\"\s*,\s*)"
    r"|\b(?:HttpUrl\.Builder|URIBuilder|UrlBuilder)\(\)[^;]{0,80}\.(?:set)?host\(\s*"
    r"|\bHost\s*=\s*|%URI\{[^}\n]{0,60}?\bhost:\s*|\burl\.URL\{[^}]{0,80}?\bHost:\s*"
    r"|\bhttps?\.(?:request|get)\(\s*\{[^}]{0,80}?\bhost(?:name)?:\s*|\.host\s*=\s*"
    r"|\bfsockopen\(\s*|\bhttp\.client\.HTTPS?Connection\(\s*)"
    r"[\"'](?:(?:ssl|tls)://)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?::\d+)?[\"']"
    r"(?:\s*,\s*(?:path:\s*)?[\"'](/[^\"'\n]{0,200})[\"'])?"
)
_NAME = lazy_re(r"[A-Za-z_]\w*", re.ASCII)
_NO_CALLS = ("//", "/*", "#", "*", "--", "import")


def held_addresses(text: str) -> dict[str, str]:
    """Return the names that hold an address of another machine."""
    found = islice(_HOLDS_ADDRESS.finditer(text), MOST)
    return {m.group(1): m.group(2) for m in found if is_outside(m.group(2))}


def is_outside(address: str) -> bool:
    """Return whether an address is one of another network, and no name of a schema."""
    match = ADDRESS.search(address)
    if match is None or _NOT_SENT_TO.search(address) is not None:
        return False
    return class_of_host(str(match.group(1))) is HostClass.PUBLIC


def addresses_in(text: str, held: dict[str, str]) -> Iterator[tuple[int, str]]:
    """Yield where addresses of other machines stand in code, and which they are."""
    for match in islice(ADDRESS.finditer(text), MOST):
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()].lstrip()
        if is_outside(str(match.group())) and not line.startswith(_NO_CALLS):
            yield match.start(), str(match.group())
    for match in islice(_IN_PARTS.finditer(text), MOST):
        address = f"https://{match.group(1)}{match.group(2) or '/'}"
        if is_outside(address):
            yield match.start(), address
    names = sorted(set(_NAME.findall(text)) & held.keys()) if held else []
    if names:
        any_of = "|".join(re2.escape(name) for name in names)
        for match in islice(re2.finditer(rf"\b(?:{any_of})\b", text), MOST):
            yield match.start(), held[str(match.group())]


def is_named(text: str) -> bool:
    """Return whether a text names an address of a machine, as a whole or in parts."""
    return ADDRESS.search(text) is not None or _IN_PARTS.search(text) is not None


def is_for_logins(address: str) -> bool:
    """Return whether an address takes logins, accounts or payments, by its words."""
    return _FOR_LOGINS.search(address) is not None


def counts_only(address: str) -> bool:
    """Return whether an address is for figures and events, by its words."""
    host, path = _host_and_path(address)
    if ".gov" in host or host.startswith("api.stat."):
        return False
    return _COUNTING_HOST.search(host) is not None or _COUNTING_PATH.search(path) is not None


def gives_files(address: str) -> bool:
    """Return whether an address only hands out images, fonts or styles, by its words."""
    host, path = _host_and_path(address)
    return _FILES_HOST.search(host) is not None or _FILES_PATH.search(path) is not None


def is_drop(address: str) -> bool:
    """Return whether anybody may read what is left there, or nobody knows whose machine it is."""
    host, _ = _host_and_path(address)
    if _MESSAGE_HOOK.search(address) is not None:
        return True
    if look_at_url(address).is_covert or address_of(normal_host(host)) is not None:
        return True
    return _DROP.search(host) is not None


def is_bare(address: str) -> bool:
    """Return whether an address has no name; a program may have its login there."""
    return address_of(normal_host(_host_and_path(address)[0])) is not None


def is_own(address: str, path: str) -> bool:
    """Return whether the project's folders have the name of the host."""
    labels = _host_and_path(address)[0].lower().split(".")
    return len(labels) > 1 and len(labels[-2]) > 3 and labels[-2] in path.lower()


def _host_and_path(address: str) -> tuple[str, str]:
    match = ADDRESS.search(address)
    return (str(match.group(1)), str(match.group(2))) if match is not None else ("", "")
