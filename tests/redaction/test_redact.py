"""No secret is written down; everything else stays readable. All secrets here are made up."""

from __future__ import annotations

import re
import time

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from signoff.actions.action import Json
from signoff.redaction.redact import TEXT_LIMIT, Redactor
from signoff.redaction.secret_shapes import RUN

REDACTOR = Redactor(b"k" * 32)
A = "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z"  # a mixture of 32 characters, no real secret
HEX = "0a1b2c3d4e5f60718293a4b5c6d7e8f9"

SHAPES = [
    f"AKIA{'Q7X2' * 4}",
    f"ghp_{A}ABCD",
    f"github_pat_{A}_{A}",
    f"glpat-{A[:20]}",
    f"xoxb-123456789012-123456789012-{A[:24]}",
    f"xapp-1-A0123-456-{HEX}",
    f"hooks.slack.com/services/T0123/B0123/{A[:24]}",
    f"sk_live_{A}",
    f"rk_test_{A}",
    f"whsec_{A}",
    f"sk-ant-api03-{A}",
    f"sk-proj-{A}",
    f"AIza{A}abc",
    f"ya29.{A}",
    f"GOCSPX-{A[:28]}",
    f"npm_{A}abcd",
    f"pypi-AgEIcHlwaS5vcmc{A}{A}",
    f"dckr_pat_{A}",
    f"hf_{A}ab",
    f"dop_v1_{HEX}{HEX}",
    f"dapi{HEX}",
    f"SG.{A[:22]}.{A}abcdefghijk",
    f"SK{HEX}",
    f"key-{HEX}",
    f"shpat_{HEX}",
    f"sq0atp-{A[:22]}",
    f"lin_api_{A}abcdefgh",
    f"glsa_{A}_{HEX[:8]}",
    f"hvs.{A}",
    f"PMAK-{HEX[:24]}-{HEX}ab",
    f"1234567890:A{A}ab",
    f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.{A}",
    f"pscale_pw_{A}",
    f"dp.pt.{A}abcdefgh",
    "AGE-SECRET-KEY-1" + "QPZRY9X8GF2TVDW0" * 3,
    f"-----BEGIN RSA PRIVATE KEY-----\n{A}\n{A}\n-----END RSA PRIVATE KEY-----",
    f"-----BEGIN OPENSSH PRIVATE KEY-----\n{A}\n{A}",
    f"{A[:14]}.atlasv1.{A}{A}",
]

NAMED = [
    ("Authorization: Bearer {}", "s3cr3t-tok3n-value"),
    ("curl -H 'authorization: token {}' https://x.example", "s3cr3t-tok3n-value"),
    ("curl -u admin:{} https://x.example", "hunter22"),
    ("curl --user 'admin:{}' https://x.example", "hunter22"),
    ("postgres://app:{}@db.example/main", "hunter22"),
    ("git clone https://{}@git.example/x.git", "plainlongwordtoken"),
    ("git clone https://{}@git.example/x.git", "x8f2k9q1"),
    ("git clone https://{}:x-oauth-basic@git.example/x.git", "hunter"),
    ("git clone https://{}:@git.example/x.git", "hunter"),
    ("git clone https://{}:other@git.example/x.git", "aB3dE5fG7hI9"),
    ("pip install git+https://{}@git.example/x@main", "plainlongwordtoken"),
    ("redis://{}@cache.example/0", "x8f2k9q1"),
    ("export DB_PASSWORD={}", "hunter22"),
    ("MYSQL_ROOT_PASSWORD: {}", "hunter22"),
    ('{{"api_key": "{}"}}', "hunter22x"),
    ("client_secret='{}'", "hunter22x"),
    ("tool --api-token {} run", "hunter22x"),
    ("tool --password={} run", "hunter22"),
    ("mysql -u root -p{} main", "hunter22"),
    ("sshpass -p {} ssh host", "hunter22"),
    ("Cookie: session={}", "deadbeef1234"),
    ("CREATE USER a IDENTIFIED BY '{}'", "hunter22"),
    ("AccountKey={};", "q" * 40 + "=="),
    ("aws_secret_access_key = {}", "hunter22hunter22"),
    ("SNYK_TOKEN ?= {}", "hunter22x"),
    ("Database error: token {}", A),
]

HARMLESS = [
    "git commit -m 'Fix the parser: tokens are kept apart'",
    "rm -rf build dist node_modules",
    "pytest -q tests/actions/shell/test_words.py -k test_a_word_is_one_word",
    "src/signoff/actions/shell/substitution_of_parameters.py",
    "git show 3f786850e387550fdab836ed7e6dc881de23001b",
    "sha256:b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c",
    "550e8400-e29b-41d4-a716-446655440000",
    "https://example.org/a/b?page=2&sort=name",
    "git clone ssh://git@git.example/x.git",
    "git clone ssh://firstname.lastname.department@git.example/x.git",
    "sftp://x8f2k9q1@files.example/x",
    "git clone https://john.doe@git.example/x.git",
    "git clone https://build2024@git.example/x.git",
    "psql postgres://application_readonly@db/main",
    "git clone https://$LONG_NAME_OF_A_TOKEN@git.example/x.git",
    "git clone https://${LONG_NAME_OF_A_TOKEN}@git.example/x.git",
    "https://john.doe%40example.com@git.example/x.git",
    "https://example.org/some/long/path/abcdefghijklmnopqrstu@v1.2",
    "ftp://anonymous:@files.example/x",
    "docker compose up -d --build",
    "monkey business with a keyboard",
    "password",
    "SELECT name FROM users WHERE id = 5",
]


