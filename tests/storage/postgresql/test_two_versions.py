"""Table changes leave nodes of the version before alone: expand, migrate, contract."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from bench.fleet.statements import FOLDER, Reply, read_kept, replay

from postgres_server import shared_server
from signoff.storage.postgresql.link import StoreLink
from signoff.storage.postgresql.migrating import Migration, _least, migrations
from table_shape import Shape, apply, named_keys

OLDER = sorted(FOLDER.glob("*.json"))
BAD = {
    "a table is gone": "DROP TABLE looks",
    "a column is gone": "ALTER TABLE requests DROP asked_on",
    "a column has another name": "ALTER TABLE requests RENAME asked_on TO node",
    "a table has another name": "ALTER TABLE looks RENAME TO seen",
    "a column has another type": "ALTER TABLE answers ALTER took_s TYPE numeric",
    "a column must be given": "ALTER TABLE requests ADD team text NOT NULL",
    "a column may be missing no more": "ALTER TABLE requests ALTER decided SET NOT NULL",
    "what is written is checked": "ALTER TABLE requests ADD CHECK (asker <> 'x')",
    "two may not be alike": "CREATE UNIQUE INDEX one_digest ON requests (digest)",
    "a key has more columns": (
        "ALTER TABLE kept_answers DROP CONSTRAINT kept_answers_pkey,"
        " ADD team text NOT NULL DEFAULT '', ADD PRIMARY KEY (key, team)"
    ),
    "a function is gone": "DROP FUNCTION refuse_older CASCADE",
}
# What the node of the version before does with these tables does not show that they are broken.
UNSEEN = {
    "what is written is checked",
    "two may not be alike",
    "a function is gone",
    "a column has another type",
}
GOOD = {
    "a table is added": "CREATE TABLE later (id text PRIMARY KEY)",
    "a column is added": "ALTER TABLE requests ADD team text NOT NULL DEFAULT ''",
    "an index is added": "CREATE INDEX later ON requests (asked_on)",
    "an index is gone": "DROP INDEX requests_by_digest",
    "a key that no statement names is wider": (
        "ALTER TABLE nodes DROP CONSTRAINT nodes_pkey CASCADE, ADD PRIMARY KEY (name, tenant)"
    ),
}


def changed(sql: str) -> tuple[Migration, ...]:
    """Return all table changes and one more."""
    known = migrations()
    return (*known, Migration(len(known) + 1, "later", sql))


def broken(sql: str) -> list[str]:
    """Return what a table change breaks."""
    server, database = shared_server(), apply(migrations())
    before = Shape(server, database)
    apply(changed(sql), database=database)
    return before.broken_by(Shape(server, database))


def replies(path: Path, known: tuple[Migration, ...]) -> list[Reply]:
    """Say what a version said to a store with these table changes."""
    link = StoreLink(shared_server().address(database=apply(known)))
    try:
        return link.run(lambda db: replay(db, read_kept(path)))
    finally:
        link.close()


def known_to(path: Path) -> tuple[Migration, ...]:
    """Return the table changes that the version knew."""
    return tuple(one for one in migrations() if one.number <= int(path.name[:4]))


def is_alike(was: Reply, now: Reply) -> bool:
    """Tell whether a node reads the same; it does not read columns that are new."""
    return was.done == now.done and [_steady(row, row) for row in was.rows] == [
        _steady(row, old) for row, old in zip(now.rows, was.rows, strict=False)
    ] + [{}] * (len(now.rows) - len(was.rows))


def _steady(row: Mapping[str, object], old: Mapping[str, object]) -> dict[str, object]:
    """Return the columns of `old` in a row, without times: they are those of the store."""
    return {
        name: row.get(name, "no such column")
        for name, value in old.items()
        if not isinstance(value, float)
    }


@pytest.mark.parametrize("number", [one.number for one in migrations()[1:]])
def test_a_table_change_only_adds(number: int) -> None:
    """But for a file with `-- least: N`, which tells older nodes to refuse the store."""
    known = migrations()[:number]
    if _least(known[-1]):
        pytest.skip("it is a contract file: older nodes refuse the store")
    server, database = shared_server(), apply(known[:-1])
    before = Shape(server, database)
    apply(known, database=database)

    assert [] == before.broken_by(Shape(server, database))


@pytest.mark.parametrize("sql", BAD.values(), ids=BAD.keys())
def test_a_change_that_breaks_older_nodes_is_seen(sql: str) -> None:
    """Else the test above would find nothing."""
    assert broken(sql)


@pytest.mark.parametrize("sql", GOOD.values(), ids=GOOD.keys())
def test_a_change_that_adds_is_none(sql: str) -> None:
    """Indexes and what has a default are nobody's trouble."""
    assert [] == broken(sql)


def test_keys_that_statements_name_are_known() -> None:
    """Each `ON CONFLICT` with columns, as PostgreSQL looks for a key with just these."""
    assert {"looks", "tries", "session_facts", "kept_answers"} == {name for name, _ in named_keys()}
    assert ("kept_answers", frozenset({"key"})) in named_keys()


def test_the_version_before_is_among_those_kept() -> None:
    """Before tables change, `python -m bench.fleet.statements` keeps what this version says."""
    assert int(OLDER[-1].name[:4]) >= len(migrations()) - 2


@pytest.mark.parametrize("path", OLDER, ids=lambda path: path.stem)
def test_what_an_older_version_says_means_the_same(path: Path) -> None:
    """Every statement of it, on its own tables and on the newest."""
    assert 150 < len(read_kept(path))
    if max(map(_least, migrations())) > int(path.name[:4]):
        pytest.skip("such nodes refuse the store now")
    was, now = replies(path, known_to(path)), replies(path, migrations())

    found = [
        (one.sql, old, new)
        for one, old, new in zip(read_kept(path), was, now, strict=True)
        if not is_alike(old, new)
    ]
    assert [] == found


@pytest.mark.parametrize("name", sorted(BAD.keys() - UNSEEN))
def test_an_older_version_is_seen_to_fail(name: str) -> None:
    """On tables that were changed in a way it does not survive."""
    path = OLDER[-1]
    was = replies(path, known_to(path))
    try:
        now = replies(path, changed(BAD[name]))
    except Exception:  # noqa: BLE001 - whatever the store says: the node failed
        return
    assert not all(map(is_alike, was, now))
