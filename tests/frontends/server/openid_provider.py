"""A small OpenID provider on loopback: signs people in without asking, and can misbehave."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey as Key

CLIENT = "signoff-inbox"
Claims = dict[str, Any]


class Provider:
    """Who signs in next, and how the answers are changed.

    Attributes:
        claims: of the person who signs in.
        change: changes the claims of a token, its algorithm, key and key id before it is signed.
        asked: the queries of browsers that came to sign in.
        redirects: the exact addresses browsers may be sent back to.
    """

    def __init__(self, address: str) -> None:
        self.issuer = address
        self.claims: Claims = {"sub": "u-1", "name": "Ada", "groups": ["payments"]}
        self.key, self.other = generate_private_key(SECP256R1()), generate_private_key(SECP256R1())
        self.change: Callable[[Claims, dict[str, Any]], None] = lambda _, __: None
        self.asked: list[dict[str, str]] = []
        self.redirects: set[str] = set()
        self.told_issuer = address
        self._codes: dict[str, dict[str, str]] = {}

    def authorize(self, query: dict[str, str]) -> str:
        """Return where the browser goes back to, with a code."""
        assert query["redirect_uri"] in self.redirects, "the provider knows exact addresses only"
        assert ("code", CLIENT) == (query["response_type"], query["client_id"])
        self.asked.append(query)
        code = f"code-{len(self.asked)}"
        self._codes[code] = query
        given = urlencode({"code": code, "state": query["state"], "iss": self.issuer})
        return f"{query['redirect_uri']}?{given}"

    def token(self, form: dict[str, str]) -> tuple[int, object]:
        """Return a token for a code, once, to who knows the verifier."""
        asked = self._codes.pop(form["code"], None)
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if asked is None or asked["code_challenge"] != challenge:
            return 400, {"error": "invalid_grant"}
        if form["redirect_uri"] != asked["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        now_s = int(time.time())
        claims = {
            **{"iss": self.issuer, "aud": CLIENT, "exp": now_s + 300, "iat": now_s},
            **{"auth_time": now_s, "nonce": asked["nonce"], **self.claims},
        }
        signing: dict[str, Any] = {"algorithm": "ES256", "key": self.key, "kid": "k1"}
        self.change(claims, signing)
        key, kid = signing["key"], signing["kid"]
        token = jwt.encode(claims, key, algorithm=signing["algorithm"], headers={"kid": kid})
        return 200, {"id_token": token, "access_token": "none", "token_type": "Bearer"}

    def keys(self) -> object:
        """Return the public keys."""
        return {"keys": [{**_jwk(self.key), "kid": "k1", "use": "sig", "alg": "ES256"}]}

    def described(self) -> object:
        """Return the discovery document."""
        return {
            "issuer": self.told_issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
        }


def _jwk(key: Key) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(key.public_key()))
    return said


@contextmanager
def providing() -> Iterator[Provider]:
    """Serve a provider until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            if parts.path == "/authorize":
                query = {name: values[0] for name, values in parse_qs(parts.query).items()}
                self.send_response(302)
                self.send_header("Location", provider.authorize(query))
                self.send_header("Content-Length", "0")
                self.end_headers()
            elif parts.path == "/keys":
                self._say(200, provider.keys())
            else:
                assert parts.path == "/.well-known/openid-configuration"
                self._say(200, provider.described())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self._say(*provider.token(dict(parse_qsl(body))))

        def _say(self, status: int, said: object) -> None:
            body = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    provider = Provider(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
