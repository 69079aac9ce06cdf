"""What sessions did before, kept in the SQLite store beside the record.

Everything is bounded: so many sessions, so many functions, paths and denials a session; the
oldest go first. It runs inside the transaction that appends the record, so that memory and
record never disagree.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from msgspec import Struct

from signoff.actions.facts import ACT_MARK, Denial
from signoff.effects.store import SessionKey, SessionMemory, SessionUpdate
from signoff.storage.chain import Head
from signoff.storage.commits.many_rows import insert
from signoff.storage.sessions.session_cache import Named
from signoff.storage.sessions.session_history import (
    KINDS,
    MemoryLimits,
    SessionHistory,
    counted,
    has_paths,
)

ROWS_LIMIT = 4_096  # of sessions whose row is known


def read_memory(db: sqlite3.Connection, key: SessionKey, function: str) -> SessionMemory:
    """Return a session's memory from the tables, with the calls of `function`."""
    session_id = _session_id(db, key)
    if session_id is None:
        return SessionMemory()
    calls = db.execute(
        "SELECT function, count FROM calls WHERE session_id = ? AND"
        " (function = ? OR substr(function, 1, 1) = ?)",
        (session_id, function, ACT_MARK),
    )
    past = _read_paths(db, session_id)
    past.calls = dict(calls)
    return past.remembered(function)


def read_past(db: sqlite3.Connection, key: SessionKey) -> SessionHistory:
    """Return a session's whole history from the tables."""
    session_id = _session_id(db, key)
    if session_id is None:
        return SessionHistory()
    past = _read_paths(db, session_id)
    past.calls = dict(
        db.execute("SELECT function, count FROM calls WHERE session_id = ?", (session_id,))
    )
    return past


class _SessionRow(Struct, frozen=True):
    """The row of a session, and up to which entry it says that the session was seen."""

    number: int
    seen: int


class SessionRecorder:
    """Stores session updates; one writer per audit log.

    Known sessions are not looked up again while nobody else writes. Their last use is stored only
    every `prune_every` entries, as no other statement of a batch costs as much.
    """

    def __init__(self, limits: MemoryLimits) -> None:
        self._limits = limits
        self._rows: dict[Named, _SessionRow] = {}
        self._head: Head | None = None

    def learn(
        self,
        db: sqlite3.Connection,
        lessons: Sequence[tuple[int, SessionUpdate]],
        *,
        before: Head,
        after: Head,
    ) -> bool:
        """Store session updates by entry number; return whether sessions were dropped for them.

        Args:
            before: head of the log without the entries.
            after: head with them.
        """
        # Another process has written, and may have forgotten sessions: their rows are not the
        # same.
        if self._head != before or len(self._rows) > ROWS_LIMIT:
            self._rows.clear()
        self._head = None  # what fails on the way makes the next batch begin again
        named = [
            (seq, (session_update.key.agent, session_update.key.session), session_update)
            for seq, session_update in lessons
            if session_update.key.session
        ]
        self._touch(db, {name: seq for seq, name, _ in named})
        calls: dict[tuple[int, str], int] = {}
        for _, name, session_update in named:
            number = self._rows[name].number
            for what in counted(session_update):
                calls[number, what] = calls.get((number, what), 0) + 1
            if has_paths(session_update):
                self._add_paths(db, number, session_update)
        insert(
            db,
            "INSERT INTO calls VALUES",
            [(*call, count) for call, count in calls.items()],
            then=" ON CONFLICT DO UPDATE SET count = count + excluded.count",
        )
        # Not at each entry: looking for the oldest sessions reads the whole index.
        is_due = any(seq % self._limits.prune_every == 0 for seq, _, _ in named)
        is_pruned = is_due and _prune(db, self._limits)
        if not is_pruned:
            self._head = after
        return is_pruned

    def _touch(self, db: sqlite3.Connection, last: Mapping[Named, int]) -> None:
        """Make rows for sessions that have none; mark as seen now those not marked for long."""
        rows, step = self._rows, self._limits.prune_every
        stale = [
            (*name, seq)
            for name, seq in last.items()
            if name not in rows or seq - rows[name].seen >= step
        ]
        found = insert(
            db,
            "INSERT INTO sessions (agent, session, last_seq) VALUES",
            stale,
            then=" ON CONFLICT DO UPDATE SET last_seq = excluded.last_seq"
            " RETURNING agent, session, id",
        )
        for agent, session, number in found:
            name = (str(agent), str(session))
            rows[name] = _SessionRow(int(number), last[name])

    def _add_paths(
        self, db: sqlite3.Connection, number: int, session_update: SessionUpdate
    ) -> None:
        """Remember the paths and refusals of a lesson."""
        for kind in KINDS:
            _add_paths(db, number, kind, getattr(session_update, kind), self._limits)
        _add_denials(db, number, session_update.denials, self._limits)


