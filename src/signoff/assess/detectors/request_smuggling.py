"""Requests that two servers read differently.

Finds:
    Content-Length together with Transfer-Encoding, either one given twice or written oddly, a
    coding behind `chunked`, two hosts, an upgrade to HTTP/2 without TLS, line ends in a header,
    and a second request behind the end of a chunked body.

Why it matters:
    The front server sees one request, the one behind it two: the second was never checked.

Example:
    POST /  with  Content-Length: 6  and  Transfer-Encoding: chunked

Does not find:
    What the server before signoff has already put right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from signoff.actions.action import ActionKind
from signoff.actions.vocabulary import lazy_re
from signoff.assess.detectors.detector import Detector, Evidence, RequestField, TextSource
from signoff.assess.detectors.matching import request
from signoff.assess.finding import Finding, Severity

ID = "request-smuggling"
HEADERS = ("header", "cookie")
ENDS = ("\r", "\n", "\0")
# Symfony, Zend and IIS take the path from these, if a proxy lets them through.
REWRITES = frozenset({"x-original-url", "x-rewrite-url"})
GUARDED = lazy_re(
    r"/+(?:[\w-]+/)?(?:admin|manage|management|actuator|internal|console|private|debug)\b",
    re.IGNORECASE,
)
TELLING = frozenset({"content-length", "transfer-encoding", "host", "upgrade"})
HOST, LENGTH = "host", "content-length"
_USUAL = ([HOST], [LENGTH], [HOST, LENGTH], [LENGTH, HOST])
CHUNK_END = "header.chunk-end"
CODINGS = frozenset({"chunked", "gzip", "deflate", "compress", "identity", "trailers"})


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield findings for contradictory length headers and requests hidden in a body."""
    if evidence.action.kind is not ActionKind.HTTP_REQUEST:
        return
    heads = [one for one in evidence.fields if one.place in HEADERS]
    telling = [one for one in heads if _is_telling(one.name)]
    if not _is_usual(telling):
        yield from _lengths(telling)
        yield from _targets(telling, evidence)
    sent = "".join([one.name + one.raw for one in heads])
    if any([sign in sent for sign in ENDS]):
        yield _finding("line-end", "a header holds a line end or NUL, which adds headers", 0.9)
    found = evidence.hits.get(TextSource.REQUEST, frozenset())
    if CHUNK_END in found and any(
        CHUNK_END in one.hits for one in evidence.fields if one.place == "body"
    ):
        yield _finding("second-request", "a second request is hidden behind this one", 0.9)


@lru_cache(maxsize=1024)
def _is_telling(name: str) -> bool:
    """Return whether a header says where a request ends or leads, or has blanks around its name."""
    return name != name.strip() or name.replace("_", "-") in TELLING or name in REWRITES


def _is_usual(heads: list[RequestField]) -> bool:
    """Return whether the headers that tell these are one host and one number at most, as usual."""
    names = [one.name for one in heads]
    return names in _USUAL and all([one.name == HOST or _is_number(one.raw) for one in heads])


def _lengths(heads: list[RequestField]) -> Iterator[Finding]:
    """Find where two servers read bodies of different lengths."""
    lengths = [one.raw for one in heads if one.name.strip() == "content-length"]
    # CGI and WSGI make one variable of both spellings.
    codings = [
        one.raw for one in heads if one.name.strip().replace("_", "-") == "transfer-encoding"
    ]
    names = [one.name for one in heads if one.place == "header"]
    if lengths and codings:
        # RFC 9112, 6.3: such a message ought to be handled as an error.
        yield _finding(
            "both-lengths", "its length is given in two ways, which hides a second request", 0.9
        )
    elif len(set(lengths)) > 1 or any([not _is_number(value.strip()) for value in lengths]):
        yield _finding("odd-length", "its length is given twice or is no number", 0.9)
    elif any([not _is_plain(value) for value in codings]) or len(codings) > 1:
        yield _finding("odd-coding", "its encoding is given twice or written oddly", 0.9)
    elif any([name != name.strip() and ("length" in name or "encoding" in name) for name in names]):
        yield _finding(
            "odd-name", "a header name has blanks around it, so that a proxy overlooks it", 0.8
        )


def _targets(heads: list[RequestField], evidence: Evidence) -> Iterator[Finding]:
    """Find where the front server checks another host, path or protocol than the one behind it."""
    if len({one.raw for one in heads if one.name == "host"}) > 1:
        # RFC 9112, 3.2: a server must refuse it.
        yield _finding("two-hosts", "it names two hosts, of which a proxy checks one", 0.9)
    if any([one.name == "upgrade" and "h2c" in one.raw.lower() for one in heads]):
        # RFC 9113 took this upgrade away; a proxy that passes it on checks nothing that follows.
        yield _finding(
            "clear-http2", "it asks to go on in HTTP/2, which a proxy does not check", 0.8
        )
    led = [one.raw for one in heads if one.name in REWRITES]
    asked = next((one.raw for one in evidence.fields if one.place == "path"), "") if led else ""
    if any([_is_guarded(path, asked) for path in led]):
        yield _finding(
            "other-path", "a header asks for a guarded path, the address for an open one", 0.8
        )


def _is_guarded(path: str, asked: str) -> bool:
    """Return whether a path leads into an area for few, and the one that was asked for does not."""
    return GUARDED.match(path) is not None and GUARDED.match(asked) is None


def _is_plain(value: str) -> bool:
    """Return whether every coding is known and none follows `chunked` (RFC 9112)."""
    # Blanks only: a vertical tab before `chunked` makes one of two servers miss it.
    parts = [part.strip(" ") for part in value.lower().split(",")]
    return CODINGS.issuperset(parts) and "chunked" not in parts[:-1]


def _is_number(value: str) -> bool:
    # Lax parsers also read `+6`, `1_0` and the digits of other scripts.
    return value.isascii() and value.isdigit()


def _finding(line: str, evidence: str, confidence: float) -> Finding:
    return Finding(
        detector=ID,
        category=f"{ID}.{line}",
        severity=Severity.CRITICAL,
        confidence=confidence,
        evidence=evidence,
    )


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Requests that two servers read differently",
    lines="both-lengths line-end odd-coding odd-length odd-name second-request",
    cwe=("CWE-444",),
    asi=("ASI02",),
    fires=(
        request(headers={"Content-Length": "6", "Transfer-Encoding": "chunked"}),
        request(headers={"Transfer-Encoding": "xchunked"}),
        request(headers={"Transfer-Encoding": "chunked"}, body="0\r\n\r\nGET /admin HTTP/1.1"),
    ),
    passes=(
        request(headers={"Content-Length": "12"}, body="a=1&b=2&c=30"),
        request(headers={"Transfer-Encoding": "gzip, chunked"}, body="5\r\nhello\r\n0\r\n\r\n"),
        request(query={"q": "content-length and transfer-encoding explained"}),
    ),
)
