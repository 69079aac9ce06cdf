"""What counts as sensitive content in arguments, and what only looks like it."""

from __future__ import annotations

import time

import pytest

from signoff.actions.action import Json
from signoff.assess.risk.sensitive import sensitivity, wording


@pytest.mark.parametrize(
    "text",
    [
        "production", "Production", "us-production-2", "prod", ".env", "config/.env", ".env.local",
        "secret", "SECRETS", "clientSecret", "password", "userPassword", "password123", "token",
        "access_token", "max_tokens", "key", "the key to it", "api_key", "apiKey", "APIKEY",
        "AWS_SECRET_KEY", "keyId", "credentials", "DROP", "drop table users", "DELETE FROM a",
        "delete   from a", "TRUNCATE", "ALTER TABLE t ADD x int", "rm -rf /", "rm -fr x",
        "rm -r -f x", "rm --recursive --force x", "sudo reboot", "chmod 777 /", "chmod -R 0777 .",
        "https://example.org/a", "see ftp://x", "ann@example.org", "10.0.0.1", "at 192.0.2.7.",
        "2001:db8::1", "::1",
    ],
)  # fmt: skip
def test_sensitive_content_scores(text: str) -> None:
    """Every category of the specification is found in its usual spellings."""
    assert sensitivity((text,))[0] > 0


@pytest.mark.parametrize(
    "text",
    [
        "monkey", "keyboard", "KEYBOARD", "turkey", "hockey", "keynote", "tokenizer", "tokenize",
        "secretary", "secretion", "passwordless", "reproduction", "productions", "producer",
        "process.env", "environment", "dropdown", "backdrop", "deleted", "alternative", "pseudo",
        "sudoku", "chmod 644 x", "rm old.txt", "1.2.3", "1.2.3.4.5", "999.1.1.1", "12:30:45",
        "std::vector", "@decorator", "foo@bar", "http", "//cdn", "usr_123", "", "hello world",
    ],
)  # fmt: skip
def test_look_alikes_score_nothing(text: str) -> None:
    """Letters inside words and half addresses are nothing."""
    assert sensitivity((text,)) == (0.0, "nothing sensitive")


def test_production_alone_scores_the_specified_figure() -> None:
    """One `production` alone is 0.70."""
    assert sensitivity(("production",))[0] == pytest.approx(0.70)


def test_several_kinds_compound() -> None:
    """Two kinds leave (1 - p)(1 - q) of calm."""
    assert sensitivity(("production", "password"))[0] == pytest.approx(1 - 0.3 * 0.3)


def test_one_kind_counts_once() -> None:
    """A word that is said ten times is one match."""
    assert sensitivity(("production " * 10,)) == sensitivity(("production",))


def test_content_is_found_at_any_depth_and_in_names() -> None:
    """Nested values and the names within them are text too."""
    nested: Json = {"a": [{"b": [1, None, True, {"password": 1}]}]}
    assert sensitivity((nested,))[0] == pytest.approx(0.70)


def test_evidence_names_the_kind_and_not_the_content() -> None:
    """What stood beside a password is not repeated."""
    assert sensitivity(("password=hunter2",))[1] == "password"


@pytest.mark.parametrize(
    "text",
    [
        "monkey " * 290_000,
        "production " * 180_000,
        "a" * 2_000_000,
        "rm -" * 500_000,
        "1.2.3." * 333_333,
        "a@" * 1_000_000,
        "\ud800" * 600_000,
    ],
    ids=["words", "hits", "letters", "rm", "dots", "at", "surrogates"],
)
def test_two_megabytes_are_scored_quickly(text: str) -> None:
    """Time stays linear and small, whatever the text."""
    sensitivity(("warm up",))
    started = time.perf_counter()
    sensitivity((text,))
    assert time.perf_counter() - started < 10  # ends; the benches measure


def test_text_beyond_the_limit_counts_as_content() -> None:
    """What cannot be read in full is not calm."""
    score, evidence = sensitivity(("a" * 3_000_000,))
    assert evidence == "more than can be read"
    assert score == pytest.approx(0.70)


@pytest.mark.parametrize("count", [100_000])
def test_a_crowd_of_values_counts_as_content(count: int) -> None:
    """Neither very long nor very deep values are read without end."""
    deep: Json = []
    for _ in range(count):
        deep = [deep]
    scores = [sensitivity((deep,))[1], sensitivity(([0] * count,))[1]]
    while isinstance(deep, list) and deep:
        deep = deep[0]  # taken apart by hand: the interpreter would do it by recursion
    assert scores == ["more than can be read"] * 2


def test_a_number_of_any_size_is_read() -> None:
    """A number Python would not spell out does no harm."""
    assert sensitivity((10**50_000,))[0] == 0.0


def test_a_docstring_beyond_the_limit_counts_as_high() -> None:
    """Padding does not hide a word."""
    assert wording("x" * 3_000_000)[0] == 0.85
