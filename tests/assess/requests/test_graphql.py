"""GraphQL: limits on what a request may ask for; ordinary clients pass, attacks do not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from signoff.actions.action import Action
from signoff.assess.contexts.graphql import shape_of
from signoff.frontends.web_apps.web_file import read_web_file
from signoff.pipeline import DefaultResolver, Pipeline, graphql_limits, web_detectors, web_request

LIMITS = graphql_limits(depth=7, aliases=5, batch=3, introspection=False)
PIPELINE = Pipeline.sync((*web_detectors(), LIMITS)).resolve(DefaultResolver())


def graphql(*operations: Mapping[str, object]) -> Action:
    """Return a request of a client."""
    body = operations[0] if len(operations) == 1 else list(operations)
    headers = {"host": "api.example", "content-type": "application/json"}
    return web_request("/graphql", method="POST", headers=headers, body=json.dumps(body))


def found(action: Action) -> set[str]:
    """Return which lines were found."""
    return {one.category for one in PIPELINE.decide(action).threat.results}


RELAY = """query FeedQuery($first: Int!, $after: String) {
  viewer { feed(first: $first, after: $after, orderBy: {field: CREATED_AT, direction: DESC}) {
    pageInfo { hasNextPage endCursor __typename }
    edges { cursor node { ...Story_story id __typename } } } }
}
fragment Story_story on Story { title author { name avatar: image(size: 64) { url } } }"""
SQL_WORDS = """mutation { dropTable(where: {id: {eq: 1}}) { id } selectFrom: union(all: true) {
  delete insert update execute sleep(for: 5) } }"""
HASH = "ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38"
ORDINARY = {
    "relay": graphql({"query": RELAY, "variables": {"first": 10, "after": "YXJyYXk6OQ=="}}),
    "apollo's persisted query": graphql(
        {
            "operationName": "Feed",
            "variables": {},
            "extensions": {"persistedQuery": {"version": 1, "sha256Hash": HASH}},
        }
    ),
    "persisted, by GET": web_request(
        "/graphql",
        query={
            "operationName": "Feed",
            "variables": "{}",
            "extensions": json.dumps({"persistedQuery": {"version": 1, "sha256Hash": HASH}}),
        },
        headers={"host": "api.example"},
    ),
    "a small batch": graphql({"query": "{ a }"}, {"query": "query B { b { c } }"}),
    "words of SQL as names": graphql({"query": SQL_WORDS, "operationName": None}),
    "a sentence in a variable": graphql(
        {
            "query": "mutation P($t: String!) { post(text: $t) { id } }",
            "variables": {"t": "Select a table from our menu; drop by, or update your order."},
        }
    ),
    "a search of another kind": web_request(
        "/search", query={"query": "query planner {basics}"}, headers={"host": "api.example"}
    ),
    "JSON that is none": graphql({"query": "shoes", "page": 2}),
}


@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_clients_are_untouched(name: str) -> None:
    """Neither the limits nor any other detector says anything."""
    assert set() == found(ORDINARY[name])


NESTED = "{ a { b { c { d { e { f { g { h } } } } } } } }"
BY_FRAGMENTS = (
    "{ a { ...A } } fragment A on T { b { c { ...B } } } fragment B on T { d { e { f { g { h }}}}}"
)
OVER = {
    "depth": graphql({"query": NESTED}),
    "depth by fragments": graphql({"query": BY_FRAGMENTS}),
    "circle": graphql({"query": "{ a { ...A } } fragment A on T { b { ...A } }"}),
    "aliases": graphql({"query": "{" + " ".join(f"a{n}: login(pin: {n})" for n in range(6)) + "}"}),
    "batch": graphql(*[{"query": "{ a }"}] * 4),
    "introspection": graphql({"query": "query { __schema { types { name } } }"}),
    "introspection by GET": web_request(
        "/graphql", query={"query": '{ __type(name: "User") { name } }'}
    ),
    "unread": graphql({"query": "query { a("}),
    "unread, too long": graphql({"query": "{ a " + " ".join(["b"] * 40_000) + "}"}),
}


@pytest.mark.parametrize("name", OVER)
def test_what_is_over_a_limit_is_blocked(name: str) -> None:
    """Whichever way it hides its size."""
    line = name.partition(",")[0].partition(" by")[0]
    assert f"graphql-limits.{line}" in found(OVER[name])
    assert not PIPELINE.decide(OVER[name]).is_allowed


def test_a_file_sets_limits(tmp_path: Path) -> None:
    """For all doors: ASGI, WSGI and the proxy read it."""
    file = tmp_path / "web.yaml"
    file.write_text(
        "pipelines:\n  api: {graphql: {depth: 3, introspection: false}}\n"
        "routes:\n  - {path: /graphql, pipeline: api}\n",
        encoding="utf-8",
    )
    (rule, *_) = read_web_file(str(file)).settings["routes"]
    assert rule.pipeline is not None
    categories = {
        name: {one.category for one in rule.pipeline.decide(OVER[name]).threat.results}
        for name in ("depth", "introspection")
    }
    assert categories["depth"] == {"graphql-limits.depth"}
    assert categories["introspection"] == {"graphql-limits.introspection"}


def test_limits_are_what_an_application_says() -> None:
    """The same requests pass where it allows them."""
    free = Pipeline.sync((graphql_limits(depth=20, aliases=10, batch=5),))
    for name in ("depth", "depth by fragments", "aliases", "batch", "introspection"):
        assert not free.decide(OVER[name]).threat.results


@pytest.mark.parametrize(
    ("value", "detector"),
    [
        ("x' OR '1'='1' --", "sql-injection"),
        ("1; DROP TABLE users --", "sql-injection"),
        ("<script>alert(1)</script>", "xss"),
        ("../../../../etc/passwd", "path-traversal"),
        ("; cat /etc/passwd", "command-injection"),
        ("http://169.254.169.254/latest/meta-data/", "ssrf"),
        ("{{7*7}}", "template-injection"),
    ],
)
@pytest.mark.parametrize("is_variable", [True, False], ids=["variable", "in the document"])
def test_attacks_in_values_are_caught(value: str, detector: str, *, is_variable: bool) -> None:
    """As a variable, and as a string of the document."""
    query = "query Q($id: String!) { user(id: $id) { name } }"
    if not is_variable:
        query = f"{{ user(id: {json.dumps(value)}) {{ name }} }}"
    said = {"query": query, "variables": {"id": value} if is_variable else {}}
    assert detector in {one.partition(".")[0] for one in found(graphql(said))}


def test_the_shape_of_a_document() -> None:
    """Values of arguments and texts count for nothing."""
    shape = shape_of('{ a(x: {y: {z: {w: 1}}}, t: "{ { {") { b: c ... on T { d } } }')
    assert shape is not None
    assert (2, 1, False, False) == (
        shape.depth - 1,
        shape.aliases,
        shape.introspects,
        shape.is_circular,
    )
    assert shape_of("no document") is None
