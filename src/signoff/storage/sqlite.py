"""The record in SQLite: one file, any number of processes, every commit durable.

WAL with synchronous=FULL: what `append` returned survives kill -9 and a power cut. Writers take
turns by BEGIN IMMEDIATE, so the chain never forks. After an I/O error this store writes no more
until it has read the file afresh: a later commit that succeeds proves nothing about the failed one.

    store = SqliteStore("/home/dev/.local/state/signoff/record.db")
"""

from __future__ import annotations

import logging
import math
import os
import sqlite3
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial

from signoff.effects.store import RecordDraft, RecordEntry, SessionKey, SessionMemory, SessionUpdate
from signoff.errors import StoreError, TamperedRecord
from signoff.storage.chain import Head, VerifyResult, link_entries, verify_chain
from signoff.storage.commits.many_rows import Row, insert
from signoff.storage.commits.retention import remove_contents, removed_upto
from signoff.storage.commits.seen_head import SeenHead
from signoff.storage.connection import OwnConnection, make_private, write_ahead
from signoff.storage.schema import OLDER, STATEMENTS, UPGRADES, VERSION
from signoff.storage.sessions.session_cache import SessionTransaction
from signoff.storage.sessions.session_history import MemoryLimits, SessionHistory
from signoff.storage.sessions.tables import SessionRecorder, read_memory, read_past
from signoff.values import replace

log = logging.getLogger(__name__)

