"""What sessions did before, kept in the SQLite store beside the record.

Everything is bounded: so many sessions, so many functions, paths and denials a session; the
oldest go first. It runs inside the transaction that appends the record, so that memory and
record never disagree.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from signoff.actions.facts import Denial
from signoff.effects.store import Lesson, Remembered, SessionKey
from signoff.storage.commits.many_rows import insert
from signoff.storage.sessions.limits import MemoryLimits
from signoff.storage.sessions.past import Past, has_paths

Named: TypeAlias = tuple[str, str]  # a session by its agent and its own name
KINDS = ("written", "downloaded", "secrets_read")


def read_memory(db: sqlite3.Connection, key: SessionKey, function: str) -> Remembered:
    """Return what is remembered of the session."""
    session_id = _session_id(db, key)
    if session_id is None:
        return Remembered()
    calls = db.execute(
        "SELECT count FROM calls WHERE session_id = ? AND function = ?", (session_id, function)
    ).fetchone()
    past = _read_paths(db, session_id)
    past.calls = {function: calls[0]} if calls else {}
    return past.remembered(function)


def read_past(db: sqlite3.Connection, key: SessionKey) -> Past:
    """Return all that is remembered of the session, to be kept."""
    session_id = _session_id(db, key)
    if session_id is None:
        return Past()
    past = _read_paths(db, session_id)
    past.calls = dict(
        db.execute("SELECT function, count FROM calls WHERE session_id = ?", (session_id,))
    )
    return past


def learn_all(
    db: sqlite3.Connection, lessons: Sequence[tuple[int, Lesson]], limits: MemoryLimits
) -> bool:
    """Take in what decisions taught, by number of the entry; tell whether any was forgotten."""
    calls: Counter[tuple[int, str]] = Counter()
    last = {(key.agent, key.session): seq for seq, key in _keys(lessons) if key.session}
    ids = _touch(db, last)
    for _, lesson in lessons:
        session_id = ids.get((lesson.key.agent, lesson.key.session))
        if session_id is None:
            continue
        if lesson.function:
            calls[session_id, lesson.function] += 1
        if has_paths(lesson):
            for kind in KINDS:
                _add_paths(db, session_id, kind, getattr(lesson, kind), limits)
            _add_denials(db, session_id, lesson.denials, limits)
    insert(
        db,
        "INSERT INTO calls VALUES",
        [(session_id, function, count) for (session_id, function), count in calls.items()],
        then=" ON CONFLICT DO UPDATE SET count = count + excluded.count",
    )
    is_due = any(seq % limits.prune_every == 0 for seq in last.values())
    return is_due and _prune(db, limits)


def _read_paths(db: sqlite3.Connection, session_id: int) -> Past:
    """Return the paths and refusals of a session, the oldest first."""
    past = Past()
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


def _keys(lessons: Sequence[tuple[int, Lesson]]) -> Iterator[tuple[int, SessionKey]]:
    return ((seq, lesson.key) for seq, lesson in lessons)


def _touch(db: sqlite3.Connection, last: Mapping[Named, int]) -> dict[Named, int]:
    """Return the rows of sessions, made if need be, marked as seen now."""
    found = insert(
        db,
        "INSERT INTO sessions (agent, session, last_seq) VALUES",
        [(agent, session, seq) for (agent, session), seq in last.items()],
        then=" ON CONFLICT DO UPDATE SET last_seq = excluded.last_seq RETURNING agent, session, id",
    )
    return {(str(agent), str(session)): int(number) for agent, session, number in found}


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
