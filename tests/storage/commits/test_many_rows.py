"""Many rows by few statements: all of them, in their order."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from signoff.storage.commits.many_rows import insert


@pytest.mark.parametrize("count", [0, 1, 2, 3, 63, 64, 65, 256, 300])
def test_every_row_is_stored_in_its_order(count: int) -> None:
    """However many there are."""
    rows = [(number, f"a{number}") for number in range(count)]
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, name TEXT)")
        returned = insert(db, "INSERT INTO t (n, name) VALUES", rows, then=" RETURNING n, name")
        stored = db.execute("SELECT n, name FROM t ORDER BY id").fetchall()

    assert (stored, sorted(returned)) == (rows, rows)
