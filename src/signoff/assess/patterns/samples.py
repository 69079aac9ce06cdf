"""Tells secrets that documents show from real ones: elided keys, sample tokens, documented hosts.

is_sample_key("-----BEGIN PRIVATE KEY-----\\nXXXX\\n-----END PRIVATE KEY-----", 27)  ->  True
"""

from __future__ import annotations

import base64
import binascii
import json

from signoff.actions.vocabulary import lazy_re2
from signoff.assess.patterns.randomness import SAMPLE, is_placeholder, is_uuid

_KEY_LIMIT = 8_000  # characters a private key takes
_BESIDE, _LINE = 200, 60
_OPENING = "-----BEGIN"
_ELIDED = lazy_re2(r"[A-Za-z0-9+/]\.\.\.[A-Za-z0-9+/\\\s]")
_MATERIAL = lazy_re2(r"[A-Za-z0-9+/]{20}")
_VALUE = lazy_re2(r"^[ \t'\"]*[A-Za-z0-9+/]{20,}")
# RFC 2606: nobody can own these.
_DOCUMENTED_HOST = lazy_re2(r"^@(?:[\w-]+\.){0,4}example\.(?:com|org|net)(?:[^\w.-]|$)")
# A place in a list, a lock, a request that is not to be done twice: no right to anything.
_HANDLE = lazy_re2(
    r"(?i)^(?:(?:next|prev|previous|page|pagination|continuation|forward|backward|lock|change|sync"
    r"|scroll|resume|cursor|starting|idempotency)[_-]?){1,3}token\W*$"
)
# Some services hand out rights under these names: it must be the number of a request.
_REQUEST = lazy_re2(r"^(?:(?i:(?:client[_-]?)?request[_-]?token)|[cC]lientToken)\W*$")
_RESOURCE = lazy_re2(r"\barn:[\w-]{1,20}:[\w-]{1,40}:[\w-]{0,30}:\d{0,12}:$")
_IN_BUCKET = lazy_re2(r"(?i)\"bucket(?:_?name)?\"\s*:\s*\"[^\"{}]{0,100}\",\s*\"$")
_SAMPLE_ID = lazy_re2(r"(?i:(?:key|credential)_?-?id)\W{1,8}[A-Z0-9]{4,}EXAMPLE[A-Z0-9]*\b[^{}]*$")
_CLAIMS = frozenset({"value", "payload", "bar", "baz", "foo", "world", "hello", "test", "example"})


def is_sample_key(text: str, start: int) -> bool:
    """Tell the block of a private key without a whole key in it.

    Args:
        start: where its opening line begins.
    """
    begin = text.find("KEY", start, start + _LINE) if text.startswith(_OPENING, start) else -1
    stop = text.find("-----END", begin, begin + _KEY_LIMIT) if begin >= 0 else -1
    body = text[begin:stop]
    if stop < 0 or _OPENING in body:
        return False  # cut off: nobody knows what follows
    return SAMPLE in body or _ELIDED.search(body) is not None or _MATERIAL.search(body) is None


def is_sample_token(token: str) -> bool:
    """Tell a JSON Web Token that claims nothing but words such as `value` or `bar`."""
    parts = token.split(".")
    try:
        claims = json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
    except (IndexError, ValueError, binascii.Error, RecursionError):
        return False
    if not isinstance(claims, dict):
        return False
    return all(str(value).lower() in _CLAIMS for value in claims.values())


def is_stand_in_key(after: str) -> bool:
    """Tell what stands behind `aws_secret_access_key=`: no 40 characters, or a documented key."""
    value = _VALUE.search(after)
    return value is None or is_placeholder(value[0])


def is_documented_host(text: str, at: int) -> bool:
    """Tell `@example.com` and hosts below it, which documents use and nobody owns."""
    return _DOCUMENTED_HOST.search(text[at : at + _BESIDE]) is not None


def is_no_right(text: str, outer: int, name: str, value: str) -> bool:
    """Tell a token or key that opens nothing: of a page, a lock, a file in a bucket, a sample.

    Args:
        outer: where the matched name begins.
        name: what stands before the value, from the begin of the name.
    """
    if _HANDLE.search(name) is not None:
        return True
    if _REQUEST.search(name) is not None:
        return is_uuid(value)
    before = text[max(0, outer - _BESIDE) : outer]
    if _RESOURCE.search(before) is not None or _SAMPLE_ID.search(before) is not None:
        return True
    return name[:4].lower() == 'key"' and _IN_BUCKET.search(before) is not None