@pytest.mark.parametrize("secret", SHAPES, ids=lambda secret: secret[:12].split("\n")[0])
def test_a_secret_is_known_by_its_shape(secret: str) -> None:
    """Wherever it stands, no eight characters of it are left."""
    cleaned = REDACTOR.text(f"echo before {secret} after")

    assert "hmac:" in cleaned
    assert [
        secret[at : at + 12]
        for at in range(12, len(secret) - 12)
        if secret[at : at + 12] in cleaned
    ] == []


@pytest.mark.parametrize(("text", "secret"), NAMED, ids=lambda part: part[:20])
def test_a_secret_is_known_by_what_stands_before_it(text: str, secret: str) -> None:
    """The name stays, the value goes."""
    cleaned = REDACTOR.text(text.format(secret))

    assert (secret in cleaned, "hmac:" in cleaned) == (False, True)


@pytest.mark.parametrize("after", [":x-oauth-basic", ":"])
def test_a_token_in_the_place_of_a_user_is_masked_once(after: str) -> None:
    """What stands behind it is no password, and the rest of the address stays."""
    cleaned = REDACTOR.text(f"git clone https://hunter{after}@git.example/x.git --depth 1")

    mask = REDACTOR.mask("hunter")
    assert cleaned == f"git clone https://{mask}{after}@git.example/x.git --depth 1"


@pytest.mark.parametrize("user", ["hunter", "aB3dE5fG7hI9", "hmac"])
def test_a_password_behind_a_masked_user_is_masked(user: str) -> None:
    """The user may be a secret that is known from elsewhere, or be called as a mask begins."""
    redactor = REDACTOR.knowing([user] if user == "hunter" else [])

    cleaned = redactor.text(f"git clone https://{user}:tulip@git.example/x.git")

    assert ("tulip" in cleaned, cleaned.endswith("@git.example/x.git")) == (False, True)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_secret_stays_as_it_is(text: str) -> None:
    """Words, paths, digests, addresses."""
    assert text == REDACTOR.text(text)


@pytest.mark.parametrize(
    "name", ["password", "apiKey", "api_key", "db-password", "authToken", "Secret"]
)
def test_what_is_named_like_a_secret_goes_wholly(name: str) -> None:
    """In arguments the name alone decides, however deep."""
    cleaned = REDACTOR.value({"user": {name: "open sesame", "name": "ada"}})

    assert cleaned == {"user": {name: REDACTOR.mask("open sesame"), "name": "ada"}}


def test_one_secret_has_one_mask_and_each_installation_its_own() -> None:
    """Records of a secret can be matched, and looked up in no table."""
    other = Redactor(b"j" * 32)

    assert REDACTOR.mask("a") == REDACTOR.mask("a")
    assert len({REDACTOR.mask("a"), REDACTOR.mask("b"), other.mask("a")}) == 3


def test_the_key_does_not_show_in_the_redactors_own_text() -> None:
    """No log line can give it away."""
    assert "kkk" not in repr(REDACTOR)


@pytest.mark.parametrize("offset", [-60, -40, -20, -1, 0, 1])
def test_a_secret_across_the_cut_leaves_nothing(offset: int) -> None:
    """What is cut is searched beyond the cut first."""
    secret = f"ghp_{A}ABCD"
    cleaned = REDACTOR.text("x " * ((TEXT_LIMIT + offset) // 2) + secret + " tail" * 3000)

    assert [
        secret[at : at + 8] for at in range(len(secret) - 8) if secret[at : at + 8] in cleaned
    ] == []


def test_a_cut_says_how_much_there_was() -> None:
    """The length of the whole stands at the end."""
    assert REDACTOR.text("x " * 50_000).endswith("...[100,000 characters in all]")


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda v: st.lists(v)))
def test_any_value_can_be_redacted(value: Json) -> None:
    """Half characters and all."""
    REDACTOR.value(value)


def test_depth_and_number_are_bounded() -> None:
    """What is left out is said."""
    deep: Json = "x"
    for _ in range(5_000):
        deep = [deep]

    assert "too deep" in repr(REDACTOR.value(deep))
    assert REDACTOR.value(["a"] * 501) == ["a"] * 500 + ["...[501 items in all]"]


@pytest.mark.parametrize(
    "text", ["a" * 2_000_000, "password=" * 200_000, "://a:" * 400_000, "--" * 10**6]
)
def test_no_text_takes_long(text: str) -> None:
    """Two million characters stay within the budget of any input."""
    REDACTOR.text("warm up")
    started = time.perf_counter()
    REDACTOR.text(text)

    assert time.perf_counter() - started < 10  # ends; `bench/hostile.py` measures


@pytest.mark.parametrize("name", [f"ghp_{A}ABCD", "ключ", "n" * 300, "\ud800" * 9])
@pytest.mark.parametrize("limit", [40, 100, TEXT_LIMIT])
def test_a_name_is_written_down_like_any_text(name: str, limit: int) -> None:
    """Clean, well formed and cut."""
    redactor = Redactor(b"k" * 32, text_limit=limit)

    assert {redactor.text(name): 1} == redactor.value({name: 1})


@given(st.lists(st.sampled_from(["a" * 19, "b" * 20, "Ab3=", "~%.+-", "é", "\u017f", " ", "1"])))
def test_runs_are_found_alike_by_either_engine(parts: list[str]) -> None:
    """The gate runs on RE2, what masks a run does not."""
    text = "".join(parts)

    assert re2.findall(RUN, text) == re.findall(RUN, text)
