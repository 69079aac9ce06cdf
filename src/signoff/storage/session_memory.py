"""What sessions did before, kept in the SQLite store beside the record.

Everything is bounded: so many sessions, so many functions, paths and denials a session; the
oldest go first. It runs inside the transaction that appends the record, so that memory and
record never disagree.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from signoff.actions.facts import Denial
from signoff.effects.store import Lesson, Remembered, SessionKey


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryLimits:
    """How much is remembered; `prune_every` counts records."""

    sessions: int = 5_000
    functions: int = 1_000
    paths: int = 2_000
    denials: int = 64
    prune_every: int = 256


def read_memory(db: sqlite3.Connection, key: SessionKey, function: str) -> Remembered:
    """Return what is remembered of the session."""
    session_id = _session_id(db, key)
    if session_id is None:
        return Remembered()
    calls = db.execute(
        "SELECT count FROM calls WHERE session_id = ? AND function = ?", (session_id, function)
    ).fetchone()
    paths: dict[str, set[str]] = {"written": set(), "downloaded": set(), "secrets_read": set()}
    for kind, path in db.execute(
        "SELECT kind, path FROM paths WHERE session_id = ?", (session_id,)
    ):
        paths[kind].add(path)
    denials = db.execute(
        "SELECT tool, target, category FROM denials WHERE session_id = ? ORDER BY id", (session_id,)
    )
    return Remembered(
        prior_calls=calls[0] if calls else 0,
        written=frozenset(paths["written"]),
        downloaded=frozenset(paths["downloaded"]),
        secrets_read=frozenset(paths["secrets_read"]),
        denials=tuple(Denial(tool=t, target=g, category=c) for t, g, c in denials),
    )


def learn(db: sqlite3.Connection, lesson: Lesson, *, seq: int, limits: MemoryLimits) -> None:
    """Take in what one decision taught."""
    if not lesson.key.session:
        return
    session_id = _touch(db, lesson.key, seq)
    if lesson.function:
        db.execute(
            "INSERT INTO calls VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET count = count + 1",
            (session_id, lesson.function),
        )
    for kind in ("written", "downloaded", "secrets_read"):
        _add_paths(db, session_id, kind, getattr(lesson, kind), limits)
    _add_denials(db, session_id, lesson.denials, limits)
    if seq % limits.prune_every == 0:
        _prune(db, limits)


def _session_id(db: sqlite3.Connection, key: SessionKey) -> int | None:
    """Return the row of a session, None if it is not known or has no name."""
    row = db.execute(
        "SELECT id FROM sessions WHERE agent = ? AND session = ?", (key.agent, key.session)
    ).fetchone()
    return row[0] if row and key.session else None


def _touch(db: sqlite3.Connection, key: SessionKey, seq: int) -> int:
    """Return the row of a session, made if need be, marked as seen now."""
    row: tuple[int] = db.execute(
        "INSERT INTO sessions (agent, session, last_seq) VALUES (?, ?, ?)"
        " ON CONFLICT DO UPDATE SET last_seq = excluded.last_seq RETURNING id",
        (key.agent, key.session, seq),
    ).fetchone()
    return row[0]


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


def _prune(db: sqlite3.Connection, limits: MemoryLimits) -> None:
    """Forget the sessions not seen for longest, and the rarest functions of crowded ones."""
    db.execute(
        "DELETE FROM sessions WHERE id IN"
        " (SELECT id FROM sessions ORDER BY last_seq DESC LIMIT -1 OFFSET ?)",
        (limits.sessions,),
    )
    db.execute(
        "DELETE FROM calls WHERE (session_id, function) IN (SELECT session_id, function FROM"
        " (SELECT session_id, function, row_number() OVER"
        " (PARTITION BY session_id ORDER BY count DESC, function) AS place FROM calls)"
        " WHERE place > ?)",
        (limits.functions,),
    )
