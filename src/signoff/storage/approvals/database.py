"""The file behind requests, grants, policies and the mode: one connection, opened when needed.

Durable like the record (WAL, synchronous=FULL), and shared by any number of processes. `IN_MEMORY`
gives the same in this process only, for tests and trials.

The tables of what people are asked and have answered: `approvals.db`, beside the record. None of it
is proof (that is the record) but all of it is decided here: states change only along the arrows of
`challenge/pending.py`, and a trigger refuses every other way.

    database = Database("/home/dev/.local/state/signoff/approvals.db")
    with database.writing() as db:
        db.execute(...)
"""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import chain

from signoff.challenge.pending import ARROWS
from signoff.errors import StoreError
from signoff.storage.approvals.arrows import ClockWatch
from signoff.storage.connection import OwnConnection, make_private, write_ahead

DATABASE_FILE = "approvals.db"
IN_MEMORY = ":memory:"
BUSY_TIMEOUT_S = 5.0
PRAGMAS = (
    "PRAGMA synchronous = FULL",
    # With a mapping, an I/O error ends the process by a signal (SQLite's manual).
    "PRAGMA mmap_size = 0",
    # What is deleted is overwritten: words of people may hold a secret.
    "PRAGMA secure_delete = ON",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA foreign_keys = ON",
)
# On macOS fsync leaves data in the drive's cache; F_FULLFSYNC does not (SQLite's manual).
DARWIN_PRAGMAS = ("PRAGMA fullfsync = ON", "PRAGMA checkpoint_fullfsync = ON")

VERSION = 5

_PAIRS = ", ".join(f"('{start}', '{to}')" for start, ends in ARROWS.items() for to in sorted(ends))

