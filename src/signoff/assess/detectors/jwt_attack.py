"""Tokens that sign themselves.

Finds:
    JSON web tokens without a signature (`alg` none in any case), with a key or a key address inside
    them (`jwk`, `jku`, `x5u`), or with a key id that is a path, an address or SQL.

Why it matters:
    A server that believes the token's own header accepts anything its maker wrote into it.

Example:
    Authorization: Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.

Does not find:
    Tokens signed with a stolen or guessed key.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator

from signoff.actions.action import ActionKind
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.matching import place_of, request
from signoff.assess.finding import Finding, Severity

ID = "jwt-attack"
TOKEN_LIMIT = 8192
OWN_KEYS = ("jku", "x5u", "jwk")
ODD_IN_KEY_ID = ("..", "/", "\\", "'", '"', "|", ";", "`", "$(", " union ", "://", "\0")


def run(evidence: Evidence) -> Iterator[Finding]:
    """Find tokens that ask to be believed."""
    if evidence.action.kind is not ActionKind.HTTP_REQUEST:
        return
    for field in evidence.fields:
        at = field.raw.find("eyJ")
        if at < 0:
            continue
        line = _problem(field.raw[at : at + TOKEN_LIMIT])
        if line:
            yield Finding(
                detector=ID,
                category=f"{ID}.{line}",
                severity=Severity.CRITICAL,
                evidence=f"{place_of(field)}: a token with {line.replace('-', ' ')}",
            )
            return


def _problem(token: str) -> str:
    head, dot, rest = token.partition(".")
    if not dot or "." not in rest:
        return ""
    try:
        header = json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))
    except (ValueError, binascii.Error, RecursionError):
        return ""
    if not isinstance(header, dict):
        return ""
    if str(header.get("alg", "")).lower() in ("none", ""):
        return "no-signature"
    if any(name in header for name in OWN_KEYS):
        return "a-key-of-its-own"
    key_id = str(header.get("kid", "")).lower()
    return "an-odd-key-id" if any(sign in key_id for sign in ODD_IN_KEY_ID) else ""


def _token(header: str) -> str:
    head = base64.urlsafe_b64encode(header.encode()).decode().rstrip("=")
    return f"Bearer {head}.eyJzdWIiOiJraW0ifQ.c2lnbmF0dXJl"


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Tokens that sign themselves",
    cwe=("CWE-347",),
    asi=("ASI03",),
    fires=(
        request(headers={"Authorization": _token('{"alg": "None"}')}),
        request(headers={"Authorization": _token('{"alg": "RS256", "jku": "https://h.example"}')}),
        request(headers={"Authorization": _token('{"alg": "HS256", "kid": "../../dev/null"}')}),
    ),
    passes=(
        request(headers={"Authorization": _token('{"alg": "RS256", "kid": "key-7"}')}),
        request(headers={"Authorization": "Bearer opaque-token"}),
        request(query={"q": "eyJust a word. And. Another"}),
    ),
)
