"""One-time links: how a person at the terminal gets into the inbox of this machine.

A link carries a code in its fragment, which no server log and no other page gets to see. The code
is sealed with the approver key, good for two minutes and for one use; one made before the daemon
started is refused, so that a restart does not make a used one good again.

    code = make_code(key, Claim(approver="ada", made_by="ada"), now_s=time.time())
    Links(key).take(code)       Claim(...) the first time, None ever after
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

PREFIX = b"signoff-web-link-v1\0"
GOOD_FOR_S = 120.0
CODE_LIMIT = 2_000
USED_LIMIT = 10_000
PATH = "/web/sign-in"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Whom a link signs in, and who made it."""

    approver: str
    made_by: str


def make_code(key: bytes, claim: Claim, *, now_s: float) -> str:
    """Return a new code."""
    said = [claim.approver, claim.made_by, now_s, secrets.token_hex(16)]
    payload = base64.urlsafe_b64encode(json.dumps(said).encode()).rstrip(b"=")
    return f"{payload.decode()}.{_mac(key, payload)}"


def link_of(port: int, code: str) -> str:
    """Return the link of a code."""
    return f"http://127.0.0.1:{port}{PATH}#{code}"


class Links:
    """Takes codes, each of them once."""

    def __init__(self, key: bytes, *, clock: Callable[[], float] = time.time) -> None:
        self._key = key
        self._clock = clock
        self._started = clock()
        self._used: dict[str, float] = {}

    def take(self, code: str) -> Claim | None:
        """Return what a code claims, None if it is not good (any more)."""
        payload, _, mac = code[:CODE_LIMIT].partition(".")
        expected = _mac(self._key, payload.encode("utf-8", "replace"))
        if not hmac.compare_digest(expected.encode(), mac.encode("utf-8", "replace")):
            return None
        read = _read(payload)
        if read is None:
            return None
        claim, made_s, nonce = read
        now_s = self._clock()
        is_good = self._started <= made_s <= now_s < made_s + GOOD_FOR_S
        if not is_good or nonce in self._used or len(self._used) >= USED_LIMIT:
            return None
        self._used = {n: s for n, s in self._used.items() if now_s < s + GOOD_FOR_S}
        self._used[nonce] = made_s
        return claim


def _read(payload: str) -> tuple[Claim, float, str] | None:
    """Return claim, time and number of a payload that carries our seal."""
    try:
        text = base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))
        approver, made_by, made_s, nonce = json.loads(text)
    except (ValueError, binascii.Error, TypeError):
        return None
    return Claim(approver=str(approver), made_by=str(made_by)), float(made_s), str(nonce)


def _mac(key: bytes, payload: bytes) -> str:
    return hmac.new(key, PREFIX + payload, hashlib.sha256).hexdigest()