def _read_paths(db: sqlite3.Connection, session_id: int) -> SessionHistory:
    """Return the paths and refusals of a session, the oldest first."""
    past = SessionHistory()
    paths = {kind: getattr(past, kind) for kind in KINDS}
    for kind, path in db.execute(
        "SELECT kind, path FROM paths WHERE session_id = ? ORDER BY id", (session_id,)
    ):
        paths[kind][path] = None
    denials = db.execute(
        "SELECT tool, target, category FROM denials WHERE session_id = ? ORDER BY id", (session_id,)
    )
    past.denials = {Denial(tool=t, target=g, category=c): None for t, g, c in denials}
    return past


def _session_id(db: sqlite3.Connection, key: SessionKey) -> int | None:
    """Return the row of a session, None if it is not known or has no name."""
    row = db.execute(
        "SELECT id FROM sessions WHERE agent = ? AND session = ?", (key.agent, key.session)
    ).fetchone()
    return row[0] if row and key.session else None


def _add_paths(
    db: sqlite3.Connection, session_id: int, kind: str, paths: tuple[str, ...], limits: MemoryLimits
) -> None:
    """Remember paths of one kind; a path seen again counts as new."""
    if not paths:
        return
    db.executemany(
        "INSERT OR REPLACE INTO paths (session_id, kind, path) VALUES (?, ?, ?)",
        [(session_id, kind, path) for path in paths],
    )
    db.execute(
        "DELETE FROM paths WHERE id IN (SELECT id FROM paths WHERE session_id = ? AND kind = ?"
        " ORDER BY id DESC LIMIT -1 OFFSET ?)",
        (session_id, kind, limits.paths),
    )


def _add_denials(
    db: sqlite3.Connection, session_id: int, denials: tuple[Denial, ...], limits: MemoryLimits
) -> None:
    """Remember refusals; the same one again counts as new."""
    if not denials:
        return
    db.executemany(
        "INSERT OR REPLACE INTO denials (session_id, tool, target, category) VALUES (?, ?, ?, ?)",
        [(session_id, denial.tool, denial.target, denial.category) for denial in denials],
    )
    db.execute(
        "DELETE FROM denials WHERE id IN (SELECT id FROM denials WHERE session_id = ?"
        " ORDER BY id DESC LIMIT -1 OFFSET ?)",
        (session_id, limits.denials),
    )


def _prune(db: sqlite3.Connection, limits: MemoryLimits) -> bool:
    """Forget the sessions not seen for longest, and the rarest functions of crowded ones."""
    sessions = db.execute(
        "DELETE FROM sessions WHERE id IN"
        " (SELECT id FROM sessions ORDER BY last_seq DESC LIMIT -1 OFFSET ?)",
        (limits.sessions,),
    )
    calls = db.execute(
        "DELETE FROM calls WHERE (session_id, function) IN (SELECT session_id, function FROM"
        " (SELECT session_id, function, row_number() OVER"
        " (PARTITION BY session_id ORDER BY count DESC, function) AS place FROM calls)"
        " WHERE place > ?)",
        (limits.functions,),
    )
    return sessions.rowcount + calls.rowcount > 0
