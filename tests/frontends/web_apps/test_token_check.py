"""Only tokens that the application's own key signed come in, whatever they say of themselves."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from serving import asgi_server

pytest.importorskip("jwt", reason="the extra `jwt` is not installed")

import jwt

from signoff.effects.access.tokens import TokenCheck
from signoff.errors import BadSettings
from signoff.frontends.web_apps.asgi import AsgiMiddleware, Receive, Scope, Send
from signoff.frontends.web_apps.web_file import read_web_file
from signoff.pipeline import Pipeline, web_detectors, web_request

SECRET = "s" * 64
OTHER = "o" * 64
RSA = rsa.generate_private_key(65537, 2048)
PEM = RSA.public_key().public_bytes(
    serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
)
SOON = int(time.time()) + 3600
CLAIMS: Mapping[str, object] = {
    "sub": "ann",
    "exp": SOON,
    "aud": "shop",
    "iss": "https://id.example",
}


def part(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def made(head: Mapping[str, object], signature: str = "") -> str:
    return f"{part(head)}.{part(CLAIMS)}.{signature}"


def problem(check: TokenCheck, *tokens: str) -> str:
    values = [f"Bearer {one}" for one in tokens]
    headers = {"Authorization": values if len(values) > 1 else values[0]} if values else {}
    return check.problem_of(web_request("/", headers=headers))


def signed(key: object = SECRET, algorithm: str = "HS256", **claims: object) -> str:
    return jwt.encode({**CLAIMS, **claims}, key, algorithm=algorithm)  # type: ignore[arg-type]  # any key


@pytest.fixture
def shared() -> TokenCheck:
    return TokenCheck(SECRET, algorithms=("HS256",), audience="shop", issuer="https://id.example")


def test_a_good_token_comes_in(shared: TokenCheck) -> None:
    """By secret, by public key, by a key of a set."""
    assert "" == problem(shared, signed())
    assert "" == problem(TokenCheck(PEM, algorithms=("RS256",)), signed(RSA, "RS256"))
    curve = ec.generate_private_key(ec.SECP256R1())
    keys = {
        "keys": [{**json.loads(jwt.algorithms.ECAlgorithm.to_jwk(curve.public_key())), "kid": "a"}]
    }
    check = TokenCheck(keys, algorithms=("ES256",))
    token = jwt.encode(dict(CLAIMS), curve, algorithm="ES256", headers={"kid": "a"})
    other = jwt.encode(dict(CLAIMS), curve, algorithm="ES256", headers={"kid": "b"})
    assert ("", "invalid") == (problem(check, token), problem(check, other))


@pytest.mark.parametrize(
    ("token", "said"),
    [
        (made({"alg": "none"}), "invalid"),
        (made({"alg": "None", "typ": "JWT"}), "invalid"),
        (made({"alg": "HS256"}), "invalid"),
        (made({"alg": "HS256", "jku": "https://e.example/k"}, "x" * 43), "invalid"),
        (made({"alg": "HS256", "kid": "../../dev/null"}, "x" * 43), "invalid"),
        (made({"alg": "HS256", "kid": {"$ne": ""}}, "x" * 43), "invalid"),
        (signed(OTHER), "invalid"),
        (signed(algorithm="HS384"), "invalid"),
        (signed(aud="bank"), "invalid"),
        (signed(iss="https://evil.example"), "invalid"),
        (signed(exp=SOON - 7200), "expired"),
        (signed(nbf=SOON), "invalid"),
        ("opaque", "invalid"),
        (signed() + "x" * 20_000, "invalid"),
    ],
)
def test_a_bad_token_does_not(shared: TokenCheck, token: str, said: str) -> None:
    """Whatever its head says."""
    assert said == problem(shared, token)


def test_a_public_key_signs_nothing() -> None:
    """The public key taken for a secret: the oldest trick."""
    head, body = part({"alg": "HS256", "typ": "JWT"}), part(CLAIMS)
    import hashlib  # noqa: PLC0415 - of this trick alone
    import hmac  # noqa: PLC0415

    mac = hmac.new(PEM, f"{head}.{body}".encode(), hashlib.sha256).digest()
    token = f"{head}.{body}.{base64.urlsafe_b64encode(mac).decode().rstrip('=')}"
    assert "invalid" == problem(TokenCheck(PEM, algorithms=("RS256",)), token)


def test_a_token_without_an_end_or_twice_does_not_come_in(shared: TokenCheck) -> None:
    """It needs `exp`; of two tokens nobody knows which the application reads."""
    endless = jwt.encode({"sub": "ann", "aud": "shop"}, SECRET, algorithm="HS256")
    assert ["invalid", "invalid", "missing"] == [
        problem(shared, endless),
        problem(shared, signed(), signed()),
        problem(shared),
    ]


def test_a_token_may_stand_in_a_cookie_or_be_left_out() -> None:
    """As the settings say."""
    check = TokenCheck(SECRET, algorithms=("HS256",), cookie="id", required=False)
    good = web_request("/", headers={"Cookie": f"a=1; id={signed()}"})
    bad = web_request("/", headers={"Cookie": f"id={signed(OTHER)}"})
    assert ["", "invalid", ""] == [
        check.problem_of(one) for one in (good, bad, web_request("/", headers={"Cookie": "a=1"}))
    ]


@pytest.mark.parametrize(
    ("key", "algorithms", "word"),
    [
        ("secret", ("HS256",), "bytes"),
        ("s" * 40, ("HS512",), "bytes"),
        (PEM, ("RS256", "HS256"), "mixed"),
        (PEM, ("none",), "algorithms"),
        (PEM, (), "algorithms"),
        ("no key at all", ("RS256",), "cannot be read"),
        ({"keys": []}, ("RS256",), "cannot be read"),
        ({"keys": []}, ("HS256",), "public keys"),
    ],
)
def test_a_weak_key_is_refused(key: object, algorithms: tuple[str, ...], word: str) -> None:
    """When the check is built, not when the first token comes."""
    with pytest.raises(BadSettings, match=word):
        TokenCheck(key, algorithms=algorithms)  # type: ignore[arg-type]  # as somebody may hand in


def test_a_short_rsa_key_is_refused() -> None:
    """1024 bits can be broken."""
    short = rsa.generate_private_key(65537, 1024).public_key()
    pem = short.public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    with pytest.raises(BadSettings, match="1024 bits"):
        TokenCheck(pem, algorithms=("RS256",))


def test_the_middleware_answers_401(shared: TokenCheck) -> None:
    """And says how to sign in."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"ok"})

    guarded = AsgiMiddleware(app, default=shared.guarding(Pipeline.sync(web_detectors())))
    with asgi_server(guarded) as client:
        answer = client.get("/")
        assert (401, "Bearer") == (answer.status, answer.headers["www-authenticate"])
        assert 200 == client.get("/", Authorization=f"Bearer {signed()}").status


