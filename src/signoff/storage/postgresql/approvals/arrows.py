"""The arrows a request goes along, each one statement of the shared store.

The `now` of every statement is the time of the database, as this process knows it. Locks are taken
in one order: nothing else is waited for while the row of a request is held.
"""

from __future__ import annotations

from collections.abc import Sequence

import asyncpg
from msgspec import Struct

from signoff.challenge.pending import NewRequest, RequestState, Settlement
from signoff.storage.approvals.arrows import BACKWARDS_S, KEPT_LIMIT, Lost
from signoff.storage.postgresql.approvals.rows import bytes_of
from signoff.storage.postgresql.link import Db

OPENING = 7_306_080_003  # an advisory lock: one request of a tenant at a time is opened
TIMED = (RequestState.PENDING, RequestState.APPROVED)
NOTE_TIME = "UPDATE latest_time SET seconds = $1 WHERE seconds < $1 - 0.5"
SAME = """
    SELECT * FROM requests WHERE digest = $1 AND (state IN ('pending', 'approved')
        OR (state = 'denied' AND decided > $2)) ORDER BY created DESC LIMIT 1
    """
ROOM = """
    SELECT count(*) FILTER (WHERE asker = $1) AS of_session, count(*) AS overall
    FROM requests WHERE state = 'pending'
    """
MAKE_ROOM = """
    DELETE FROM requests WHERE id IN (
        SELECT id FROM requests WHERE state NOT IN ('pending', 'approved', 'executing')
        ORDER BY created DESC OFFSET $1 FOR UPDATE SKIP LOCKED)
    """
SETTLE = """
    UPDATE requests SET state = $2, decided_by = $3, channel = $4, words = $5, edited = $6,
        decided = $7, expires = coalesce($8, expires)
    WHERE id = $1 AND state = 'pending' AND digest = $9 AND expires > $10
        AND (SELECT count(*) FROM answers WHERE request_id = $1) = $11
    """
ANSWER = "INSERT INTO answers VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
MOVE = """
    UPDATE requests SET state = $2,
        consumed = CASE WHEN $2 = 'executing' THEN $3 ELSE consumed END,
        claimed_on = CASE WHEN $2 = 'executing' THEN $4 ELSE claimed_on END,
        edited = CASE WHEN $2 = 'executing' THEN edited ELSE '' END
    WHERE id = $1 AND state = $5 AND ($6 = '' OR digest = $6) AND (NOT $7 OR expires > $3)
    """
OVER = """
    SELECT (SELECT seconds FROM latest_time) - $2 > $1 OR EXISTS (
        SELECT FROM requests WHERE state IN ('pending', 'approved') AND expires <= $1)
    """
# Rows that somebody holds are answered at this moment; the next look finds them.
EXPIRE = """
    UPDATE requests SET state = 'expired', edited = '' WHERE id IN (
        SELECT id FROM requests WHERE state IN ('pending', 'approved') AND expires <= $1
        FOR UPDATE SKIP LOCKED)
    RETURNING id
    """
# After a jump back nobody knows what time is left, so all that is open is over (T-46).
EXPIRE_ALL = """
    UPDATE requests SET state = 'expired', edited = '' WHERE state IN ('pending', 'approved')
    RETURNING id
    """
HAS_JUMPED = "SELECT seconds - $2 > $1 FROM latest_time"
RETIRE = """
    UPDATE requests SET state = 'expired' WHERE id = $1 AND state IN ('pending', 'approved')
    """
# One whose refusal is not believed is not found again.
FORGET_REFUSAL = "UPDATE requests SET decided = 0 WHERE id = $1 AND state = 'denied'"


async def note_time(db: Db, now_s: float) -> None:
    """Store the latest time seen.

    Not within another transaction, which would lock the row for all.
    """
    await db.execute(NOTE_TIME, now_s)


async def find_same(db: Db, new: NewRequest, now_s: float) -> Db:
    """Return the row of the open, approved or just denied request with the same digest."""
    return await db.fetchrow(SAME, new.digest, now_s - new.join_s)


async def make_room(db: Db) -> None:
    """Delete the oldest settled requests beyond the limit."""
    await db.execute(MAKE_ROOM, KEPT_LIMIT)


async def settle(db: Db, id: str, settlement: Settlement, *, digest: str, now_s: float) -> None:
    """Apply an answer to a pending request, and store it; call this in a transaction.

    Raises:
        Lost: it is not pending any more, its time is over, or the step was already answered.
    """
    given, is_over = settlement.given, settlement.to is not RequestState.PENDING
    # From the approval on another time counts: how long it may be used, not how long answered.
    is_approved = settlement.to is RequestState.APPROVED
    moved = await db.execute(
        SETTLE,
        id,
        settlement.to.value,
        given.approver if is_over else "",
        given.channel if is_over else "",
        bytes_of(settlement.words),
        settlement.edited,
        now_s if is_over else None,
        now_s + settlement.use_s if is_approved else None,
        digest,
        now_s,
        given.step,
    )
    if not has_changed(moved):
        raise Lost
    try:
        await db.execute(
            ANSWER,
            *(id, given.step, given.approver, given.channel, given.verdict, given.proof),
            *(bytes_of(given.words), given.took_s, given.was_fast, given.at_s, given.seal),
        )
    except asyncpg.UniqueViolationError:
        # Two answers of one person, or to one step, at the same moment (T-32).
        raise Lost from None


class MovedBy(Struct, frozen=True, kw_only=True):
    """Who changes a request's state, and when; `digest` must match, "" = any."""

    digest: str
    now_s: float
    node: str


async def move(db: Db, id: str, to: RequestState, *, start: RequestState, by: MovedBy) -> bool:
    """Change a request's state from `start` to `to`; return False if it was not in `start`."""
    # What is running has no time limit, and what is over can still be expired.
    is_timed = start in TIMED and to is not RequestState.EXPIRED
    values = (by.now_s, by.node, start.value, by.digest, is_timed)
    return has_changed(await db.execute(MOVE, id, to.value, *values))


async def retire(db: Db, id: str) -> None:
    """Expire a request at once, whatever time it has left: it was tampered with."""
    await db.execute(RETIRE, id)
    await db.execute(FORGET_REFUSAL, id)


async def expire(db: Db, now_s: float) -> tuple[str, ...]:
    """Expire requests whose time is over; return their ids.

    If the clock was set back, everything open expires and every grant ends, since one whose time
    was over would hold again.
    """
    if not await db.fetchval(OVER, now_s, BACKWARDS_S):
        return ()
    if not await db.fetchval(HAS_JUMPED, now_s, BACKWARDS_S):
        return _ids(await db.fetch(EXPIRE, now_s))
    rows = await db.fetch(EXPIRE_ALL)
    await db.execute("DELETE FROM grants")
    # Last: the new time is the highest from here on, else nothing could ever be asked again.
    await db.execute("UPDATE latest_time SET seconds = $1", now_s)
    return _ids(rows)


def _ids(rows: Sequence[Db]) -> tuple[str, ...]:
    return tuple(row["id"] for row in rows)


def has_changed(said: str) -> bool:
    """Return whether a statement changed a row, by the server's status text (`UPDATE 1`)."""
    return said.rpartition(" ")[2] != "0"
