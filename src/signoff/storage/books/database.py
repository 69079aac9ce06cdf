"""The file behind a channel's book: one connection, for its owner only, brought up to its version.

A book says which message shows what. `STEPS` of a kind of book hold, for each version a file may
have, the statements that bring it to the newest; 0 is a new file.

    database = BookDatabase(path, version=2, steps=STEPS)
    with database.writing() as db:
        db.execute(...)
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from signoff.errors import StoreError

IN_MEMORY = ":memory:"
BUSY_TIMEOUT_S = 2.0

Steps = Mapping[int, Sequence[str]]


class BookDatabase:
    """One SQLite file.

    Args:
        is_flushed: whether each transaction reaches the disk before it counts: for a book whose
            newest lines nobody says again.
    """

    def __init__(self, path: str, *, version: int, steps: Steps, is_flushed: bool = False) -> None:
        self._path, self._version, self._steps = path, version, steps
        self._is_flushed = is_flushed
        self._lock = threading.Lock()
        self._db: sqlite3.Connection | None = None

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        with self._lock:
            if self._db is not None:
                self._db.close()
            self._db = None

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Run the block as one transaction.

        Raises:
            StoreError: the file cannot be used.
        """
        with self._lock:
            try:
                if self._db is None:
                    self._db = self._opened()
                self._db.execute("BEGIN IMMEDIATE")
                try:
                    yield self._db
                    self._db.execute("COMMIT")
                except BaseException:
                    if self._db.in_transaction:
                        self._db.execute("ROLLBACK")
                    raise
            except (sqlite3.Error, OSError) as error:
                raise StoreError(f"cannot use `{self._path}`: {error}") from error

    def _opened(self) -> sqlite3.Connection:
        """Open the file, made if need be."""
        if self._path != IN_MEMORY:
            os.makedirs(os.path.dirname(self._path), mode=0o700, exist_ok=True)
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
            handle = os.open(self._path, flags, 0o600)
            os.fchmod(handle, 0o600)
            os.close(handle)
        db = sqlite3.connect(
            self._path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
        )
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute(f"PRAGMA synchronous = {'FULL' if self._is_flushed else 'NORMAL'}")
            db.execute("PRAGMA trusted_schema = OFF")
            self._bring_up(db)
        except BaseException:
            db.close()
            raise
        return db

    def _bring_up(self, db: sqlite3.Connection) -> None:
        """Bring the tables to the newest version.

        Raises:
            StoreError: the file is of a version nobody knows here.
        """
        db.execute("BEGIN IMMEDIATE")
        found = db.execute("PRAGMA user_version").fetchone()[0]
        if found != self._version:
            if found not in self._steps:
                said = f"`{self._path}` has version {found}, this signoff reads {self._version}"
                raise StoreError(said)
            for statement in self._steps[found]:
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {self._version}")
        db.execute("COMMIT")
