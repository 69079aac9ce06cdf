"""Which requests are open, found without reading their cards, and whether one more has room.

open_requests(database)                  {"4f0c...": 0}                  answers by id
open_by_session(database, now)           {("claude-code", "s1"): 3}      requests by session
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

import msgspec

from signoff.challenge.pending import ClockReading, Context, WaitingLimits
from signoff.storage.approvals import arrows
from signoff.storage.approvals.database import Database
from signoff.storage.approvals.rows import asker

LIMIT = 1_000


def open_requests(database: Database) -> Mapping[str, int]:
    """Return the number of answers of each open request, by id, newest first.

    Raises:
        StoreError: the file cannot be read.
    """
    with database.reading() as db:
        rows = db.execute(
            "SELECT id, (SELECT count(*) FROM given WHERE request_id = id) AS answers"
            " FROM requests WHERE state = 'pending' ORDER BY created_wall DESC LIMIT ?",
            (LIMIT,),
        ).fetchall()
    return {row["id"]: row["answers"] for row in rows}


def open_by_session(database: Database, now: ClockReading) -> Mapping[tuple[str, str], int]:
    """Return the number of requests open now, by (host, session).

    Raises:
        StoreError: the file cannot be read.
    """
    with database.reading() as db:
        rows = db.execute(
            "SELECT asker, count(*) AS number FROM requests WHERE state = 'pending' AND"
            " CASE expires_boot WHEN nullif(:boot, '')"
            " THEN expires_running > :running ELSE expires_wall > :wall END GROUP BY asker",
            arrows.clocks(now),
        ).fetchall()
    return {_session_of(row["asker"]): row["number"] for row in rows}


def _session_of(text: str) -> tuple[str, str]:
    """Return host and session as they are kept; none where somebody edited them (T-61)."""
    try:
        return msgspec.json.decode(text, type=tuple[str, str])
    except (msgspec.MsgspecError, ValueError):
        return "", ""


def check_room(db: sqlite3.Connection, context: Context, room: WaitingLimits) -> None:
    """Raise if a session may not have one more open request.

    Raises:
        TooManyWaiting: a limit is reached.
    """
    of_session = db.execute(
        "SELECT count(*) FROM requests WHERE state = 'pending' AND asker = ?", (asker(context),)
    ).fetchone()[0]
    overall = db.execute("SELECT count(*) FROM requests WHERE state = 'pending'").fetchone()[0]
    room.refuse(of_session=of_session, overall=overall)
