"""Queries of graphs (Cypher): they read unless a word in them writes or deletes."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.actions.operation import Trait, Verb
from signoff.actions.understand import understand


def effects(query: str) -> set[tuple[Verb, bool]]:
    """Return the verbs of a query, each with whether it takes everything."""
    arguments = {"uri": "bolt://graph.example:7687", "query": query}
    action = Action(tool="mcp__neo4j__read_cypher", arguments=arguments)
    found = understand(action, Facts()).operations
    return {(op.verb, Trait.UNBOUNDED in op.traits) for op in found}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("MATCH (a:Account)-[:DELETED_BY]->(u) RETURN u.name", (Verb.READ, False)),
        ("MATCH (n:Draft) SET n.state = 'old'", (Verb.WRITE, False)),
        ("MATCH (n) DETACH DELETE n", (Verb.DELETE, True)),
        ("MATCH (n:Draft) WHERE n.id = 7 DELETE n", (Verb.DELETE, False)),
        ("UNWIND [1, 2] AS x RETURN x", (Verb.READ, False)),
    ],
)
def test_a_query_of_a_graph_is_read_by_its_words(query: str, expected: tuple[Verb, bool]) -> None:
    """The name of a relation, as `DELETED_BY`, is none of them."""
    assert expected in effects(query)
