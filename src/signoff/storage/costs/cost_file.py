"""Model calls in SQLite: `costs.db`, beside the record, shared by any number of processes.

Kept apart from the record: a figure that is lost costs money, not safety. Exported as JSON lines,
one file a day, written aside and put in its place whole.

    store = CostFile("/home/dev/.local/state/signoff/costs.db")
    export_days(store, "/home/dev/costs")  # costs-2026-11-21.jsonl ...
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import date, datetime

from msgspec import Struct

from signoff.effects.costs import CostStore, CostTotal, ModelCall
from signoff.errors import StoreError
from signoff.storage.connection import make_private
from signoff.storage.text_file import make_folder, write_whole

VERSION = 1
BUSY_TIMEOUT_S = 5.0
STATEMENTS = (
    """
    CREATE TABLE IF NOT EXISTS calls (
        id INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        day TEXT NOT NULL,
        model TEXT NOT NULL,
        purpose TEXT NOT NULL,
        input_tokens INTEGER NOT NULL CHECK (input_tokens >= 0),
        output_tokens INTEGER NOT NULL CHECK (output_tokens >= 0),
        microcents INTEGER NOT NULL CHECK (microcents >= 0)
    ) STRICT
    """,
    "CREATE INDEX IF NOT EXISTS calls_by_day ON calls (day)",
    f"PRAGMA user_version = {VERSION}",
)


class CostFile(Struct, frozen=True):
    """A `CostStore` in one file, opened for each use."""

    path: str

    def add(self, call: ModelCall) -> None:
        """Store a call."""
        with self._opened() as db:
            db.execute(
                "INSERT INTO calls (at, day, model, purpose, input_tokens, output_tokens,"
                " microcents) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    call.at.isoformat(timespec="microseconds"),
                    call.at.date().isoformat(),
                    call.model,
                    call.purpose,
                    call.input_tokens,
                    call.output_tokens,
                    call.microcents,
                ),
            )

    def total(self, first: date, last: date) -> CostTotal:
        """Return the summed cost of the calls of these days, both included."""
        if not os.path.exists(self.path):
            return CostTotal()
        with self._opened() as db:
            calls, microcents = db.execute(
                "SELECT count(*), coalesce(sum(microcents), 0) FROM calls"
                " WHERE day BETWEEN ? AND ?",
                (first.isoformat(), last.isoformat()),
            ).fetchone()
        return CostTotal(calls=calls, microcents=microcents)

    def calls(self, first: date, last: date) -> Iterator[ModelCall]:
        """Yield the calls of these days, both included, oldest first."""
        if not os.path.exists(self.path):
            return
        with self._opened() as db:
            rows = db.execute(
                "SELECT at, model, purpose, input_tokens, output_tokens, microcents FROM calls"
                " WHERE day BETWEEN ? AND ? ORDER BY id",
                (first.isoformat(), last.isoformat()),
            )
            for at, model, purpose, tokens_in, tokens_out, microcents in rows:
                yield ModelCall(
                    at=datetime.fromisoformat(at),
                    model=model,
                    purpose=purpose,
                    input_tokens=tokens_in,
                    output_tokens=tokens_out,
                    microcents=microcents,
                )

    def days(self) -> tuple[date, ...]:
        """Return the days with calls, oldest first."""
        if not os.path.exists(self.path):
            return ()
        with self._opened() as db:
            rows = db.execute("SELECT DISTINCT day FROM calls ORDER BY day").fetchall()
        return tuple(date.fromisoformat(day) for (day,) in rows)

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """Open the file for one use; foreign errors become ours."""
        try:
            make_private(self.path)
            with closing(
                sqlite3.connect(self.path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
            ) as db:
                _prepare(db, self.path)
                yield db
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"cannot use the costs `{self.path}`: {error}") from error


def export_days(store: CostStore, folder: str) -> list[str]:
    """Write the calls of each day to a file of that day; return the paths.

    Raises:
        StoreError: the calls cannot be read, or a file not written.
    """
    written = []
    try:
        make_folder(folder)
        for day in store.days():
            path = os.path.join(folder, f"costs-{day.isoformat()}.jsonl")
            lines = "".join(f"{call.line()}\n" for call in store.calls(day, day))
            # An export can be made again, so the disk is not waited for.
            write_whole(path, lines.encode(), is_durable=False)
            written.append(path)
    except OSError as error:
        raise StoreError(f"cannot write to `{folder}`: {error.strerror}") from error
    return written


def _prepare(db: sqlite3.Connection, path: str) -> None:
    """Make the table of a new file; refuse a file of another version."""
    db.execute("PRAGMA trusted_schema = OFF")
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version == VERSION:
        return
    if version != 0:
        raise StoreError(f"`{path}` has version {version}, this signoff reads {VERSION}")
    db.execute("BEGIN IMMEDIATE")
    for statement in STATEMENTS:
        db.execute(statement)
    db.execute("COMMIT")
