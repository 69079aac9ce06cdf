"""The arrows a request goes along, each one statement, and the clock they are watched by.

All of it runs inside a transaction of the caller. `is_alive` is the one condition on time: by
the clock that nobody can set while the machine was not restarted, else by the wall's.
"""

from __future__ import annotations

import functools
import sqlite3
import sys
import time
from collections.abc import Mapping

from signoff.challenge.pending import ClockReading, NewRequest, RequestState, Settlement
from signoff.storage.approvals.rows import expiry
from signoff.storage.installation import this_machine

TIME_EDITED = (
    "the latest time in the file is one that nobody noted; it was not written by signoff. All open"
    " requests and grants end"
)
BACKWARDS_S = 2.0  # a clock that is set right by less than this is no jump
KEPT_LIMIT = 5_000  # of settled requests; the audit log keeps what was answered, this file need not
# `is_alive`, written so that an index finds what is over.
IS_OPEN = "SELECT rowid FROM requests WHERE state IN ('pending', 'approved')"
_BY = "SELECT rowid FROM requests INDEXED BY {} WHERE state IN ('pending', 'approved')"
IS_OVER = (
    f"{_BY.format('open_by_running')} AND expires_boot = nullif(:boot, '')"
    f" AND expires_running <= :running UNION ALL {_BY.format('open_by_wall')}"
    " AND expires_boot IS NOT nullif(:boot, '') AND expires_wall <= :wall"
)
NO_EXPIRY = {"expires_wall": None, "expires_running": None, "expires_boot": None}

Values = Mapping[str, str | bytes | float | None]

# Sleep of the machine counts: somebody's answer from before it is too late after it.
_RUNNING = getattr(time, "CLOCK_BOOTTIME", None)


class ClockWatch:
    """Distinguishes a clock that was set back from a time that was forged in the file.

    The wall clock and the monotonic clock keep their distance until the wall clock is set. While
    this process saw no such step, a latest time in the future was written by no process.
    """

    def __init__(self) -> None:
        self._distance: float | None = None  # None until a look finds the file's time right

    def is_edited(self, db: sqlite3.Connection, now: ClockReading) -> bool:
        """Return whether the file's latest time was edited since the previous call."""
        before, self._distance = self._distance, now.wall_s - now.running_s
        if not has_jumped(db, now):
            return False
        return before is not None and self._distance > before - BACKWARDS_S


class Lost(Exception):
    """Another process was first; the transaction is rolled back."""


def clocks(now: ClockReading) -> dict[str, str | bytes | float | None]:
    """Return a clock reading as SQL parameters."""
    return {"wall": now.wall_s, "running": now.running_s, "boot": now.boot_id}


def insert(db: sqlite3.Connection, values: Values) -> sqlite3.Row:
    """Insert a request and return its row; if there are many, old settled ones go."""
    _make_room(db)
    db.execute(
        "INSERT INTO requests (id, nonce, digest, action, card, level, challenge, steps, context,"
        " verifier, asker, created_wall, created_running, created_boot, expires_wall,"
        " expires_running, expires_boot) VALUES (:id, :nonce, :digest, :action, :card, :level,"
        " :challenge, :steps, :context, :verifier, :asker, :created_wall, :created_running,"
        " :created_boot, :expires_wall, :expires_running, :expires_boot)",
        values,
    )
    # What RETURNING gives has not yet the types of its columns: 5 is no 5.0 there.
    query = "SELECT * FROM requests WHERE id = :id"
    row: sqlite3.Row = db.execute(query, {"id": values["id"]}).fetchone()
    return row


def find_same(db: sqlite3.Connection, new: NewRequest, now: ClockReading) -> sqlite3.Row | None:
    """Return the row of the open, approved or just denied request with the same digest."""
    row: sqlite3.Row | None = db.execute(
        "SELECT * FROM requests WHERE digest = :digest AND (state IN ('pending', 'approved')"
        " OR (state = 'denied' AND decided_wall > :since)) ORDER BY created_wall DESC LIMIT 1",
        {"digest": new.digest, "since": now.wall_s - new.join_s},
    ).fetchone()
    return row


