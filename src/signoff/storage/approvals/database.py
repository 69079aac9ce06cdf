"""The file behind requests, grants, policies and the mode: one connection, opened when needed.

Durable like the record (WAL, synchronous=FULL), and shared by any number of processes. `IN_MEMORY`
gives the same in this process only, for tests and trials.

    database = Database("/home/dev/.local/state/signoff/approvals.db")
    with database.writing() as db:
        db.execute(...)
"""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from signoff.errors import StoreError
from signoff.storage.approvals.schema import SINCE, VERSION
from signoff.storage.connection import OwnConnection, make_private

IN_MEMORY = ":memory:"
BUSY_TIMEOUT_S = 5.0
PRAGMAS = (
    "PRAGMA synchronous = FULL",
    "PRAGMA mmap_size = 0",
    "PRAGMA secure_delete = ON",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA foreign_keys = ON",
)
DARWIN_PRAGMAS = ("PRAGMA fullfsync = ON", "PRAGMA checkpoint_fullfsync = ON")


class Database:
    """One SQLite file, used by one thread at a time."""

    def __init__(self, path: str = IN_MEMORY, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> None:
        self.path = path
        self.busy_timeout_s = busy_timeout_s
        self._lock = threading.RLock()
        self._connection = OwnConnection(partial(_open, path, busy_timeout_s=busy_timeout_s))

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Lend the connection to one caller at a time.

        Raises:
            StoreError: the file cannot be used.
        """
        if not self._lock.acquire(timeout=self.busy_timeout_s):
            raise StoreError(f"`{self.path}` is busy for more than its time limit")
        try:
            yield self._connection.opened()
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"cannot use `{self.path}`: {error}") from error
        finally:
            self._lock.release()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Run the block as one write transaction; an exception rolls it back.

        Raises:
            StoreError: the change was not stored, or that cannot be known.
        """
        with self.reading() as db:
            try:
                db.execute("BEGIN IMMEDIATE")
                yield db
                db.execute("COMMIT")
            except BaseException:
                self._take_back(db)
                raise

    def version(self) -> tuple[int, int]:
        """Return what changes when another connection has written, or the file is another one.

        Raises:
            StoreError: the file cannot be used.
        """
        with self.reading() as db:
            inode = 0 if self.path == IN_MEMORY else os.stat(self.path).st_ino
            return int(db.execute("PRAGMA data_version").fetchone()[0]), inode

    def _take_back(self, db: sqlite3.Connection) -> None:
        """Roll a transaction back; a connection that cannot do that is dropped."""
        try:
            if db.in_transaction:
                db.execute("ROLLBACK")
        except sqlite3.Error:
            self.close()

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            self._connection.close()


def _open(path: str, *, busy_timeout_s: float) -> sqlite3.Connection:
    """Open the file, made if need be, for its owner only."""
    if path != IN_MEMORY:
        make_private(path)
    db = sqlite3.connect(
        path, timeout=busy_timeout_s, isolation_level=None, check_same_thread=False
    )
    db.row_factory = sqlite3.Row
    db.create_function("is_alive", 6, _is_alive, deterministic=True)
    try:
        for pragma in PRAGMAS + (DARWIN_PRAGMAS if sys.platform == "darwin" else ()):
            db.execute(pragma)
        db.execute("PRAGMA journal_mode = WAL")
        _make_tables(db, path)
    except BaseException:
        db.close()
        raise
    return db


def _is_alive(*times: object) -> bool:
    """Tell whether an end is still to come: by wall, running and boot of both, the end's first."""
    end_wall, end_running, end_boot, wall, running, boot = times
    ends, now = (end_running, running) if boot and boot == end_boot else (end_wall, wall)
    return isinstance(ends, float) and isinstance(now, float | int) and ends > now


def _make_tables(db: sqlite3.Connection, path: str) -> None:
    """Make the tables of a new file, bring an older one up to date; refuse a newer one."""
    if db.execute("PRAGMA user_version").fetchone()[0] == VERSION:
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        found = db.execute("PRAGMA user_version").fetchone()[0]
        if found not in (*SINCE, VERSION):
            raise StoreError(f"`{path}` has version {found}, this signoff reads {VERSION}")
        for statement in SINCE.get(found, ()):
            db.execute(statement)
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
