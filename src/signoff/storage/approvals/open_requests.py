"""Which requests are open, and how many answers each has: told without reading any of them.

open_requests(database)      {"4f0c...": 0}
"""

from __future__ import annotations

from collections.abc import Mapping

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
