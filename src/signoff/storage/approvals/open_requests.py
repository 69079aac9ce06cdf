"""Which requests are open: told without reading their cards.

open_requests(database)                  {"4f0c...": 0}                  answers by id
open_by_session(database, now)           {("claude-code", "s1"): 3}      requests by session
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.challenge.pending import ClockReading
from signoff.storage.approvals import arrows
from signoff.storage.approvals.database import Database

LIMIT = 1_000


def open_requests(database: Database) -> Mapping[str, int]:
    """Return the number of answers by id, the newest first.

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
    """Return how many requests can be answered now, by host and session.

    Raises:
        StoreError: the file cannot be read.
    """
    with database.reading() as db:
        rows = db.execute(
            "SELECT json_extract(CAST(context AS TEXT), '$.host') AS host,"
            " json_extract(CAST(context AS TEXT), '$.session') AS session, count(*) AS number"
            " FROM requests WHERE state = 'pending'"
            " AND is_alive(expires_wall, expires_running, expires_boot, :wall, :running, :boot)"
            " GROUP BY host, session",
            arrows.clocks(now),
        ).fetchall()
    return {(row["host"] or "", row["session"] or ""): row["number"] for row in rows}
