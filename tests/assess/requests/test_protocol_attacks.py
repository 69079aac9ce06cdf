"""Tokens, lengths, origins and leaks: what the sets of requests do not spell out."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json

import pytest

from signoff.actions.action import Json
from signoff.assess.detectors import csrf, jwt_attack, request_smuggling, sql_error_leak
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.leaking import result
from signoff.assess.detectors.matching import request
from signoff.assess.detectors.texts import with_texts


def found(detector: Detector, headers: dict[str, str], method: str = "GET") -> list[str]:
    evidence = with_texts(Evidence(action=request(method=method, headers=headers)))
    return [one.category.partition(".")[2] for one in detector.run(evidence)]


def part(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def token(header: dict[str, Json] | str, signature: str = "c2lnbmF0dXJl") -> str:
    head = header if isinstance(header, str) else json.dumps(header)
    return f"{part(head)}.{part('{}')}.{signature}"


def signed(secret: str) -> str:
    text = token({"alg": "HS256"}, "").removesuffix(".")
    made = hmac.new(secret.encode(), text.encode(), hashlib.sha256).digest()
    return f"{text}.{base64.urlsafe_b64encode(made).decode().rstrip('=')}"


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (token({"alg": "RS256"}, ""), ["no-signature"]),
        (token('\n{ "alg": "none" }'), ["no-signature"]),
        (f"{token({'alg': 'RS256'})} {token({'alg': ' None '})}", ["no-signature"]),
        (token({"alg": "RS256", "x5c": ["MIIB"]}), ["a-key-of-its-own"]),
        (token({"alg": "HS256", "kid": "http://a.example/k"}), ["an-odd-key-id"]),
        (signed("secret"), ["a-well-known-secret"]),
        (signed("k3-9fR_x2LwQ8z7"), []),
        (token({"alg": "ES256", "kid": "https://id.example/keys/1"}), []),
        (token({"alg": "RS256", "kid": "5f0a/2026"}), []),
    ],
)
def test_token(value: str, problem: list[str]) -> None:
    """Unsigned and self-signed tokens are found in every spelling, ordinary ones are not."""
    assert problem == found(jwt_attack.DETECTOR, {"Authorization": f"Bearer {value}"})


@pytest.mark.parametrize("blanks", [0, 1, 2])
def test_a_padded_header_is_read(blanks: int) -> None:
    """Some libraries keep the `=` that the standard leaves out."""
    head = base64.urlsafe_b64encode(b'{"alg": "none"}' + b" " * blanks).decode()
    value = f"Bearer {head}.{part('{}')}.c2ln"

    assert found(jwt_attack.DETECTOR, {"Authorization": value}) == ["no-signature"]


def test_key_in_a_proof_of_possession_is_where_it_belongs() -> None:
    """RFC 9449 puts the key into the proof; in any other header it is an attack."""
    proof = token({"typ": "dpop+jwt", "alg": "ES256", "jwk": {"kty": "EC"}})
    assert ([], ["a-key-of-its-own"]) == (
        found(jwt_attack.DETECTOR, {"DPoP": proof}),
        found(jwt_attack.DETECTOR, {"X-Token": proof}),
    )


@pytest.mark.parametrize(
    ("headers", "problem"),
    [
        ({"Transfer-Encoding": "chunked, identity"}, ["odd-coding"]),
        ({"Content-Length": "\uff15"}, ["odd-length"]),
        ({"X-Note": "a\r\nTransfer-Encoding: chunked"}, ["line-end"]),
        ({"Transfer-Encoding ": "chunked"}, ["odd-name"]),
        ({"Content-Length ": "5"}, ["odd-name"]),
        ({"X-Note ": "5"}, []),
        ({"Transfer-Encoding": "gzip, chunked"}, []),
        ({"Content-Length": "5", "X-Note": "two words"}, []),
    ],
)
def test_lengths(headers: dict[str, str], problem: list[str]) -> None:
    """Odd codings, numbers and line ends in headers are found."""
    assert problem == found(request_smuggling.DETECTOR, headers)


@pytest.mark.parametrize(
    ("headers", "is_found"),
    [
        ({"Sec-Fetch-Site": "cross-site"}, True),
        ({"Sec-Fetch-Site": "same-origin"}, False),
        ({"Origin": "https://a.example:443"}, False),
        ({"Origin": "https://a.example:8443"}, True),
        ({"Origin": "https://a.example.b.example"}, True),
    ],
)
def test_origin_of_a_change(headers: dict[str, str], *, is_found: bool) -> None:
    """A change from another site is found, by any of the headers that tell it."""
    own = {"Host": "a.example", "Cookie": "s=1", **headers}
    assert is_found == bool(found(csrf.DETECTOR, own, "POST"))


@pytest.mark.parametrize(
    ("host", "origin", "kind", "is_found"),
    [
        ("api.shop.example", "https://app.shop.example", "application/json", False),
        ("chat.shop.co.id", "https://www.shop.co.id", "application/json; charset=utf-8", False),
        ("api.shop.example", "https://app.shop.example", "text/plain", True),
        ("api.shop.example", "https://app.shop.example", "application/x-www-form-urlencoded", True),
        ("api.shop.example", "http://app.shop.example", "application/json", True),
        ("api.shop.example", "https://evil.example", "application/json", True),
        ("shop.co.id", "https://evil.co.id", "application/json", True),
        ("shop.github.io", "https://evil.github.io", "application/json", True),
        ("10.0.0.1", "https://9.0.0.1", "application/json", True),
    ],
)
def test_pages_of_the_same_domain(host: str, origin: str, kind: str, *, is_found: bool) -> None:
    """A browser asks the server before a page of another host may send JSON."""
    headers = {"Host": host, "Cookie": "s=1", "Origin": origin, "Content-Type": kind}
    assert is_found is bool(found(csrf.DETECTOR, headers, "POST"))
    assert found(csrf.DETECTOR, {**headers, "Sec-Fetch-Site": "cross-site"}, "POST")


@pytest.mark.parametrize(
    ("output", "is_found"),
    [
        ("django.db.utils.ProgrammingError: near x", True),
        ('relation "usr" does not exist LINE 1: select', True),
        ("Incorrect syntax near the keyword 'or'.", True),
        ("How to read: relation does not exist", False),
        ("A PDO exception is thrown when the query fails", False),
    ],
)
def test_database_error(output: str, *, is_found: bool) -> None:
    """Errors of drivers and frameworks are found, words about them are not."""
    evidence = with_texts(Evidence(action=result(output)))
    assert is_found == bool(list(sql_error_leak.DETECTOR.run(evidence)))
