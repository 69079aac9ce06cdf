"""An OpenID provider: where it is, what it gives for a code, and whether a token is one of its own.

Nothing a token says of itself chooses how it is checked: issuer, audience and client come from the
settings, algorithms from a list without symmetric ones, keys from the provider's own address.

    provider = OidcProvider(section, secret="", redirect="http://localhost:4440/web/oidc/callback")
    address = await provider.address(flow)
    claims = await provider.claims(code, flow)
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import msgspec
from msgspec import Struct

from signoff.actions.action import Json
from signoff.challenge.outbound.endpoint import CallFailed, OutboundEndpoint
from signoff.challenge.outbound.http1 import call
from signoff.errors import BadSettings, SignoffError
from signoff.ids import is_same_secret
from signoff.storage.confirmed.sign_in import OidcSection

if TYPE_CHECKING:  # the extra `jwt`
    from jwt import PyJWKSet

CALL_S = 10.0
KNOWN_S = 3_600.0  # keys and addresses are read again afterwards
LEEWAY_S = 60
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA")
REQUIRED = ["iss", "sub", "aud", "exp", "iat", "nonce"]
JSON_TYPE = {"Accept": "application/json"}
FORM_TYPE = {**JSON_TYPE, "Content-Type": "application/x-www-form-urlencoded"}


class OidcRefused(SignoffError):
    """A sign-in through the provider was refused."""


class OidcFlow(Struct, frozen=True, kw_only=True):
    """The secrets of one started sign-in, checked when the browser returns."""

    state: str
    nonce: str
    verifier: str
    begun_s: float


class _Discovery(Struct, frozen=True, kw_only=True):
    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str


class OidcProvider:
    """Talks to one OpenID Connect provider.

    Args:
        secret: of this client, "" for a public one.
        redirect: the exact address the provider sends browsers back to.
    """

    def __init__(self, section: OidcSection, *, secret: str, redirect: str) -> None:
        self._said, self._secret, self._redirect = section, secret, redirect
        self._found: tuple[float, _Discovery] | None = None
        self._keys: tuple[float, PyJWKSet] | None = None

    async def address(self, flow: OidcFlow) -> str:
        """Return the provider's URL to redirect a browser to.

        Raises:
            OidcRefused: the provider cannot be reached or is a different one.
        """
        found, said = await self._discovered(), self._said
        challenge = hashlib.sha256(flow.verifier.encode()).digest()
        query = {
            "response_type": "code",
            "client_id": said.client_id,
            "redirect_uri": self._redirect,
            "scope": " ".join(dict.fromkeys(("openid", *said.scopes))),
            "state": flow.state,
            "nonce": flow.nonce,
            "code_challenge": base64.urlsafe_b64encode(challenge).decode().rstrip("="),
            "code_challenge_method": "S256",
            # A session at the provider that is lying around signs nobody in.
            "prompt": "login",
            "max_age": str(said.fresh_s),
        }
        mark = "&" if "?" in found.authorization_endpoint else "?"
        return f"{found.authorization_endpoint}{mark}{urlencode(query)}"

    async def claims(self, code: str, flow: OidcFlow) -> Mapping[str, Json]:
        """Exchange a code for a token, verify it, and return its claims.

        Raises:
            OidcRefused: the provider gives no token for the code, or the token is not good.
        """
        token = await self._token(code, flow)
        claims = await self._checked(token)
        if not is_same_secret(flow.nonce, str(claims.get("nonce"))):
            raise OidcRefused("the token belongs to another sign-in")
        at = claims.get("auth_time")
        if isinstance(at, bool) or not isinstance(at, int | float):
            raise OidcRefused("the token does not say when its user was asked (`auth_time`)")
        if time.time() - at > self._said.fresh_s + LEEWAY_S:
            raise OidcRefused("the provider asked its user too long ago: sign in there again")
        return claims

    async def _token(self, code: str, flow: OidcFlow) -> str:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._redirect,
            "client_id": self._said.client_id,
            "code_verifier": flow.verifier,
        }
        if self._secret:
            form["client_secret"] = self._secret
        endpoint = (await self._discovered()).token_endpoint
        said = await _asked("POST", endpoint, body=urlencode(form).encode())
        token = said.get("id_token")
        if not isinstance(token, str):
            raise OidcRefused("the provider gave no ID token")
        return token

    async def _checked(self, token: str) -> Mapping[str, Json]:
        """Check signature, issuer, audience and times of a token."""
        import jwt  # noqa: PLC0415 - the extra `jwt`

        try:
            head = jwt.get_unverified_header(token)
            key = await self._key(str(head.get("kid") or ""))
            if head.get("alg") not in ALGORITHMS:
                raise OidcRefused("the token is signed by an algorithm that is not taken")
            claims: dict[str, Any] = await asyncio.to_thread(
                jwt.decode,
                token,
                key,
                algorithms=ALGORITHMS,
                audience=self._said.client_id,
                issuer=self._said.issuer,
                leeway=LEEWAY_S,
                options={"require": REQUIRED},
            )
        except jwt.PyJWTError as error:
            raise OidcRefused(f"the token is not good: {error}") from error
        # One client's token may name several audiences; it must have been made for us.
        audience, party = claims["aud"], claims.get("azp")
        if ((isinstance(audience, list) and len(audience) > 1) or party is not None) and (
            party != self._said.client_id
        ):
            raise OidcRefused("the token was made for another client")
        return claims

    async def _key(self, kid: str) -> Any:  # noqa: ANN401 - a key of PyJWT
        """Return a key of the provider; keys are read again once where one is not known."""
        for is_fresh in (False, True):
            keys = (await self._key_set(is_fresh=is_fresh)).keys
            found = [one for one in keys if one.key_id == kid or (not kid and len(keys) == 1)]
            if found:
                return found[0]
        raise OidcRefused("the token is signed by a key the provider does not publish")

    async def _key_set(self, *, is_fresh: bool) -> PyJWKSet:
        import jwt  # noqa: PLC0415 - the extra `jwt`

        now_s = time.monotonic()
        if is_fresh or self._keys is None or now_s - self._keys[0] > KNOWN_S:
            said = await _asked("GET", (await self._discovered()).jwks_uri)
            self._keys = now_s, jwt.PyJWKSet.from_dict(dict(said))
        return self._keys[1]

    async def _discovered(self) -> _Discovery:
        now_s = time.monotonic()
        if self._found is None or now_s - self._found[0] > KNOWN_S:
            url = f"{self._said.issuer.rstrip('/')}/.well-known/openid-configuration"
            try:
                found = msgspec.convert(await _asked("GET", url), _Discovery)
                OutboundEndpoint.parse(found.authorization_endpoint.partition("?")[0])
            except (msgspec.ValidationError, BadSettings) as error:
                raise OidcRefused(f"the provider describes itself badly: {error}") from error
            # Else one provider could send users to another one's address (mix-up).
            if found.issuer != self._said.issuer:
                raise OidcRefused(f"the provider calls itself `{found.issuer[:200]}`")
            self._found = now_s, found
        return self._found[1]


async def _asked(method: str, url: str, *, body: bytes = b"") -> dict[str, Json]:
    try:
        endpoint = OutboundEndpoint.parse(url)
        async with asyncio.timeout(CALL_S):
            headers = FORM_TYPE if body else JSON_TYPE
            answer = await call(endpoint, method, "", headers=headers, body=body)
        said = json.loads(answer.body) if answer.status == 200 else None
    except (TimeoutError, CallFailed, BadSettings, ValueError, RecursionError) as error:
        raise OidcRefused(f"the provider does not answer: {error}") from error
    if not isinstance(said, dict):
        raise OidcRefused(f"the provider answered with status {answer.status}")
    return said
