"""A storage of the `limits` library in one SQLite file: shared by processes, kept over restarts.

Every change is one transaction that takes the write lock first, so that two processes never both
take the last place. What has expired is removed as it is met.

    storage_from_string("signoff-sqlite:///var/lib/shop/access.db")
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from urllib.parse import unquote, urlsplit

from limits.storage import MovingWindowSupport, Storage

SCHEME = "signoff-sqlite"
BUSY_MS = 5_000
SWEPT_EVERY = 1_000  # changes
TABLES = """
CREATE TABLE IF NOT EXISTS counters (
    key TEXT PRIMARY KEY, value INTEGER NOT NULL, expires REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS entries (key TEXT NOT NULL, at REAL NOT NULL, expires REAL NOT NULL);
CREATE INDEX IF NOT EXISTS entries_by_key ON entries (key, at);
"""


class SqliteStorage(Storage, MovingWindowSupport):
    """A storage of the `limits` library in one SQLite file.

    Args:
        uri: `signoff-sqlite:///absolute/path`; the folder must exist.

    Raises:
        ValueError: the URI names no absolute path.
        sqlite3.Error: the file cannot be opened or is no database.
    """

    STORAGE_SCHEME = [SCHEME]  # noqa: RUF012 - as the library reads it

    def __init__(
        self,
        uri: str | None = None,
        wrap_exceptions: bool = False,  # noqa: FBT001, FBT002 - the library's signature
        *,
        clock: Callable[[], float] = time.time,
        **_: float | str | bool,
    ) -> None:
        super().__init__(uri, wrap_exceptions=wrap_exceptions)
        self._path = unquote(urlsplit(uri or "").path)
        if not os.path.isabs(self._path):
            raise ValueError(f"`{uri}` names no absolute path, expected {SCHEME}:///folder/file")
        self._clock = clock
        self._lock = threading.Lock()
        self._links: dict[int, sqlite3.Connection] = {}
        self._changes = 0
        with self._changing() as link:
            for statement in TABLES.split(";"):
                link.execute(statement)

    @property
    def base_exceptions(self) -> type[Exception]:
        """The exception type raised if the file fails."""
        return sqlite3.Error

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Add to a counter that expires `expiry` seconds after its first use; return its value."""
        now = self._clock()
        with self._changing() as link:
            # A counter that has ended begins anew, and does not go on at its old value.
            link.execute("DELETE FROM counters WHERE key = ? AND expires <= ?", (key, now))
            ((value,),) = link.execute(
                "INSERT INTO counters VALUES (?, ?, ?) "
                "ON CONFLICT (key) DO UPDATE SET value = value + excluded.value RETURNING value",
                (key, amount, now + expiry),
            ).fetchall()
        return int(value)

    def get(self, key: str) -> int:
        """Return a counter's value, 0 if it expired or does not exist."""
        found = self._read(
            "SELECT value FROM counters WHERE key = ? AND expires > ?", (key, self._clock())
        )
        return int(found[0][0]) if found else 0

    def get_expiry(self, key: str) -> float:
        """Return when a counter expires, seconds since the epoch; now if there is none."""
        found = self._read("SELECT expires FROM counters WHERE key = ?", (key,))
        return float(found[0][0]) if found else self._clock()

    def check(self) -> bool:
        """Return whether the file can be read."""
        try:
            self._read("SELECT 1", ())
        except sqlite3.Error:
            return False
        return True

    def reset(self) -> int | None:
        """Delete everything; return the number of rows deleted."""
        with self._changing() as link:
            counters = link.execute("DELETE FROM counters").rowcount
            return counters + link.execute("DELETE FROM entries").rowcount

    def clear(self, key: str) -> None:
        """Delete a key's counter and entries."""
        with self._changing() as link:
            link.execute("DELETE FROM counters WHERE key = ?", (key,))
            link.execute("DELETE FROM entries WHERE key = ?", (key,))

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Add `amount` entries unless the last `expiry` seconds then exceed `limit`.

        Returns False, and adds nothing, if they would.
        """
        if amount > limit:
            return False
        now = self._clock()
        with self._changing() as link:
            link.execute("DELETE FROM entries WHERE key = ? AND at <= ?", (key, now - expiry))
            ((taken,),) = link.execute(
                "SELECT count(*) FROM entries WHERE key = ?", (key,)
            ).fetchall()
            # Nothing is taken: a client that waits is served again, however often it tried.
            if taken + amount > limit:
                return False
            link.executemany(
                "INSERT INTO entries VALUES (?, ?, ?)", [(key, now, now + expiry)] * amount
            )
        return True

    def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:
        """Return the time of the oldest entry in the window, and the number of entries."""
        now = self._clock()
        found = self._read(
            "SELECT min(at), count(*) FROM entries WHERE key = ? AND at > ?", (key, now - expiry)
        )
        first, count = found[0]
        return (float(first), int(count)) if count else (now, 0)

    @contextlib.contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            link = self._link()
            link.execute("BEGIN IMMEDIATE")
            try:
                self._sweep(link)
                yield link
            except BaseException:
                link.execute("ROLLBACK")
                raise
            link.execute("COMMIT")

    def _sweep(self, link: sqlite3.Connection) -> None:
        self._changes += 1
        if self._changes % SWEPT_EVERY == 0:
            now = self._clock()
            link.execute("DELETE FROM counters WHERE expires <= ?", (now,))
            link.execute("DELETE FROM entries WHERE expires <= ?", (now,))

    def _read(self, statement: str, values: tuple[str | float, ...]) -> list[tuple[float, ...]]:
        with self._lock:
            return self._link().execute(statement, values).fetchall()

    def _link(self) -> sqlite3.Connection:
        """Return this process's connection: one that a fork has inherited is not used."""
        # SQLite's manual: a connection must not be used over a fork.
        own = self._links.get(os.getpid())
        if own is None:
            own = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
            own.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
            own.execute("PRAGMA journal_mode = WAL")
            # A power cut may lose the last counts, which costs nobody anything; a flush a request
            # would.
            own.execute("PRAGMA synchronous = NORMAL")
            self._links[os.getpid()] = own
        return own
