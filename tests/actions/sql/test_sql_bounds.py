"""Which conditions bound a DELETE or UPDATE."""

from __future__ import annotations

import pytest

from signoff.actions.operation import Trait
from signoff.actions.sql import understand_sql

NO_BOUND = [
    "1 = 1",
    "1=1",
    "true",
    "TRUE OR x = 3",
    "id = id",
    "t.id = t.id",
    "NOT false",
    "NOT (1 = 0)",
    "'a' = 'a'",
    "1",
    "x = 3 OR 1 = 1",
    "(x = 3) OR (2 > 1)",
    "a IS NULL OR a IS NOT NULL",
    "a = 1 OR a <> 1",
    "x OR NOT x",
    "1 = 1 AND 2 = 2",
    "name LIKE '%'",
    "id IS NOT NULL",
    "id > 0",
    "user_id >= 1",
    "EXISTS (SELECT 1)",
    "1 IN (1)",
    "random() < 2",
    "((((1))))",
    "a <= a",
    "'%' LIKE '%'",
    "id /* = 7 */ = id",
]
BOUND = [
    "id = 7",
    "id = 7 AND 1 = 1",
    "id IN (1, 2)",
    "id IN (SELECT user_id FROM banned)",
    "name LIKE 'a%'",
    "created_at < now() - interval '90 days'",
    "a = 1 OR b = 2",
    "NOT active",
    "id BETWEEN 1 AND 5",
    "id = ?",
    "id = $1",
    "id = :id",
    "id = @id",
    "id = %s",
    "status = 'done' AND (a = 1 OR b IS NULL)",
    "EXISTS (SELECT 1 FROM u WHERE u.id = t.id)",
    "expired_at IS NOT NULL",
    "`order` = 5",
    '"order" = 5',
    "CURRENT OF my_cursor",
    "id > 100",
    "1 = 0",
]


def is_unbounded(text: str) -> bool:
    """Say whether a text has an operation without a bound."""
    return any(Trait.UNBOUNDED in one.traits for one in understand_sql(text))


@pytest.mark.parametrize("condition", NO_BOUND)
@pytest.mark.parametrize("start", ["DELETE FROM t", "UPDATE t SET a = 1"])
def test_a_condition_that_is_always_true_bounds_nothing(start: str, condition: str) -> None:
    """However it is written, what holds for every row is no bound."""
    assert is_unbounded(f"{start} WHERE {condition}")


@pytest.mark.parametrize("condition", BOUND)
@pytest.mark.parametrize("start", ["DELETE FROM t", "UPDATE t SET a = 1"])
def test_a_condition_on_a_column_bounds(start: str, condition: str) -> None:
    """Ordinary conditions bound."""
    assert not is_unbounded(f"{start} WHERE {condition}")


@pytest.mark.parametrize(
    "text",
    [
        "DELETE FROM t",
        "DELETE FROM t -- WHERE id = 1",
        "DELETE FROM t /* WHERE id = 1 */",
        "UPDATE t SET a = 'WHERE id = 1'",
        "UPDATE t SET a = (SELECT b FROM u WHERE u.id = t.id)",
        "DELETE FROM t LIMIT 10",
        "UPDATE t SET a = 1 RETURNING id",
        "DELETE FROM a DELETE FROM b WHERE id = 1",
        "DELETE FROM a SELECT * FROM b WHERE id = 1",
    ],
)
def test_a_where_that_is_not_its_own_does_not_bound(text: str) -> None:
    """Comments, strings, sub-queries and the next statement lend no bound."""
    assert is_unbounded(text)


def test_a_condition_nested_too_deeply_bounds_nothing() -> None:
    """What cannot be followed counts as no bound."""
    assert is_unbounded(f"DELETE FROM t WHERE {'(' * 60}id = 1{')' * 60}")


def test_rows_bounded_by_another_table_are_bounded() -> None:
    """UPDATE ... FROM with a WHERE is bounded by it."""
    assert not is_unbounded("UPDATE t SET a = u.a FROM u WHERE u.id = t.id")


@pytest.mark.parametrize("change", ["DELETE", "UPDATE price = 0"])
@pytest.mark.parametrize(
    ("condition", "bounded"),
    [
        ("id = 7", True),
        ("id = 7 SETTINGS mutations_sync = 1", True),
        ("1", False),
        ("1 = 1 SETTINGS mutations_sync = 1", False),
    ],
)
def test_an_alter_that_changes_rows_has_the_bound_of_its_condition(
    change: str, condition: str, *, bounded: bool
) -> None:
    """ClickHouse deletes and updates rows by ALTER."""
    (found,) = understand_sql(f"ALTER TABLE a.b {change} WHERE {condition}")

    assert bounded == (Trait.UNBOUNDED not in found.traits)
    assert Trait.SCHEMA_LOSS not in found.traits


@pytest.mark.parametrize("more", ["DROP COLUMN a", "MODIFY COLUMN a Int8"])
def test_what_an_alter_does_beside_its_deletion_counts(more: str) -> None:
    """Behind a comma the same statement may lose a column."""
    (found,) = understand_sql(f"ALTER TABLE a.b DELETE WHERE id = 7, {more}")

    assert Trait.SCHEMA_LOSS in found.traits
