"""Removes the contents of old entries, and keeps what proves them: number, hashes and leaf.

The hash chain and the signed tree go on as before, and whoever has an archive of the contents can
still show that they are what was signed.

    count = remove_contents("/home/dev/.local/state/signoff/record.db", upto=1200)
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

from signoff.effects.store import RecordEntry
from signoff.errors import StoreError

BUSY_S = 60.0  # the daemon commits all the time; removing old contents waits for a gap
CHUNK = 1_000  # entries
TRIGGER = "records_are_never_changed"
REMOVED = b""
TABLE = """
    CREATE TABLE IF NOT EXISTS removed_contents (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        upto INTEGER NOT NULL
    ) STRICT
    """


def remove_contents(path: str, *, upto: int) -> int:
    """Delete the contents of entries up to this number; return how many had contents.

    The newest entry keeps its contents. Writers get their turn after every `CHUNK` entries; each
    chunk is one transaction, which restores the trigger that forbids changes.

    Raises:
        StoreError: the log cannot be written; some chunks may be done.
    """
    changed = 0
    try:
        with closing(sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)) as db:
            db.execute("PRAGMA synchronous = FULL")
            is_more = True
            while is_more:
                count, is_more = _remove_chunk(db, upto)
                changed += count
    except (sqlite3.Error, TypeError) as error:
        raise StoreError(f"cannot remove old entries of `{path}`: {error}") from error
    return changed


def _remove_chunk(db: sqlite3.Connection, upto: int) -> tuple[int, bool]:
    """Remove some contents; return how many, and whether there are more."""
    db.execute("BEGIN IMMEDIATE")
    known = "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ?"
    # Put back word for word as it was found: its text may be of another version than this one.
    (trigger,) = db.execute(known, (TRIGGER,)).fetchone()
    db.execute(f"DROP TRIGGER {TRIGGER}")
    db.execute(TABLE)
    (newest,) = db.execute("SELECT coalesce(max(seq), 0) FROM records").fetchone()
    # `verify` calls a record damaged whose newest entry has no contents.
    before, end = removed_upto(db), min(upto, newest - 1)
    last = max(before, min(end, before + CHUNK))
    changed = db.execute(
        "UPDATE records SET body = ? WHERE seq BETWEEN ? AND ? AND body <> ?",
        (REMOVED, before + 1, last, REMOVED),
    ).rowcount
    db.execute("INSERT OR REPLACE INTO removed_contents VALUES (1, ?)", (last,))
    db.execute(trigger)
    db.execute("COMMIT")
    return changed, last < end


def removed_entries(path: str) -> Iterator[RecordEntry]:
    """Yield the entries whose contents were deleted, with empty bodies.

    Raises:
        StoreError: the log cannot be read.
    """
    try:
        with closing(sqlite3.connect(path, timeout=BUSY_S)) as db:
            rows = db.execute(
                "SELECT seq, body, prev, hash, leaf FROM records WHERE body = ? ORDER BY seq",
                (REMOVED,),
            )
            for seq, body, prev, own_hash, leaf in rows:
                yield RecordEntry(seq=seq, body=body, prev=prev, hash=own_hash, leaf=leaf)
    except sqlite3.Error as error:
        raise StoreError(f"cannot use the record `{path}`: {error}") from error


def removed_upto(db: sqlite3.Connection) -> int:
    """Return the number up to which contents were deleted, 0 if none were."""
    known = "SELECT count(*) FROM sqlite_schema WHERE name = 'removed_contents'"
    if not db.execute(known).fetchone()[0]:
        return 0
    row = db.execute("SELECT upto FROM removed_contents").fetchone()
    return row[0] if row is not None and isinstance(row[0], int) else 0
