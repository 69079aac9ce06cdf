"""One-time execution tokens in SQLite: what an approved call was bound to when it was allowed.

SqliteExecutionTokens(database).take(request_id)  # the digest of its files; "" the second time
"""

from __future__ import annotations

from signoff.storage.approvals.database import Database


class SqliteExecutionTokens:
    """Stores execution tokens in the database of the requests."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def leave(self, request_id: str, files: str) -> None:
        """Store the digest of the files that a request's approval is bound to.

        Raises:
            StoreError: it cannot be stored, or there is one.
        """
        with self.database.writing() as db:
            db.execute("INSERT INTO slips (request_id, files) VALUES (?, ?)", (request_id, files))

    def take(self, request_id: str) -> str:
        """Return that digest and delete it; "" if there is none or it was taken before."""
        with self.database.writing() as db:
            row = db.execute(
                "UPDATE slips SET is_taken = 1 WHERE request_id = ? AND is_taken = 0"
                " RETURNING files",
                (request_id,),
            ).fetchone()
            return "" if row is None else str(row["files"])