BUSY_TIMEOUT_S = 5.0  # a call whose record waits longer is denied
RECOVER_AFTER_S = 1.0  # after an I/O error, and after each try that came to nothing
# After these the file, or what the system says of it, cannot be trusted any more.
LASTING = frozenset({sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
PRAGMAS = (
    # For a new file: pages of 4 KB hold two entries of the usual size and waste a fifth.
    "PRAGMA page_size = 8192",
    "PRAGMA wal_autocheckpoint = 500",
    "PRAGMA synchronous = FULL",
    "PRAGMA mmap_size = 0",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA foreign_keys = ON",
)
HEAD_IS_GONE = "the head of the record is gone: run `signoff audit verify`"
DARWIN_PRAGMAS = ("PRAGMA fullfsync = ON", "PRAGMA checkpoint_fullfsync = ON")


class SqliteStore:
    """The audit log and session history in one SQLite file.

    `last_step` is this store's last transaction; it is set before that is durable.
    """

    def __init__(
        self,
        path: str,
        *,
        limits: MemoryLimits | None = None,
        busy_timeout_s: float = BUSY_TIMEOUT_S,
    ) -> None:
        self.path = path
        self.limits = limits or MemoryLimits()
        self.busy_timeout_s = busy_timeout_s
        self.last_step: SessionTransaction | None = None
        self._learner = SessionRecorder(self.limits)
        self._lock = threading.Lock()
        self._own = OwnConnection(partial(_open, path, busy_timeout_s=busy_timeout_s))
        self._file = (0, 0)
        self._failure, self._again_at = "", math.inf
        self._seen = SeenHead(path)

    async def append(self, draft: RecordDraft) -> RecordEntry:
        """Store one entry and return it once it is durable."""
        return self.append_now(draft)

    async def remembered(self, key: SessionKey, function: str) -> SessionMemory:
        """Return the history of a session, and how often it called `function`."""
        return self.remembered_now(key, function)

    def remembered_now(self, key: SessionKey, function: str) -> SessionMemory:
        """Like `remembered`, from code that is not async."""
        with self._connection() as db:
            return read_memory(db, key, function)

    def past_now(self, key: SessionKey) -> tuple[Head, SessionHistory]:
        """Return the whole history of a session, and the newest audit entry it is based on."""
        with self._connection() as db, _snapshot(db):
            return _kept_head(db), read_past(db, key)

    def append_now(self, draft: RecordDraft) -> RecordEntry:
        """Like `append`, from code that is not async."""
        (stored,) = self.append_batch((draft,))
        if isinstance(stored, StoreError):
            raise stored
        return stored

    def append_batch(self, drafts: Sequence[RecordDraft]) -> list[RecordEntry | StoreError]:
        """Store entries in one transaction; a draft that cannot be stored fails alone.

        Returns one entry or one StoreError for each draft, in their order.

        Raises:
            StoreError: none of them is durable, or that cannot be known.
        """
        with self._connection() as db:
            with _transaction(db):
                stored, head = self._append(db, drafts)
            self._seen.note(head)
        return stored

    def check_writable(self) -> None:
        """Make a durable write that changes nothing; StoreError if it fails."""
        with self._connection() as db, _transaction(db):
            if problem := self._lost(db, _checked_head(db)):
                raise TamperedRecord(problem)
            db.execute(f"PRAGMA user_version = {VERSION}")

    def _append(
        self, db: sqlite3.Connection, drafts: Sequence[RecordDraft]
    ) -> tuple[list[RecordEntry | StoreError], Head]:
        """Store entries within a transaction, and return them with the newest."""
        rows: list[Row] = []
        lessons: list[tuple[int, SessionUpdate]] = []
        # Read inside the transaction: another process may have appended since the last batch.
        before = _checked_head(db)
        if problem := self._lost(db, before):
            raise TamperedRecord(problem, seq=before.seq)
        stored, head = link_entries([draft.content for draft in drafts], before)
        for draft, entry in zip(drafts, stored, strict=True):
            if isinstance(entry, StoreError):
                continue
            rows.append((entry.seq, entry.body, entry.prev, entry.hash, entry.leaf))
            if draft.session_update is not None:
                lessons.append((entry.seq, draft.session_update))
        insert(db, "INSERT INTO records (seq, body, prev, hash, leaf) VALUES", rows)
        is_pruned = self._learner.learn(db, lessons, before=before, after=head)
        db.execute("UPDATE head SET seq = ?, hash = ?", (head.seq, head.hash))
        self.last_step = SessionTransaction(before=before, after=head, is_pruned=is_pruned)
        return stored, head

    def _lost(self, db: sqlite3.Connection, head: Head) -> str:
        """Say that the record no longer holds the newest entry seen here, "" if it does."""
        seen = self._seen.last if self._seen.last.seq else self._seen.read()
        if not seen.seq or seen == head:
            return ""
        found = db.execute("SELECT hash FROM records WHERE seq = ?", (seen.seq,)).fetchone()
        if found is not None and found[0] == seen.hash:
            return ""
        return (
            f"the record ends at entry {head.seq}, but entry {seen.seq} was seen in it before:"
            " entries were removed or replaced. Restore a copy, or, if you did this, remove"
            f" `{self._seen.path}` and restart the daemon"
        )

    def loss(self) -> str:
        """Return a message if entries seen before are missing from the log, else "".

        Raises:
            StoreError: the log, or the note of what was seen, cannot be read.
        """
        with self._connection() as db, _snapshot(db):
            return self._lost(db, _kept_head(db))

    def leaves(self, *, first: int = 1, last: int | None = None) -> Iterator[bytes]:
        """Yield the leaf hashes of the entries from `first` to `last`, both included."""
        end = sys.maxsize if last is None else last
        while True:
            with self._connection() as db:
                rows = db.execute(
                    "SELECT leaf FROM records WHERE seq BETWEEN ? AND ? ORDER BY seq LIMIT 10000",
                    (first, end),
                ).fetchall()
            if not all(isinstance(leaf, bytes) for (leaf,) in rows):
                raise StoreError(f"`{self.path}` is damaged: run `signoff audit verify`")
            yield from (leaf for (leaf,) in rows)
            if not rows:
                return
            first += len(rows)

    def entries(self, *, first: int = 1, last: int | None = None) -> Iterator[RecordEntry]:
        """Yield the entries from `first` to `last`, without those with deleted contents."""
        while True:
            with self._connection() as db:
                rows = db.execute(
                    "SELECT seq, body, prev, hash, leaf FROM records"
                    " WHERE seq BETWEEN ? AND ? AND body IS NOT x'' ORDER BY seq LIMIT 1000",
                    (first, sys.maxsize if last is None else last),
                ).fetchall()
            for seq, body, prev, own_hash, leaf in rows:
                yield RecordEntry(seq=seq, body=body, prev=prev, hash=own_hash, leaf=leaf)
            if len(rows) < 1000:
                return
            first = rows[-1][0] + 1

    def head(self) -> Head:
        """Return number and hash of the newest entry, from their own table."""
        with self._connection() as db:
            return _kept_head(db)

    def remove_contents(self, *, upto: int) -> int:
        """Delete the contents of entries up to this number; return how many had contents."""
        return remove_contents(self.path, upto=upto)

    def verify(self) -> VerifyResult:
        """Check the hash chain of the whole audit log; appending can go on meanwhile."""
        timeout_s = self.busy_timeout_s
        with _our_errors(self.path), closing(_open(self.path, busy_timeout_s=timeout_s)) as db:
            db.execute("BEGIN")  # one snapshot for head and entries
            rows = db.execute("SELECT seq, body, prev, hash, leaf FROM records ORDER BY seq")
            found = (
                RecordEntry(seq=seq, body=body, prev=prev, hash=own_hash, leaf=leaf)
                for seq, body, prev, own_hash, leaf in rows
            )
            result = verify_chain(found, _kept_head(db), removed_upto=removed_upto(db))
            lost = self._lost(db, result.head) if result.ok else ""
        if not lost:
            return result
        return replace(result, ok=False, bad_seq=result.count + 1, problem=lost)

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            self._own.close()

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """Give the one connection to one caller at a time; foreign errors become ours."""
        if not self._lock.acquire(timeout=self.busy_timeout_s):
            raise StoreError(f"the record `{self.path}` is busy for more than its time limit")
        try:
            with _our_errors(self.path):
                self._recover()
                yield self._opened()
        except StoreError as error:
            self._note(error)
            raise
        finally:
            self._lock.release()

    def _note(self, error: StoreError) -> None:
        """Remember an error after which nobody knows what is on disk."""
        found = _lasting_failure(error)
        self._failure = self._failure or found
        if found and _is_passing(error):
            self._again_at = time.monotonic() + RECOVER_AFTER_S

    def _recover(self) -> None:
        """After an I/O error read the file again, once the disk works.

        What an error left in the system's cache may never have reached the disk, and later commits
        would stand behind a gap. So all of the write-ahead log is written to the file once more.

        Raises:
            StoreError: the record failed before and cannot be used, or not yet.
        """
        if not self._failure:
            return
        restart = "" if self._again_at < math.inf else ": restart"
        if time.monotonic() < self._again_at:
            raise StoreError(f"`{self.path}` failed before ({self._failure}){restart}")
        self._again_at = time.monotonic() + RECOVER_AFTER_S
        self._own.close()
        db = self._opened()
        is_busy = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        head = _checked_head(db)
        if problem := "it is in use" if is_busy else self._lost(db, head):
            raise StoreError(f"`{self.path}` failed before ({self._failure}): {problem}")
        log.warning("`%s` can be used again after: %s", self.path, self._failure)
        self._failure = ""

    def _opened(self) -> sqlite3.Connection:
        """Return the connection of this process, opened if need be."""
        if not self._own.is_open:
            db = self._own.opened()
            self._file = _file_at(self.path)
            return db
        # SQLite goes on writing to a deleted file without an error, and the record would be lost.
        if self._file != _file_at(self.path):
            raise _Replaced(f"the record `{self.path}` was removed or replaced")
        return self._own.opened()


class _Replaced(StoreError):
    """What would be written now would be written to a file that nobody will find."""


@contextmanager
def _our_errors(path: str) -> Iterator[None]:
    """Turn errors of the database and the system into ours."""
    try:
        yield
    except (sqlite3.Error, OSError, UnicodeError) as error:  # SQLite quotes damaged bytes
        raise StoreError(f"cannot use the record `{path}`: {error}") from error


def _lasting_failure(error: StoreError) -> str:
    """Say why the store must not be used any more after this error, "" if it may."""
    code = getattr(error.__cause__, "sqlite_errorcode", 0)
    return str(error) if code & 0xFF in LASTING or isinstance(error, _Replaced) else ""


def _is_passing(error: StoreError) -> bool:
    """Tell whether the disk may do again what it refused: space is made, a device is back."""
    return getattr(error.__cause__, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_IOERR


def _file_at(path: str) -> tuple[int, int]:
    """Return the identity (device, inode) of the file at a path."""
    found = os.stat(path)
    return found.st_dev, found.st_ino


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Run the block as one transaction that nobody else can write into."""
    try:
        db.execute("BEGIN IMMEDIATE")
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


@contextmanager
def _snapshot(db: sqlite3.Connection) -> Iterator[None]:
    """Read everything in the block as of one moment."""
    db.execute("BEGIN")
    try:
        yield
    finally:
        db.execute("ROLLBACK")


def _kept_head(db: sqlite3.Connection) -> Head:
    """Return the head as stored in its own table."""
    row = db.execute("SELECT seq, hash FROM head").fetchone()
    if row is None:
        raise TamperedRecord(HEAD_IS_GONE)
    return Head(seq=row[0], hash=row[1])


def _checked_head(db: sqlite3.Connection) -> Head:
    """Return the head to append to, after a look at the newest entry itself."""
    row = db.execute(
        "SELECT kept.seq, kept.hash, newest.seq, newest.hash FROM head AS kept"
        " LEFT JOIN records AS newest ON newest.seq = (SELECT max(seq) FROM records)"
    ).fetchone()
    if row is None:
        raise TamperedRecord(HEAD_IS_GONE)
    head = Head(seq=row[0], hash=row[1])
    newest = Head() if row[2] is None else Head(seq=row[2], hash=row[3])
    if newest != head:
        raise TamperedRecord(
            "the record does not end where its head says: run `signoff audit verify`", seq=head.seq
        )
    return head


def _open(path: str, *, busy_timeout_s: float) -> sqlite3.Connection:
    """Open the file, made if need be, for its owner only."""
    make_private(path)
    db = sqlite3.connect(
        path, timeout=busy_timeout_s, isolation_level=None, check_same_thread=False
    )
    try:
        for pragma in PRAGMAS + (DARWIN_PRAGMAS if sys.platform == "darwin" else ()):
            db.execute(pragma)
        if (mode := write_ahead(db, timeout_s=busy_timeout_s)) != "wal":
            raise StoreError(f"`{path}` cannot be written ahead (journal mode is `{mode}`)")
        _make_tables(db, path)
    except BaseException:
        db.close()
        raise
    return db


def _make_tables(db: sqlite3.Connection, path: str) -> None:
    """Make the tables of a new file; refuse a file of another version."""
    if db.execute("PRAGMA user_version").fetchone()[0] == VERSION:
        return
    with _transaction(db):
        found = db.execute("PRAGMA user_version").fetchone()[0]
        if found == 0:
            for statement in STATEMENTS:
                db.execute(statement)
        elif found in OLDER:
            for statement in UPGRADES:
                db.execute(statement)
        elif found != VERSION:
            raise StoreError(f"`{path}` has version {found}, this signoff reads {VERSION}")
