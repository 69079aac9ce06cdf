"""Slips are kept in the file of the requests, in one of an earlier version as well."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from signoff.storage.approvals.database import (
    ANSWER_TRIES,
    EXECUTION_TOKENS,
    OPEN_REQUESTS,
    POLICY_ENDS,
    STATEMENTS,
    Database,
)
from signoff.storage.approvals.execution_tokens import SqliteExecutionTokens


def test_an_earlier_file_gets_the_table(tmp_path: Path) -> None:
    """With everything that is in it."""
    path = tmp_path / "approvals.db"
    with closing(sqlite3.connect(path)) as db, db:
        for statement in STATEMENTS:
            if statement not in (*EXECUTION_TOKENS, *OPEN_REQUESTS, *POLICY_ENDS, *ANSWER_TRIES):
                db.execute(statement)
        db.execute("INSERT INTO policies VALUES (1, 'kept', '', 'ada', 0)")
        db.execute("PRAGMA user_version = 1")
    db.close()
    database = Database(str(path))

    with database.reading() as opened:
        kept = opened.execute("SELECT text FROM policies").fetchone()[0]

    assert (kept, SqliteExecutionTokens(database).take("r1")) == ("kept", "")
    database.close()
