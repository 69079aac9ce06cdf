"""The SQLite file of a channel's message store: one connection, private, migrated when opened.

A message store says which message shows which request. The `STEPS` of a kind of store hold, for
each version that a file may have, the statements that migrate it to the newest; 0 is a new file.

    database = MessageDatabase(path, version=2, steps=STEPS)
    with database.writing() as db:
        db.execute(...)
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial

from signoff.errors import StoreError
from signoff.storage.connection import OwnConnection, write_ahead
from signoff.storage.text_file import make_folder
from signoff.system.files import CLOEXEC, NOFOLLOW, set_mode

IN_MEMORY = ":memory:"
BUSY_TIMEOUT_S = 2.0  # only this daemon writes: a longer wait would be somebody else's lock

Steps = Mapping[int, Sequence[str]]


class MessageDatabase:
    """One SQLite file that stores a channel's messages.

    Args:
        is_flushed: whether each transaction reaches the disk before it counts: for a store whose
            newest lines nobody says again.
    """

    def __init__(self, path: str, *, version: int, steps: Steps, is_flushed: bool = False) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._connection = OwnConnection(
            partial(_open, path, version=version, steps=steps, is_flushed=is_flushed)
        )

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Run the block as one transaction.

        Raises:
            StoreError: the file cannot be used.
        """
        with self._lock:
            try:
                db = self._connection.opened()
                db.execute("BEGIN IMMEDIATE")
                try:
                    yield db
                    db.execute("COMMIT")
                except BaseException:
                    # SQLite ends a transaction by itself on some errors, such as a full disk.
                    if db.in_transaction:
                        db.execute("ROLLBACK")
                    raise
            except (sqlite3.Error, OSError) as error:
                raise StoreError(f"cannot use `{self._path}`: {error}") from error


def _open(path: str, *, version: int, steps: Steps, is_flushed: bool) -> sqlite3.Connection:
    """Open the file, made if need be."""
    if path != IN_MEMORY:
        make_folder(os.path.dirname(path))
        # Made before SQLite does, which would use the umask; and never through somebody's link.
        flags = os.O_RDWR | os.O_CREAT | CLOEXEC | NOFOLLOW
        handle = os.open(path, flags, 0o600)
        set_mode(handle, 0o600)
        os.close(handle)
    db = sqlite3.connect(
        path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
    )
    try:
        write_ahead(db, timeout_s=BUSY_TIMEOUT_S)
        db.execute(f"PRAGMA synchronous = {'FULL' if is_flushed else 'NORMAL'}")
        # A file that somebody changed must not run functions from its schema.
        db.execute("PRAGMA trusted_schema = OFF")
        _bring_up(db, path, version=version, steps=steps)
    except BaseException:
        db.close()
        raise
    return db


def _bring_up(db: sqlite3.Connection, path: str, *, version: int, steps: Steps) -> None:
    """Bring the tables to the newest version.

    Raises:
        StoreError: the file is of a version nobody knows here.
    """
    db.execute("BEGIN IMMEDIATE")
    found = db.execute("PRAGMA user_version").fetchone()[0]
    if found != version:
        # A newer file is left alone: an older signoff could drop what it does not know of.
        if found not in steps:
            raise StoreError(f"`{path}` has version {found}, this signoff reads {version}")
        for statement in steps[found]:
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {version}")
    db.execute("COMMIT")
