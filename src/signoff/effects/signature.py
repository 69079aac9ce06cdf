"""Signatures of webhooks: the receiver can check that one is ours, complete and recent.

The header holds the time and an HMAC-SHA256 over `time.body`, keyed with the secret both sides
know. The time is signed, so that an old message cannot be sent again later.

    signature(secret, body, at=1767225600)       ->  "t=1767225600,v1=5257a869..."
    is_signed(secret, header, body, now=time.time())
"""

from __future__ import annotations

import hashlib
import hmac

HEADER = "Signoff-Signature"
TOLERANCE_S = 300
SECRET_AT_LEAST = 16  # characters
HEADER_LIMIT = 200


def signature(secret: str, body: bytes, *, at: int) -> str:
    """Return the header for a body sent at a time, in seconds since 1970."""
    return f"t={at},v1={_digest(secret, body, str(at))}"


def is_signed(
    secret: str, header: str, body: bytes, *, now: float, tolerance_s: float = TOLERANCE_S
) -> bool:
    """Tell whether a body was signed with the secret, at most `tolerance_s` seconds ago."""
    parts = dict(part.partition("=")[::2] for part in header[:HEADER_LIMIT].split(","))
    at = parts.get("t", "")
    if not (at.isascii() and at.isdigit() and abs(now - int(at)) <= tolerance_s):
        return False
    return hmac.compare_digest(_digest(secret, body, at), parts.get("v1", ""))


def _digest(secret: str, body: bytes, at: str) -> str:
    return hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
