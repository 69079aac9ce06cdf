"""Secrets that documents show, and real ones beside them."""

from __future__ import annotations

import base64

import pytest

from signoff.assess.patterns.masks import without_leet
from signoff.assess.patterns.samples import (
    is_documented_host,
    is_no_right,
    is_sample_key,
    is_sample_token,
    is_stand_in_key,
)

LINE = "MIIEpQIBAAKCAQEA0m5vZ3qkW8dJt2LrV0xKd93m"
UUID = "3b9e27c1-0d4f-4a68-8c75-e1f2049ab6d7"
VALUE = "q8Zt2LrV0xKd93mWfY7sBhJ4"


def block(body: str, end: str = "-----END RSA PRIVATE KEY-----") -> str:
    """Put lines between those that open and close a private key."""
    return f"-----BEGIN RSA PRIVATE KEY-----\n{body}\n{end}"


@pytest.mark.parametrize("body", ["", "XXXX", "left out for safety", f"{LINE}...ab", "MIIEXAMPLE"])
def test_a_key_without_a_key_in_it_is_a_sample(body: str) -> None:
    """Nothing, a stand-in, or a key without its middle."""
    assert is_sample_key(block(body), 0)


@pytest.mark.parametrize(
    "text", [block(LINE), block(LINE, ""), block("", ""), block(block(LINE)), "PuTTY-KEY -----END"]
)
def test_a_whole_or_a_cut_key_is_none(text: str) -> None:
    """What follows a key that is cut off is not known."""
    assert not is_sample_key(text, 0)


def test_a_token_that_claims_words_only_is_a_sample() -> None:
    """`some: payload` is nobody; a number of a user is somebody."""

    def token(claims: str) -> str:
        return f"eyJ.{base64.urlsafe_b64encode(claims.encode()).decode().rstrip('=')}.x"

    assert is_sample_token(token('{"some": "payload"}'))
    assert not is_sample_token(token('{"some": "payload", "user": 7}'))
    assert not is_sample_token(token("[1]"))
    assert not is_sample_token("eyJ.!.x")
    assert not is_sample_token("eyJ")


@pytest.mark.parametrize(
    ("before", "name", "value"),
    [
        ("", 'NextToken": "', VALUE),
        ("", "next_page_token=", VALUE),
        ("", 'LockToken":"', UUID),
        ("", 'clientRequestToken": "', UUID),
        ("arn:aws:secretsmanager:eu-north-1:112233445566:", "secret:", "Tide-k3v9Qz"),
        ('"bucket": "charts", "', 'key": "', UUID),
        ("AccessKeyId=ABCDE1234EXAMPLE, ", "RawSecretAccessKey=", VALUE),
    ],
)
def test_what_opens_nothing_is_no_right(before: str, name: str, value: str) -> None:
    """A page, a lock, a request, a name, a file, a sample."""
    assert is_no_right(before + name, len(before), name, value)


@pytest.mark.parametrize(
    ("before", "name", "value"),
    [
        ("", 'access_token": "', VALUE),
        ("", 'my_next_token": "', VALUE),
        ("", 'request_token": "', VALUE),
        ("", 'client_token": "', UUID),
        ('"bucket": "charts", "', 'api_key": "', VALUE),
        ('"id": "EXAMPLE", "', 'token": "', VALUE),
    ],
)
def test_what_opens_something_is_a_right(before: str, name: str, value: str) -> None:
    """A name that is longer, a value of another form, another name beside a bucket."""
    assert not is_no_right(before + name, len(before), name, value)


def test_hosts_of_documents_and_keys_of_documents() -> None:
    """`example.com` is nobody's; a key of AWS has forty characters."""
    assert is_documented_host("a:b@www.example.com/x", 3)
    assert not is_documented_host("a:b@example.com.evil.io/x", 3)
    assert is_stand_in_key("bar\n")
    assert not is_stand_in_key(" f0Kq/8dZr2LwV7xTn4Yc1Hb6Js9Pm3Ga5Ue+Xo0R")


def test_a_copy_with_letters_for_digits_is_dropped() -> None:
    """The digits of a secret are its own; other copies stay."""
    assert "k3y 4\x1ebook" == without_leet("k3y 4\x1ekey a\x1ebook")
    assert "book" == without_leet("book")