EXECUTION_TOKENS = (
    """
    CREATE TABLE slips (
        request_id TEXT PRIMARY KEY REFERENCES requests ON DELETE CASCADE,
        files TEXT NOT NULL,
        is_taken INTEGER NOT NULL DEFAULT 0
    ) STRICT
    """,
    "PRAGMA user_version = 2",
)
# What is asked of open requests all the time, and whether many of them are of one session.
OPEN_REQUESTS = (
    """
    CREATE INDEX open_by_running ON requests (expires_boot, expires_running)
    WHERE state IN ('pending', 'approved')
    """,
    """
    CREATE INDEX open_by_wall ON requests (expires_wall, expires_boot)
    WHERE state IN ('pending', 'approved')
    """,
    # Who asks: host and session, as a list in JSON.
    'ALTER TABLE requests ADD COLUMN asker TEXT NOT NULL DEFAULT \'["",""]\'',
    """
    UPDATE requests SET asker = json_array(
        json_extract(CAST(context AS TEXT), '$.host'),
        json_extract(CAST(context AS TEXT), '$.session')
    ) WHERE state = 'pending'
    """,
    "CREATE INDEX open_by_asker ON requests (asker) WHERE state = 'pending'",
    """
    CREATE INDEX settled_by_time ON requests (created_wall)
    WHERE state NOT IN ('pending', 'approved', 'executing')
    """,
    "PRAGMA user_version = 3",
)
# When a policy ends, in seconds since the epoch; 0 = never.
POLICY_ENDS = (
    "ALTER TABLE policies ADD COLUMN expires_wall REAL NOT NULL DEFAULT 0",
    "PRAGMA user_version = 4",
)
# Answers that did not count: wrong proofs, and those before the card can be read.
ANSWER_TRIES = (
    """
    CREATE TABLE tries (
        request_id TEXT NOT NULL REFERENCES requests ON DELETE CASCADE,
        approver TEXT NOT NULL,
        kind TEXT NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (request_id, approver, kind)
    ) STRICT
    """,
    f"PRAGMA user_version = {VERSION}",
)
# Each from the version before to the next one, from 1 on.
UPGRADES = (EXECUTION_TOKENS, OPEN_REQUESTS, POLICY_ENDS, ANSWER_TRIES)
STATEMENTS = (
    """
    CREATE TABLE requests (
        id TEXT PRIMARY KEY,
        nonce TEXT NOT NULL UNIQUE,
        digest TEXT NOT NULL,
        action BLOB NOT NULL,
        card BLOB NOT NULL,
        level TEXT NOT NULL,
        challenge TEXT NOT NULL,
        steps BLOB NOT NULL,
        context BLOB NOT NULL,
        verifier TEXT NOT NULL,
        state TEXT NOT NULL DEFAULT 'pending',
        created_wall REAL NOT NULL,
        created_running REAL NOT NULL,
        created_boot TEXT NOT NULL,
        expires_wall REAL NOT NULL,
        expires_running REAL NOT NULL,
        expires_boot TEXT NOT NULL,
        decided_by TEXT NOT NULL DEFAULT '',
        channel TEXT NOT NULL DEFAULT '',
        decided_wall REAL,
        consumed_wall REAL,
        words TEXT NOT NULL DEFAULT '',
        edited BLOB NOT NULL DEFAULT x''
    ) STRICT
    """,
    "CREATE INDEX requests_by_digest ON requests (digest, state)",
    "CREATE INDEX requests_by_state ON requests (state, created_wall)",
    f"""
    CREATE TRIGGER states_follow_the_arrows BEFORE UPDATE OF state ON requests
    WHEN OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN (VALUES {_PAIRS})
    BEGIN SELECT RAISE(ABORT, 'a request does not go that way'); END
    """,
    """
    CREATE TABLE given (
        request_id TEXT NOT NULL REFERENCES requests ON DELETE CASCADE,
        step INTEGER NOT NULL,
        approver TEXT NOT NULL,
        channel TEXT NOT NULL,
        verdict TEXT NOT NULL,
        proof TEXT NOT NULL,
        words TEXT NOT NULL,
        took_s REAL NOT NULL,
        was_fast INTEGER NOT NULL,
        at_s REAL NOT NULL,
        seal TEXT NOT NULL,
        PRIMARY KEY (request_id, step)
    ) STRICT
    """,
    # One person is one yes; a no is welcome from everybody.
    "CREATE UNIQUE INDEX one_person_one_yes ON given (request_id, approver)"
    " WHERE verdict = 'allow'",
    """
    CREATE TABLE seen (
        request_id TEXT NOT NULL REFERENCES requests ON DELETE CASCADE,
        approver TEXT NOT NULL,
        wall REAL NOT NULL,
        running REAL NOT NULL,
        boot TEXT NOT NULL,
        misses INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (request_id, approver)
    ) STRICT
    """,
    """
    CREATE TABLE clock (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        highest_wall REAL NOT NULL
    ) STRICT
    """,
    "INSERT INTO clock VALUES (1, 0)",
    """
    CREATE TABLE grants (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        digest TEXT NOT NULL,
        shape TEXT NOT NULL,
        session TEXT NOT NULL,
        agent TEXT NOT NULL,
        said TEXT NOT NULL,
        author TEXT NOT NULL,
        channel TEXT NOT NULL,
        created_wall REAL NOT NULL,
        expires_wall REAL NOT NULL,
        uses INTEGER NOT NULL DEFAULT 0,
        seal TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE policies (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        text TEXT NOT NULL,
        tool TEXT NOT NULL,
        author TEXT NOT NULL,
        created_wall REAL NOT NULL
    ) STRICT
    """,
    "CREATE TABLE switches (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
    *chain.from_iterable(UPGRADES),
)
# What a file of an earlier version is brought up to this one by.
SINCE: Mapping[int, tuple[str, ...]] = {
    0: STATEMENTS,
    **{
        version: tuple(chain.from_iterable(UPGRADES[version - 1 :]))
        for version in range(1, VERSION)
    },
}


class Database:
    """One SQLite file, used by one thread at a time."""

    def __init__(self, path: str = IN_MEMORY, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> None:
        self.path = path
        self.busy_timeout_s = busy_timeout_s
        self.clock_watch = ClockWatch()
        self._lock = threading.RLock()
        self._connection = OwnConnection(partial(_open, path, busy_timeout_s=busy_timeout_s))

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Lend the connection to one caller at a time.

        Raises:
            StoreError: the file cannot be used.
        """
        # With a time limit, as SQLite's own for other processes: a stuck thread must not stop
        # answers.
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
        """Return a value that changes when another process has written, or the file was replaced.

        Raises:
            StoreError: the file cannot be used.
        """
        with self.reading() as db:
            # A file put in the place of this one has a data version of its own, which may be the
            # same.
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
        write_ahead(db, timeout_s=busy_timeout_s)
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
    # Before a transaction is begun: nearly every start finds it so, and waits for no writer.
    if db.execute("PRAGMA user_version").fetchone()[0] == VERSION:
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        # Read again under the lock: another process may have made the tables meanwhile.
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