def settle(
    db: sqlite3.Connection, id: str, settlement: Settlement, *, digest: str, now: ClockReading
) -> None:
    """Apply an answer to a pending request, and store the answer.

    Raises:
        Lost: it is not pending any more, its time is over, or the step was already answered.
    """
    note_time(db, now)
    given, is_over = settlement.given, settlement.to is not RequestState.PENDING
    # From the approval on another time counts: how long it may be used, not how long answered.
    fresh = expiry(now, settlement.use_s) if settlement.to is RequestState.APPROVED else NO_EXPIRY
    moved = db.execute(
        "UPDATE requests SET state = :to,"
        " decided_by = :who, channel = :channel, words = :words, edited = :edited,"
        " decided_wall = :decided,"
        " expires_wall = coalesce(:expires_wall, expires_wall),"
        " expires_running = coalesce(:expires_running, expires_running),"
        " expires_boot = coalesce(:expires_boot, expires_boot)"
        " WHERE id = :id AND state = 'pending' AND digest = :digest"
        " AND is_alive(expires_wall, expires_running, expires_boot, :wall, :running, :boot)"
        " AND (SELECT count(*) FROM given WHERE request_id = :id) = :step",
        {
            **clocks(now),
            **fresh,
            "id": id,
            "digest": digest,
            "to": settlement.to.value,
            "who": given.approver if is_over else "",
            "channel": given.channel if is_over else "",
            "decided": now.wall_s if is_over else None,
            "words": settlement.words,
            "edited": settlement.edited,
            "step": given.step,
        },
    ).rowcount
    if moved != 1:
        raise Lost
    _keep_answer(db, id, settlement)


def _keep_answer(db: sqlite3.Connection, id: str, settlement: Settlement) -> None:
    """Keep the answer; the same person cannot give two."""
    given = settlement.given
    try:
        db.execute(
            "INSERT INTO given VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                id,
                given.step,
                given.approver,
                given.channel,
                given.verdict,
                given.proof,
                given.words,
                given.took_s,
                given.was_fast,
                given.at_s,
                given.seal,
            ),
        )
    except sqlite3.IntegrityError:
        # The unique index found it: two answers of one person at the same moment (T-32).
        raise Lost from None


def move(
    db: sqlite3.Connection, id: str, to: RequestState, *, start: RequestState, by: Values
) -> bool:
    """Change a request's state from `start` to `to`; return False if it was not in `start`.

    Args:
        by: parameters: the clocks, and a digest that must match ("" = any).
    """
    # What is running has no time limit, and what is over can still be expired.
    is_timed = (
        start in (RequestState.PENDING, RequestState.APPROVED) and to is not RequestState.EXPIRED
    )
    moved = db.execute(
        "UPDATE requests SET state = :to,"
        " consumed_wall = CASE WHEN :to = 'executing' THEN :wall ELSE consumed_wall END,"
        # What an approver typed may hold a secret: it is kept only until the call has ended.
        " edited = CASE WHEN :to = 'executing' THEN edited ELSE x'' END"
        " WHERE id = :id AND state = :start AND (:digest = '' OR digest = :digest)"
        " AND (NOT :timed"
        " OR is_alive(expires_wall, expires_running, expires_boot, :wall, :running, :boot))",
        {**by, "id": id, "to": to.value, "start": start.value, "timed": is_timed},
    )
    return moved.rowcount == 1


def retire(db: sqlite3.Connection, id: str) -> None:
    """Expire a request at once, whatever time it has left: it was tampered with."""
    db.execute(
        "UPDATE requests SET state = 'expired' WHERE id = ? AND state IN ('pending', 'approved')",
        (id,),
    )
    # One whose refusal is not believed is not found again.
    db.execute("UPDATE requests SET decided_wall = 0 WHERE id = ? AND state = 'denied'", (id,))


def see(db: sqlite3.Connection, id: str, approver: str, now: ClockReading) -> None:
    """Store when an approver first saw a request: now, unless stored before."""
    db.execute(
        "INSERT OR IGNORE INTO seen (request_id, approver, wall, running, boot)"
        " VALUES (?, ?, ?, ?, ?)",
        (id, approver, now.wall_s, now.running_s, now.boot_id),
    )


