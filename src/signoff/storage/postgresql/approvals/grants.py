"""Grants and execution tokens in the shared store.

A grant that was revoked on one node covers nothing on any other: its use is counted by the
database, which says whether it is still there.
"""

from __future__ import annotations

from collections.abc import Sequence

from signoff.challenge.proofs.ledger import Alarms
from signoff.challenge.terms.grant import LONGEST_S, Grant, NewGrant
from signoff.storage.approvals.standing import number_of
from signoff.storage.postgresql.approvals.rows import bytes_of, read_grant
from signoff.storage.postgresql.approvals.tables import RequestTables
from signoff.storage.postgresql.approvals.watch import StoreWatch
from signoff.storage.postgresql.link import Db

ADD = """
    INSERT INTO grants (digest, shape, session, agent, said, author, channel, created, expires,
        seal) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING *
    """
USE = "UPDATE grants SET uses = uses + 1 WHERE number = $1 AND expires > $2 RETURNING *"
TAKE = """
    UPDATE execution_tokens SET is_taken = true WHERE request_id = $1 AND NOT is_taken
    RETURNING files
    """


class PostgresGrants:
    """A `GrantStore` that all nodes share."""

    def __init__(
        self, tables: RequestTables, watch: StoreWatch, *, alarms: Alarms | None = None
    ) -> None:
        self._tables, self._watch = tables, watch
        self._alarms = alarms or Alarms()
        self._seen: set[str] = set()  # seals of those that were in force
        self._ended: set[str] = set()  # seals of those that have ended: they hold never again

    def add(self, new: NewGrant) -> Grant:
        """Store a grant and return it with its id."""
        now_s = self._watch.moment().wall_s
        values: Sequence[object] = (
            new.digest,
            *map(bytes_of, (new.shape, new.session, new.agent, new.said, new.author)),
            new.channel,
            now_s,
            # Here as well, whatever the caller says (T-45).
            min(new.expires_s, now_s + LONGEST_S),
            new.seal,
        )
        grant = read_grant(self._tables.run(lambda db: db.fetchrow(ADD, *values)))
        self._watch.look()
        return grant

    def find(self, *, digest: str, shape: str, agent: str, session: str) -> Grant | None:
        """Return a valid grant for this call and count one use of it, None if there is none."""
        for grant in self.listed():
            is_exact = bool(digest) and grant.digest == digest
            is_alike = bool(shape and session) and (grant.shape, grant.session) == (shape, session)
            if grant.agent == agent and (is_exact or is_alike):
                return self._used(grant)
        return None

    def _used(self, grant: Grant) -> Grant | None:
        """Count a use; None if it was ended meanwhile, on whichever node."""
        number, now_s = number_of(grant.id, "gr_"), self._watch.moment().wall_s
        row = self._tables.run(lambda db: db.fetchrow(USE, number, now_s))
        return None if row is None else read_grant(row)

    def listed(self) -> tuple[Grant, ...]:
        """Return the valid grants, newest first."""
        now_s = self._watch.moment().wall_s
        there = {grant.seal: grant for grant in self._watch.seen().grants}
        # A grant is never given back: what was there once and is not now has ended.
        self._ended |= self._seen - there.keys()
        self._seen = set(there) - self._ended
        for seal in self._ended & there.keys():
            words = f"grant {there[seal].id} had ended and was put back; it is refused"
            self._alarms.tell(seal, words)
        return tuple(
            grant
            for seal, grant in there.items()
            if seal not in self._ended and grant.created_at.timestamp() <= now_s < grant.expires_s
        )

    def seal(self, id: str, seal: str) -> None:
        """Replace the seal of a grant."""
        self._change("UPDATE grants SET seal = $2 WHERE number = $1", number_of(id, "gr_"), seal)

    def revoke(self, id: str) -> bool:
        """End a grant; return whether it existed."""
        gone = self._change(
            "DELETE FROM grants WHERE number = $1 RETURNING seal", number_of(id, "gr_")
        )
        # At once: nobody may look before the same row stands there again.
        self._ended.update(row["seal"] for row in gone)
        return bool(gone)

    def _change(self, statement: str, *values: object) -> Sequence[Db]:
        rows: Sequence[Db] = self._tables.run(lambda db: db.fetch(statement, *values))
        self._watch.look()
        return rows


class PostgresExecutionTokens:
    """An `ExecutionTokenStore` that all nodes share."""

    def __init__(self, tables: RequestTables) -> None:
        self._tables = tables

    def leave(self, request_id: str, files: str) -> None:
        """Store the digest of the files that a request's approval is bound to.

        Raises:
            StoreError: it cannot be stored, or there is one.
        """
        put = "INSERT INTO execution_tokens (request_id, files) VALUES ($1, $2)"
        self._tables.run(lambda db: db.execute(put, request_id, files))

    def take(self, request_id: str) -> str:
        """Return that digest and delete it; "" if there is none or it was taken before."""
        return self._tables.run(lambda db: db.fetchval(TAKE, request_id)) or ""
