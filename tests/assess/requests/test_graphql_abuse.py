"""GraphQL requests that try many secrets or ask in circles are found, large honest ones are not."""

from __future__ import annotations

import json

import pytest
from web_requests import stops, stops_json

from signoff.actions.action import Json
from signoff.assess.contexts.graphql import strings_of


def asks(body: Json) -> bool:
    return stops_json(body, path="/graphql")


def aliased(call: str, times: int, kind: str = "mutation") -> dict[str, Json]:
    return {
        "query": f"{kind} {{ " + " ".join(f"a{at}: {call} {{ ok }}" for at in range(times)) + " }"
    }


@pytest.mark.parametrize(
    ("call", "is_found"),
    [
        ('signIn(user: "kim", passcode: "1")', True),
        ('redeemVoucher(code: "A-1")', True),
        ("confirm(input: {otp: $o})", True),
        ('unlock(account: {id: 4}, secret_code: "7")', True),
        ('currency(code: "EUR")', False),
        ('product(id: "4", first: 2)', False),
        ('issue(key: "AB-4")', False),
        ('addUser(name: "a", password: "b")', False),
        ("pinPost(id: 4, pin: true)", False),
        ('spin(times: "4")', False),
        ('opinion(topic: "4")', False),
    ],
)
def test_many_calls_under_other_names(call: str, *, is_found: bool) -> None:
    """Ten tries in one request are found; one alone, and lists of anything else, are not."""
    assert is_found is asks(aliased(call, 30))
    assert not asks(aliased(call, 3))


def test_a_batch_of_tries() -> None:
    query = "mutation T($p: String!) { login(pin: $p) { token } }"
    one: Json = {"query": query, "variables": {"p": "1"}}
    look: Json = {"query": "{ me { id } }"}
    assert asks([one] * 10)
    assert not asks([one] * 2)
    assert asks([look] * 300 + [one] * 10)
    assert not asks([look] * 30)


@pytest.mark.parametrize(
    ("path", "times", "is_found"),
    [
        (("author", "posts"), 9, True),
        (("author", "posts"), 4, False),
        (("replies",), 20, True),
        (("replies",), 9, False),
        (("ofType",), 9, False),
        (("entries", "object"), 6, False),
    ],
)
def test_circles(path: tuple[str, ...], times: int, *, is_found: bool) -> None:
    names = path * times
    query = "query { node(id: 3) { " + " { ".join(names) + " { id } " + "} " * len(names) + "}"
    assert is_found is asks({"query": query})
    in_address = {"query": query}
    assert is_found is stops("/graphql", method="GET", query=in_address)


def test_a_deep_document_is_read_once() -> None:
    """Each bracket is looked at once, however many are open."""
    assert strings_of("{" + "a{" * 15_000 + "a" + "}" * 15_001) == ()
    assert strings_of("{a(b:" + "[" * 15_000 + '"c"' + "]" * 15_000 + "){d}}") == ("c",)
    assert strings_of('{a(b:{c:"d"}){"e"}}') is None


@pytest.mark.parametrize("name", ["query", "\\u0071uery", "q\\u0075ery"])
def test_name_of_the_document_is_read_however_it_is_written(name: str) -> None:
    """A reader of JSON takes an escaped name for the name."""
    document = json.dumps(aliased('login(pin: "1")', 20)["query"])
    body = f'{{"a": 1, "{name}": {document}}}'
    assert stops(path="/graphql", headers={"content-type": "application/json"}, body=body)