def is_in_time(db: sqlite3.Connection, id: str, state: RequestState, now: ClockReading) -> bool:
    """Return whether a request is in a state and that state's time is not over."""
    row = db.execute(
        "SELECT is_alive(expires_wall, expires_running, expires_boot, :wall, :running, :boot)"
        " FROM requests WHERE id = :id AND state = :state",
        {**clocks(now), "id": id, "state": state.value},
    ).fetchone()
    is_timed = state in (RequestState.PENDING, RequestState.APPROVED)
    return row is not None and (not is_timed or (bool(row[0]) and not has_jumped(db, now)))


def has_jumped(db: sqlite3.Connection, now: ClockReading) -> bool:
    """Return whether the wall clock is earlier than the latest time stored."""
    highest: float = db.execute("SELECT highest_wall FROM clock").fetchone()[0]
    return now.wall_s < highest - BACKWARDS_S


def is_any_over(db: sqlite3.Connection, now: ClockReading) -> bool:
    """Return whether the time of any open request is over."""
    return db.execute(f"{_over(db, now)} LIMIT 1", clocks(now)).fetchone() is not None


def expire(db: sqlite3.Connection, now: ClockReading) -> tuple[str, ...]:
    """Expire requests whose time is over; return their ids.

    If the clock was set back, everything open expires and every grant ends, since one whose time
    was over would hold again.
    """
    over = _over(db, now)
    if has_jumped(db, now):
        db.execute("DELETE FROM grants")
    ended = f"UPDATE requests SET state = 'expired', edited = x'' WHERE rowid IN ({over})"  # noqa: S608 - only our own words
    rows = db.execute(f"{ended} RETURNING id", clocks(now)).fetchall()
    # After a jump back the new time is the highest: else nothing could ever be asked again.
    db.execute("UPDATE clock SET highest_wall = ?", (now.wall_s,))
    return tuple(row["id"] for row in rows)


def _over(db: sqlite3.Connection, now: ClockReading) -> str:
    """Return the query for what is open and over; by indexes, as it is asked all the time."""
    # After a jump back nobody knows what time is left, so all that is open is over (T-46).
    return IS_OPEN if has_jumped(db, now) else IS_OVER


def is_any_grant_over(db: sqlite3.Connection, now: ClockReading) -> bool:
    """Return whether a grant's time is over, or the latest time must be stored again."""
    found = db.execute(
        "SELECT 1 FROM grants, clock WHERE expires_wall <= :wall"
        " OR :wall NOT BETWEEN highest_wall - :jump AND highest_wall + :jump LIMIT 1",
        {"wall": now.wall_s, "jump": BACKWARDS_S},
    )
    return found.fetchone() is not None


def expire_grants(db: sqlite3.Connection, now: ClockReading) -> None:
    """End grants whose time is over for good; all of them if the clock was set back."""
    set_time(db, now)
    db.execute("DELETE FROM grants WHERE expires_wall <= ?", (now.wall_s,))


def set_time(db: sqlite3.Connection, now: ClockReading) -> None:
    """Store the present time as the latest; after a clock set back, what is open ends first."""
    if has_jumped(db, now):
        expire(db, now)
    note_time(db, now)


def note_time(db: sqlite3.Connection, now: ClockReading) -> None:
    """Store the present time if it is later than the latest one stored."""
    db.execute("UPDATE clock SET highest_wall = max(highest_wall, ?)", (now.wall_s,))


def _make_room(db: sqlite3.Connection) -> None:
    """Keep the number of settled requests bounded: the oldest ones give way."""
    db.execute(
        "DELETE FROM requests WHERE rowid IN (SELECT rowid FROM requests WHERE state NOT IN"
        " ('pending', 'approved', 'executing') ORDER BY created_wall DESC LIMIT -1 OFFSET ?)",
        (KEPT_LIMIT,),
    )


def moment_now() -> ClockReading:
    """Return the present reading of both clocks."""
    if sys.platform == "win32" or _RUNNING is None:
        running_s = time.monotonic()
    else:
        running_s = time.clock_gettime(_RUNNING)
    return ClockReading(wall_s=time.time(), running_s=running_s, boot_id=_boot_id())


@functools.cache
def _boot_id() -> str:
    """Return the id of this start of the machine, "" where there is none."""
    return this_machine("").boot_id
