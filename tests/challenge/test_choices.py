"""Wrong answers look like the right one, and are none that is true."""

from __future__ import annotations

import pytest

from signoff.challenge.proofs.choices import Near

CALL = Near(words=("/home/dev/project", "data", "logs/app.log"), salt="r1")


@pytest.mark.parametrize(
    "right",
    [
        "/home/dev/data",
        "/etc/hosts",
        "/srv",
        "~/data",
        "./build",
        "src/app/main.py",
        "/",
        "~",
        "users",
        "users_2024",
        "public.users",
        "nginx.service",
        "https://api.example.com/x?y=1",
        "http://10.0.0.5:8080/",
        "https://localhost/x",
        "300",
        "7",
        "0.5",
        "-12",
        "2024",
        "mcp__github__delete_branch",
        "a",
        "-",
        "é",
    ],
)
def test_three_wrong_answers_are_found(right: str) -> None:
    """And none of them is the right one, whatever it looks like."""
    wrong = CALL.of(right)

    assert len(wrong) >= 3
    assert right not in wrong
    assert len(set(wrong)) == len(wrong)


@pytest.mark.parametrize("right", ["origin main", "upstream feature/x", "HEAD~3", "HEAD", "main"])
def test_branches_and_commits_have_their_own(right: str) -> None:
    """A remote for a remote, a branch for a branch."""
    wrong = CALL.of_branch(right)

    assert len(wrong) >= 3
    assert right not in wrong
    assert {len(one.split()) for one in wrong} == {len(right.split())}


def test_a_path_is_answered_by_paths_of_its_kind() -> None:
    """In the same folder or with the same name; absolute if it is."""
    wrong = CALL.of("/home/dev/data")

    assert all(one.startswith("/") for one in wrong)
    assert any(one.startswith("/home/dev/") for one in wrong)
    assert any(one.endswith("/data") for one in wrong)


def test_an_ending_stays() -> None:
    """A log is not told from its look-alikes by being the only log."""
    assert {one.rpartition(".")[2] for one in CALL.of("logs/main.log")} == {"log"}


def test_a_host_keeps_its_path_and_port() -> None:
    """Only the host is asked about."""
    wrong = CALL.of("http://api.example.com:8080/v1/x")

    assert all(one.endswith(":8080/v1/x") for one in wrong)


def test_numbers_have_as_many_digits() -> None:
    """A number is not told by its length."""
    assert {len(one) for one in CALL.of("4711")} == {4}


def test_capitals_stay_capitals() -> None:
    """A name is not told by its letters."""
    assert all(one[0].isupper() for one in CALL.of("Customers"))


def test_no_wrong_answer_only_looks_different() -> None:
    """Letters of other alphabets are not used."""
    assert all(
        one.isascii() for one in (*CALL.of("paypal.example"), *CALL.of_branch("origin main"))
    )


def test_another_request_is_given_others() -> None:
    """And the same one the same."""
    found = [Near(salt=salt).of("/home/dev/data") for salt in ("a", "a", "b", "c")]

    assert found[0] == found[1]
    assert len(set(found)) > 1