def written(folder: Path, entry: str, key: bytes, *, mode: int = 0o644) -> str:
    """Write a `web.yaml` with one check of tokens, and its key; return the file's path."""
    (folder / "key").write_bytes(key)
    (folder / "key").chmod(mode)
    file = folder / "web.yaml"
    text = f"tokens:\n  shop: {{key_file: {folder / 'key'}, {entry}}}\n"
    file.write_text(f"{text}pipelines:\n  api: {{tokens: shop}}\n", encoding="utf-8")
    return str(file)


KEY_SET = msgspec.json.encode(
    {"keys": [json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(RSA.public_key()))]}
)


@pytest.mark.parametrize(
    ("algorithm", "key", "mode", "signer"),
    [
        ("RS256", PEM, 0o644, RSA),
        ("RS256", KEY_SET, 0o644, RSA),
        ("HS256", SECRET.encode(), 0o600, SECRET),
    ],
    ids=["public key", "key set", "secret"],
)
def test_a_file_describes_the_check(
    tmp_path: Path, algorithm: str, key: bytes, mode: int, signer: object
) -> None:
    """In `web.yaml` as in code: the application's own key, its audience."""
    file = written(tmp_path, f"algorithms: [{algorithm}], audience: shop", key, mode=mode)
    api = read_web_file(file).pipelines["api"]

    def is_served(token: str) -> bool:
        return api.decide(web_request("/", headers={"Authorization": f"Bearer {token}"})).is_allowed

    assert is_served(signed(signer, algorithm))
    assert not is_served(signed(signer, algorithm, aud="another"))
    assert not is_served(signed(OTHER))


@pytest.mark.parametrize(
    ("entry", "key", "mode", "said"),
    [
        ("algorithms: [HS256]", SECRET.encode(), 0o644, "chmod 600"),
        ("algorithms: [HS256]", b"short", 0o600, "32 or more"),
        ("algorithms: [none]", PEM, 0o644, "expected some of"),
        ("algorithms: [RS256]", b"{", 0o644, "no key set"),
        ("algorithms: [RS256], leeway_s: 301", PEM, 0o644, "300"),
    ],
)
def test_a_check_that_cannot_hold_is_refused_with_its_line(
    tmp_path: Path, entry: str, key: bytes, mode: int, said: str
) -> None:
    """Where it stands, and what is wrong with it."""
    file = written(tmp_path, entry, key, mode=mode)
    with pytest.raises(BadSettings, match=said) as found:
        read_web_file(file)
    assert f"{file}:2:" in str(found.value)
