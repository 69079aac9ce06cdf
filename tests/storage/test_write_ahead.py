"""Switching a file to write-ahead logging waits for others, and only for them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from signoff.storage.connection import write_ahead

ATTEMPTS = 3


def opened(path: Path) -> sqlite3.Connection:
    """Open a file so that SQLite itself waits for nothing."""
    return sqlite3.connect(path, timeout=0, isolation_level=None)


def test_it_tries_again_until_the_other_has_ended(tmp_path: Path) -> None:
    """The other one reads until the third attempt."""
    attempts: list[str] = []
    with closing(opened(tmp_path / "a.db")) as other, closing(opened(tmp_path / "a.db")) as db:
        other.execute("CREATE TABLE t (x)")
        other.execute("BEGIN")
        other.execute("SELECT x FROM t").fetchall()

        def attempt(statement: str) -> None:
            attempts.append(statement)
            if len(attempts) == ATTEMPTS:
                other.execute("COMMIT")

        db.set_trace_callback(attempt)

        assert (write_ahead(db, timeout_s=60), len(attempts)) == ("wal", ATTEMPTS)


def test_a_file_that_stays_locked_is_an_error(tmp_path: Path) -> None:
    """Not for ever."""
    with closing(opened(tmp_path / "a.db")) as other, closing(opened(tmp_path / "a.db")) as db:
        other.execute("CREATE TABLE t (x)")
        other.execute("BEGIN EXCLUSIVE")

        with pytest.raises(sqlite3.OperationalError, match="locked"):
            write_ahead(db, timeout_s=0.02)


def test_what_is_no_database_is_not_tried_again(tmp_path: Path) -> None:
    """Waiting changes nothing about it."""
    path = tmp_path / "a.db"
    path.write_bytes(b"no database at all, whoever waits" * 100)
    attempts: list[str] = []
    with closing(opened(path)) as db:
        db.set_trace_callback(attempts.append)

        with pytest.raises(sqlite3.DatabaseError, match="not a database"):
            write_ahead(db, timeout_s=60)
    assert len(attempts) <= 1
