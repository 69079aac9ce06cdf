"""Tokens that sign themselves.

Finds:
    JSON web tokens without a signature (`alg` none in any case, nothing or zeros at the end),
    with a key or a key address inside them (`jwk`, `jku`, `x5u`, `x5c`), with a key id that is a
    path, a command or SQL, or signed with a secret that is in every tutorial.

Why it matters:
    A server that believes the token's own header accepts anything its maker wrote into it.

Example:
    Authorization: Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.

Does not find:
    Tokens signed with a stolen key; a key in a DPoP proof, where it belongs (RFC 9449).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
from collections.abc import Iterator

from signoff.actions.action import ActionKind
from signoff.actions.vocabulary import lazy_re, lazy_re2
from signoff.assess.detectors.detector import Detector, Evidence, RequestField
from signoff.assess.detectors.matching import place_of, request
from signoff.assess.finding import Finding, Severity

ID = "jwt-attack"
VALUE_LIMIT = 16 << 10
TOKEN_LIMIT = 8  # tokens in one value
OWN_KEYS = ("jku", "x5u", "jwk")
CHAIN = "x5c"  # certificates; signed receipts in bodies carry them, tokens of a login do not
# A JSON object in Base64: `{"`, `{` and a blank, or a blank before it.
TOKEN = lazy_re(
    r"\b((?:e[wy]|IHs|Cns|CiA|DQo|CXs)[\w-]{6,4000}={0,2})\.([\w-]{0,8000}={0,2})\.([\w-]{0,2000})"
)
# What costs little to look for: the first part. Most sentences hold none.
BEGINNING = lazy_re2(r"\b(?:e[wy]|IHs|Cns|CiA|DQo|CXs)[\w-]{6}[\w-]*={0,2}\.")
# Issuers name their keys by https addresses; any other scheme leads a server elsewhere.
ODD_KEY_ID = lazy_re(
    r"\.\.|^/|\\|['\"|;`\x00\n]|\$\(|\bunion\b|^(?!https://)[a-z][a-z0-9+.-]*://", re.IGNORECASE
)
ODD_ALGORITHMS = frozenset({"none", "", "null", "undefined"})
HASHES = {"HS256": "sha256", "HS384": "sha384", "HS512": "sha512"}
# Secrets of tutorials and examples: whoever reads them can sign.
WELL_KNOWN = "a-well-known-secret"
SECRETS = (
    *("secret", "password", "changeme", "key", "jwt", "admin", "test", "123456", "private"),
    *("your-256-bit-secret", "your_jwt_secret", "jwt_secret", "secretkey", "secret_key"),
)


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield a finding for the first forged JSON Web Token, such as an unsigned one."""
    if evidence.action.kind is not ActionKind.HTTP_REQUEST:
        return
    # The few that may hold one: most values have no two full stops.
    likely = [one for one in evidence.fields if one.forms[-1].count(".") > 1]
    if not likely or BEGINNING.search("\n".join([one.forms[-1] for one in likely])) is None:
        return
    for field in likely:
        text = field.forms[-1][:VALUE_LIMIT]
        if BEGINNING.search(text) is None:
            continue
        for head, claims, signature in TOKEN.findall(text)[:TOKEN_LIMIT]:
            line = _problem(head, claims, signature, field)
            if line:
                yield Finding(
                    detector=ID,
                    category=f"{ID}.{line}",
                    severity=Severity.MEDIUM if line == WELL_KNOWN else Severity.CRITICAL,
                    evidence=f"{place_of(field)}: a token with {line.replace('-', ' ')}",
                )
                return


def _problem(head: str, claims: str, signature: str, field: RequestField) -> str:
    header = _object(head)
    if header is None or not {"alg", "typ", "kid", *OWN_KEYS} & header.keys():
        return ""
    given = header.get("alg", "")
    # RFC 7515: a name. Some libraries look into a list or an object, others do not.
    algorithm = given.strip() if isinstance(given, str) else ""
    if algorithm.lower() in ODD_ALGORITHMS or not signature or _is_zero(signature):
        return "no-signature"
    if CHAIN in header and field.place in ("header", "cookie"):
        return "a-key-of-its-own"
    if field.name != "dpop" and any(name in header for name in OWN_KEYS):
        return "a-key-of-its-own"
    if ODD_KEY_ID.search(str(header.get("kid", ""))):
        return "an-odd-key-id"
    return WELL_KNOWN if _is_well_known(algorithm, f"{head}.{claims}", signature) else ""


def _object(head: str) -> dict[str, object] | None:
    try:
        header = json.loads(_decoded(head))
    except (ValueError, binascii.Error, RecursionError):
        return None
    return header if isinstance(header, dict) else None


def _decoded(part: str) -> bytes:
    """Decode URL-safe Base64 with or without padding."""
    plain = part.rstrip("=")
    return base64.urlsafe_b64decode(plain + "=" * (-len(plain) % 4))


def _is_zero(signature: str) -> bool:
    """Return whether both numbers of an elliptic signature are 0, which some libraries accept."""
    try:
        raw = _decoded(signature)
    except (ValueError, binascii.Error):
        return False
    # CVE-2022-21449: Java took this for a good signature; in DER, or as two plain numbers.
    return raw == b"\x30\x06\x02\x01\x00\x02\x01\x00" or (len(raw) >= 64 and not any(raw))


def _is_well_known(algorithm: str, signed: str, signature: str) -> bool:
    """Return whether a secret of tutorials signed the token."""
    name = HASHES.get(algorithm)
    if name is None:
        return False
    for secret in SECRETS:
        made = hmac.new(secret.encode(), signed.encode(), getattr(hashlib, name)).digest()
        if base64.urlsafe_b64encode(made).decode().rstrip("=") == signature:
            return True
    return False


def _token(header: str) -> str:
    head = base64.urlsafe_b64encode(header.encode()).decode().rstrip("=")
    return f"Bearer {head}.eyJzdWIiOiJraW0ifQ.c2lnbmF0dXJl"


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Tokens that sign themselves",
    lines="a-key-of-its-own a-well-known-secret an-odd-key-id no-signature",
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
