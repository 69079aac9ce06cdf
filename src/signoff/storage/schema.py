"""The tables of the SQLite store.

`records` only ever grows: no row is changed or deleted, and a row is stored only if it names the
newest one as the one before it, so there is no fork. `head` is kept apart, so that a record cut
off at its end is noticed. The other tables are memory, not record: bounded, and worth nothing as
proof.
"""

from __future__ import annotations

VERSION = 3
# The first version kept an index of `prev` beside, no more; before the third, sessions remembered
# fewer kinds of paths.
OLDER = frozenset({1, 2})

_PATHS = """
    CREATE TABLE paths (
        id INTEGER PRIMARY KEY,
        session_id INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN
            ('written', 'downloaded', 'built', 'created', 'moved', 'secrets_read')),
        path TEXT NOT NULL,
        UNIQUE (session_id, kind, path)
    ) STRICT
    """

STATEMENTS = (
    """
    CREATE TABLE records (
        seq INTEGER PRIMARY KEY CHECK (seq > 0),
        body BLOB NOT NULL,
        prev BLOB NOT NULL,
        hash BLOB NOT NULL,
        leaf BLOB NOT NULL
    ) STRICT
    """,
    """
    CREATE TRIGGER records_are_never_changed BEFORE UPDATE ON records
    BEGIN SELECT RAISE(ABORT, 'a record is never changed'); END
    """,
    """
    CREATE TRIGGER records_are_never_deleted BEFORE DELETE ON records
    BEGIN SELECT RAISE(ABORT, 'a record is never deleted'); END
    """,
    # REPLACE deletes without asking the trigger above; this one is asked first.
    """
    CREATE TRIGGER records_only_grow BEFORE INSERT ON records
    WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM records)
        OR NEW.prev IS NOT coalesce(
            (SELECT hash FROM records WHERE seq = NEW.seq - 1), zeroblob(32))
    BEGIN SELECT RAISE(ABORT, 'a record only grows at its end'); END
    """,
    """
    CREATE TABLE head (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        seq INTEGER NOT NULL,
        hash BLOB NOT NULL
    ) STRICT
    """,
    "INSERT INTO head VALUES (1, 0, zeroblob(32))",
    """
    CREATE TABLE sessions (
        id INTEGER PRIMARY KEY,
        agent TEXT NOT NULL,
        session TEXT NOT NULL,
        last_seq INTEGER NOT NULL,
        UNIQUE (agent, session)
    ) STRICT
    """,
    "CREATE INDEX sessions_by_age ON sessions (last_seq)",
    """
    CREATE TABLE calls (
        session_id INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
        function TEXT NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (session_id, function)
    ) STRICT, WITHOUT ROWID
    """,
    _PATHS,
    """
    CREATE TABLE denials (
        id INTEGER PRIMARY KEY,
        session_id INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
        tool TEXT NOT NULL,
        target TEXT NOT NULL,
        category TEXT NOT NULL,
        UNIQUE (session_id, tool, target, category)
    ) STRICT
    """,
    f"PRAGMA user_version = {VERSION}",
)

# What an older file lacks; run in one transaction, so that a file is of one version or the other.
UPGRADES = (
    "ALTER TABLE paths RENAME TO paths_before",
    _PATHS,
    "INSERT INTO paths SELECT id, session_id, kind, path FROM paths_before",
    "DROP TABLE paths_before",
    f"PRAGMA user_version = {VERSION}",
)
