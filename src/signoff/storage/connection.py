"""One SQLite connection of this process: opened when needed, closed with its owner.

Whoever drops an `OwnConnection` without `close` leaves nothing open: its finalizer closes, at the
end of the process too. A transaction that is under way then is rolled back, never half kept. A
forked child opens its own connection and leaves the parent's alone.

    connection = OwnConnection(partial(sqlite3.connect, path))
    connection.opened().execute(...)
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
import weakref
from collections.abc import Callable

from signoff.errors import StoreError
from signoff.storage.text_file import make_own_folder
from signoff.system.files import CLOEXEC

_BUSY_STEP_S = 0.005


class OwnConnection:
    """A SQLite connection of one process; reopened after a fork, closed with its owner.

    Args:
        open_file: opens the file; it must not refer to the owner, which could then never be
            freed.
    """

    def __init__(self, open_file: Callable[[], sqlite3.Connection]) -> None:
        self._open_file = open_file
        self._db: sqlite3.Connection | None = None
        self._inherited: list[sqlite3.Connection] = []
        self._pid = 0
        self._finalizer: weakref.finalize[[sqlite3.Connection, int], OwnConnection] | None = None

    @property
    def is_open(self) -> bool:
        """True if this process has the connection open."""
        return self._db is not None and self._pid == os.getpid()

    def opened(self) -> sqlite3.Connection:
        """Return this process's connection, opened if necessary."""
        if self._db is None or self._pid != os.getpid():
            self.close()
            self._db, self._pid = self._open_file(), os.getpid()
            self._finalizer = weakref.finalize(self, _close_own, self._db, self._pid)
        return self._db

    def close(self) -> None:
        """Close the connection; the next use opens it again."""
        if self._db is not None and self._pid != os.getpid():
            # From before a fork: the parent's, kept so that nothing closes it.
            # SQLite's manual: a connection must not be used, nor closed, over a fork.
            self._inherited.append(self._db)
        if self._finalizer is not None:
            self._finalizer()
        self._db = self._finalizer = None


def _close_own(db: sqlite3.Connection, pid: int) -> None:
    """Close a connection that this process opened."""
    if pid == os.getpid():
        db.close()


def write_ahead(db: sqlite3.Connection, *, timeout_s: float) -> str:
    """Switch a database to write-ahead logging; return the journal mode that is in force.

    SQLite does not wait here as it waits for other locks: while another process opens the file or
    closes it as the last one, the statement fails at once.

    Args:
        timeout_s: how long to try again.

    Raises:
        sqlite3.OperationalError: the file stays locked, or cannot be used.
    """
    until = time.monotonic() + timeout_s
    while True:
        try:
            mode: str = db.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        except sqlite3.OperationalError as error:
            # The low byte is the error, what is above it says more.
            is_busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not is_busy or time.monotonic() >= until:
                raise
            time.sleep(_BUSY_STEP_S)
        else:
            return mode


def make_private(path: str) -> None:
    """Create a database's folder and file, readable only by their owner.

    Raises:
        StoreError: it is not a regular file.
        OSError: it cannot be created.
    """
    make_own_folder(os.path.dirname(path))
    try:
        # Created before SQLite opens it: SQLite would use the umask, which may let others read.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | CLOEXEC, 0o600))
    except FileExistsError:
        # Not opened here: closing it would drop the locks SQLite holds on it in this process.
        if not stat.S_ISREG(os.lstat(path).st_mode):
            raise StoreError(f"`{path}` is no ordinary file") from None
        os.chmod(path, 0o600)
