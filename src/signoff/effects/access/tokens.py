"""Lets in only requests whose JSON web token the application's own key signed (PyJWT).

    tokens = TokenCheck(public_key_pem, algorithms=("RS256",), audience="shop")
    app.add_middleware(AsgiMiddleware, routes=(RouteRule("/api/*", tokens.guarding(standard())),))

The key and the algorithms are the application's: what a token says of itself (`alg`, `jwk`,
`jku`, `x5u`, `x5c`) chooses nothing but, by `kid`, one of the application's own keys. Weak keys
are refused when the check is built.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

from signoff.actions.action import Action
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.finding import Finding, Severity
from signoff.effects.pipeline import Pipeline
from signoff.errors import BadSettings

ID = "token"
TOKEN_LIMIT = 16 << 10  # characters
SECRET_AT_LEAST = {"HS256": 32, "HS384": 48, "HS512": 64}  # bytes (RFC 7518, 3.2)
RSA_AT_LEAST = 2048  # bits (RFC 7518, 3.3)
SIGNING = frozenset(
    (
        *SECRET_AT_LEAST,
        *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
        *("ES256", "ES384", "ES512", "EdDSA"),
    )
)
Key = str | bytes | Mapping[str, object]


class TokenCheck:
    """Checks the JSON Web Token of each request.

    Args:
        key: a secret, a public key as PEM, or a key set (`{"keys": [...]}`) as a dict.
        algorithms: what tokens may be signed with, of one kind: `HS256` or `RS256` and the like.
        audience, issuer: what `aud` and `iss` must say; "" = anything.
        cookie: the cookie that holds the token; "" = the header `Authorization: Bearer`.
        required: False lets requests without a token in.
        leeway_s: seconds the clocks may differ, 0 to 300.

    Raises:
        BadSettings: the key is weak or none, or the algorithms do not fit it.
    """

    def __init__(  # noqa: PLR0913 - one argument a setting
        self,
        key: Key,
        *,
        algorithms: Sequence[str],
        audience: str = "",
        issuer: str = "",
        cookie: str = "",
        required: bool = True,
        leeway_s: int = 0,
    ) -> None:
        if not 0 <= leeway_s <= 300:
            raise BadSettings(f"leeway_s is {leeway_s}, expected 0 to 300 seconds")
        # `none` is not among them (RFC 8725, 3.2).
        if not algorithms or not SIGNING.issuperset(algorithms):
            raise BadSettings(
                f"algorithms are {list(algorithms)}, expected some of {sorted(SIGNING)}"
            )
        self._algorithms = tuple(algorithms)
        self._keys = _keys_of(key, self._algorithms)
        self._audience, self._issuer = audience, issuer
        self._cookie, self._required, self._leeway_s = cookie, required, leeway_s

    def guarding(self, pipeline: Pipeline) -> Pipeline:
        """Return a copy of the pipeline that first blocks requests without a valid token."""
        return pipeline.behind(self.detector())

    def detector(self) -> Detector:
        """Return the check as a detector."""

        def run(evidence: Evidence) -> Iterator[Finding]:
            problem = self.problem_of(evidence.action)
            if problem:
                yield Finding(
                    detector=ID,
                    category=f"{ID}.{problem}",
                    severity=Severity.CRITICAL,
                    confidence=1.0,
                    evidence=f"the token is {problem}",
                )

        return Detector(id=ID, run=run, title="Requests without a good token", cwe=("CWE-347",))

    def problem_of(self, action: Action) -> str:
        """Return `missing`, `invalid` or `expired`; "" if the token is valid."""
        found = _tokens(action, self._cookie)
        if not found:
            return "missing" if self._required else ""
        # Of two tokens the application might read the other one.
        if len(found) > 1 or len(found[0]) > TOKEN_LIMIT:
            return "invalid"
        try:
            kid = jwt.get_unverified_header(found[0]).get("kid", "")
            # A key set without ids has one key at most under "": no other key is tried in turn.
            key = self._keys.get(kid) or self._keys.get("")
            if key is None:
                return "invalid"
            jwt.decode(
                found[0],
                key=key,
                algorithms=list(self._algorithms),
                audience=self._audience or None,
                issuer=self._issuer or None,
                leeway=self._leeway_s,
                # A token without an end could never be taken back.
                options={"verify_aud": bool(self._audience), "require": ["exp"]},
            )
        except jwt.ExpiredSignatureError:
            return "expired"
        except (jwt.InvalidTokenError, ValueError, TypeError):
            return "invalid"
        return ""


def _keys_of(key: Key, algorithms: Sequence[str]) -> dict[str, Any]:
    """Return the application's keys by their ids; "" for one without an id."""
    is_secret = [one in SECRET_AT_LEAST for one in algorithms]
    # A public key would be a known secret for `HS256` (RFC 8725, 2.1).
    if any(is_secret) and not all(is_secret):
        raise BadSettings("algorithms with a secret and with a public key cannot be mixed")
    keys = {"": _secret(key, algorithms)} if any(is_secret) else _public_keys(key, algorithms)
    for one in keys.values():
        if isinstance(one, RSAPublicKey) and one.key_size < RSA_AT_LEAST:
            raise BadSettings(f"the key has {one.key_size} bits, expected {RSA_AT_LEAST} or more")
    return keys


def _secret(key: Key, algorithms: Sequence[str]) -> bytes:
    if isinstance(key, Mapping):
        raise BadSettings("a key set holds public keys; algorithms with a secret take a text")
    secret = key.encode() if isinstance(key, str) else key
    least = max(SECRET_AT_LEAST[one] for one in algorithms)
    if len(secret) < least:
        raise BadSettings(f"the secret has {len(secret)} bytes, expected {least} or more")
    return secret


def _public_keys(key: Key, algorithms: Sequence[str]) -> dict[str, Any]:
    try:
        if isinstance(key, Mapping):
            found = jwt.PyJWKSet.from_dict(dict(key))
            return {one.key_id or "": one.key for one in found.keys}
        return {"": jwt.get_algorithm_by_name(algorithms[0]).prepare_key(key)}
    except (jwt.PyJWTError, ValueError, TypeError, AttributeError) as error:
        raise BadSettings(f"the key cannot be read: {error}") from error


def _tokens(action: Action, cookie: str) -> list[str]:
    """Return every token a request carries where one is expected."""
    headers = action.arguments.get("headers")
    wanted = "cookie" if cookie else "authorization"
    values: list[str] = []
    for name, value in headers.items() if isinstance(headers, Mapping) else ():
        if str(name).lower() == wanted:
            values += map(str, value) if isinstance(value, (list, tuple)) else [str(value)]
    if not cookie:
        return [one[7:].strip() for one in values if one[:7].lower() == "bearer "]
    pairs = [pair.strip().partition("=") for one in values for pair in one.split(";")]
    return [value for name, _, value in pairs if name == cookie]
