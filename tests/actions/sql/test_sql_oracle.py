"""A full parser as a second opinion: what it calls a loss must be one here too."""

from __future__ import annotations

import itertools

import pytest
import sqlglot
from sqlglot import exp

from signoff.actions.operation import Trait, Verb
from signoff.actions.sql import understand_sql

READING = [
    "SELECT a, b FROM t WHERE a = 1",
    "SELECT COUNT(*) FROM t GROUP BY a HAVING COUNT(*) > 3",
    "SELECT * FROM (SELECT a FROM t) AS s JOIN u ON s.a = u.a",
    "WITH c AS (SELECT 1 AS x) SELECT x FROM c",
    "SELECT CASE WHEN a THEN 'drop' ELSE 'delete' END FROM t",
]
LOSING = [
    "DROP TABLE t",
    "DELETE FROM t",
    "TRUNCATE TABLE t",
    "ALTER TABLE t DROP COLUMN a",
    "DROP VIEW v",
    "UPDATE t SET a = 1",
]
NODES = (exp.Drop, exp.Delete, exp.TruncateTable, exp.Update)
DIALECTS = ["postgres", "mysql", "sqlite", "snowflake"]


def parser_sees_loss(text: str, dialect: str) -> bool:
    """Say whether the parser's tree holds a statement that loses something."""
    trees = [tree for tree in sqlglot.parse(text, dialect=dialect) if tree is not None]
    return any(tree.find(*NODES) is not None for tree in trees)


def signoff_sees_loss(text: str, dialect: str) -> bool:
    """Say whether a loss, or something not understood, is among the operations."""
    found = understand_sql(text, dialect=dialect)
    return any(
        one.verb is Verb.DELETE
        or not one.understood
        or {Trait.SCHEMA_LOSS, Trait.UNBOUNDED} & one.traits
        for one in found
    )


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "pair", list(itertools.product(READING + LOSING, repeat=2)), ids=lambda pair: "; ".join(pair)
)
def test_both_readers_see_loss_in_the_same_texts(pair: tuple[str, str], dialect: str) -> None:
    """Two statements after one another are judged alike by the parser and by signoff."""
    text = "; ".join(pair)
    has_alter = "ALTER" in text

    assert signoff_sees_loss(text, dialect) == (parser_sees_loss(text, dialect) or has_alter)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("text", READING)
def test_a_select_is_one_read(text: str, dialect: str) -> None:
    """The plainest statements mean a single read."""
    assert [one.verb for one in understand_sql(text, dialect=dialect)] == [Verb.READ]
