"""Answers to actions with a request id, in the shared store.

An answer is sealed with the key of the nodes: who can write the database makes none, and moves
none to another call. The lease to answer is a row that its node holds for a few seconds at a time;
a node that died, or cannot reach the database, holds it no longer and can keep nothing.

    answers = PostgresAnswers(tables, seal=seal)
    begun = await answers.begin(asked)        AnswerLease, or what is kept already
    await answers.keep(begun, body)
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time

from signoff.challenge.proofs.ledger import Alarms
from signoff.challenge.proofs.seal import KEPT_PREFIX, Seal
from signoff.errors import StoreError, TamperedRecord
from signoff.ids import new_id
from signoff.storage.approvals.answer_store import (
    AnswerLease,
    IdempotentRequest,
    LostLease,
    StoredAnswer,
)
from signoff.storage.postgresql.approvals.arrows import has_changed
from signoff.storage.postgresql.approvals.tables import RequestTables
from signoff.storage.postgresql.link import Db
from signoff.values import replace

log = logging.getLogger(__name__)

KEPT_S = 600.0  # as long as a daemon alone keeps them
HELD_S = 4.0
HOLD_EVERY_S = 1.0
AHEAD_S = 5.0  # what is later than now by more was written before the clock was set back
ROWS_LIMIT = 65_536
TIDY_EVERY_S = 10.0
NOW = "extract(epoch FROM clock_timestamp())::float8"
# One statement: of all who ask at the same moment, one gets the lease.
BEGIN = f"""
    INSERT INTO kept_answers AS old (key, ticket, digest, files, holder, held_until)
    VALUES ($1, $2, $3, $4, $5, {NOW} + $6)
    ON CONFLICT (key) DO UPDATE SET ticket = excluded.ticket, digest = excluded.digest,
        files = excluded.files, holder = excluded.holder, held_until = excluded.held_until,
        answer = NULL, answered = NULL, seal = ''
    WHERE CASE WHEN old.answer IS NULL THEN
        (old.digest = excluded.digest AND NOT old.held_until BETWEEN {NOW} AND {NOW} + $8)
        OR old.held_until < {NOW} - $7
    ELSE NOT old.answered BETWEEN {NOW} - $7 AND {NOW} + $8 END
    RETURNING {NOW} AS now
    """  # noqa: S608 - `NOW` is ours
ONE = f"SELECT *, held_until >= {NOW} AS is_held FROM kept_answers WHERE key = $1"  # noqa: S608 - `NOW` is ours
BY_TICKET = f"SELECT *, held_until >= {NOW} AS is_held FROM kept_answers WHERE ticket = $1"  # noqa: S608 - `NOW` is ours
HOLD = f"""
    UPDATE kept_answers SET held_until = {NOW} + $2 WHERE holder = ANY($1::text[])
        AND answer IS NULL
    """  # noqa: S608 - `NOW` is ours
KEEP = """
    UPDATE kept_answers SET answer = $3, answered = $4, seal = $5
    WHERE key = $1 AND holder = $2 AND answer IS NULL
    """
LEAVE = "DELETE FROM kept_answers WHERE key = $1 AND holder = $2 AND answer IS NULL"
TIDY = f"""
    DELETE FROM kept_answers WHERE coalesce(answered, held_until) < {NOW} - $1 OR key IN (
        SELECT key FROM kept_answers WHERE answer IS NOT NULL ORDER BY answered DESC OFFSET $2)
    """  # noqa: S608 - `NOW` is ours


class PostgresAnswers:
    """An `AnswerStore` that all nodes share.

    Args:
        seal: holds the key of the nodes.
        held_s: seconds after which a lease that is not renewed ends.
    """

    def __init__(
        self,
        tables: RequestTables,
        *,
        seal: Seal,
        alarms: Alarms | None = None,
        held_s: float = HELD_S,
    ) -> None:
        self._tables, self._seal, self._held_s = tables, seal, held_s
        self._alarms = alarms or Alarms()
        self._leases: set[str] = set()
        self._holding: asyncio.Task[None] | None = None
        self._tidied_s = 0.0

    async def begin(self, asked: IdempotentRequest) -> AnswerLease | StoredAnswer:
        """Take the lease, or return what is stored if a node has it or has answered.

        Raises:
            TamperedRecord: what is kept was not written by a node.
            StoreError: that cannot be known.
        """
        await self._tidy()
        # Another tenant may be asked under the same id.
        asked = replace(asked, key=self._tables.link.address.scoped(asked.key))
        holder, at_s = new_id(), time.monotonic()
        values = (asked.key, asked.ticket, asked.digest, asked.files, holder)
        terms = (self._held_s, KEPT_S, AHEAD_S + self._held_s)

        async def begun(db: Db) -> AnswerLease | StoredAnswer | None:
            row = await db.fetchrow(BEGIN, *values, *terms)
            if row is not None:
                return AnswerLease(asked=asked, holder=holder, began_s=row["now"], at_s=at_s)
            row = await db.fetchrow(ONE, asked.key)
            return None if row is None else self._read(row)

        found = await self._tables.read(begun)
        while found is None:  # given back between the two statements: the same again
            found = await self._tables.read(begun)
        if isinstance(found, AnswerLease):
            self._leases.add(holder)
            if self._holding is None or self._holding.done():
                self._holding = asyncio.get_running_loop().create_task(self._hold())
        return found

    async def keep(self, lease: AnswerLease, body: bytes) -> None:
        """Store the answer.

        Raises:
            LostLease: another node has taken over, so this answer must not be given.
            StoreError: it is not kept, or that cannot be known.
        """
        self._leases.discard(lease.holder)
        answered_s = lease.began_s + time.monotonic() - lease.at_s
        seal = self._seal.of_kept_answer(*_parts(lease.asked, body, answered_s))
        values = (lease.asked.key, lease.holder, body, answered_s, seal)
        if not has_changed(await self._tables.read(lambda db: db.execute(KEEP, *values))):
            raise LostLease("another node has taken over this request id: ask again")

    async def leave(self, lease: AnswerLease) -> None:
        """Give the lease up without an answer; if that fails, it expires."""
        self._leases.discard(lease.holder)
        try:
            await self._tables.read(lambda db: db.execute(LEAVE, lease.asked.key, lease.holder))
        except StoreError as error:
            log.info("a lease was not given back: %s", error)

    async def find(self, ticket: str) -> StoredAnswer | None:
        """Return what is stored under a ticket, None if nothing is (any more).

        Raises:
            TamperedRecord: what is kept was not written by a node.
            StoreError: that cannot be known.
        """
        row = await self._tables.read(lambda db: db.fetchrow(BY_TICKET, ticket))
        return None if row is None else self._read(row)

    def _read(self, row: Db) -> StoredAnswer:
        """Return what a row says, if its seal holds."""
        body, answered_s = row["answer"], row["answered"]
        asked = IdempotentRequest(
            key=row["key"], ticket=row["ticket"], digest=row["digest"], files=row["files"]
        )
        if body is not None:
            parts = _parts(asked, body, answered_s)
            if not self._seal.made(KEPT_PREFIX, parts, row["seal"]):
                words = "the answer kept under a request id was changed in the store"
                self._alarms.tell(asked.key, words)
                raise TamperedRecord(words)
        return StoredAnswer(
            digest=asked.digest, files=asked.files, body=body or b"", is_held=row["is_held"]
        )

    async def _hold(self) -> None:
        """Hold the leases of this process as long as it has any."""
        while self._leases:
            await asyncio.sleep(HOLD_EVERY_S)
            try:
                await self._tables.read(self._held)
            except StoreError as error:
                log.warning("leases of actions cannot be held: %s", error)

    async def _held(self, db: Db) -> None:
        await db.execute(HOLD, list(self._leases), self._held_s)

    async def _tidy(self) -> None:
        """Delete expired answers, now and then."""
        now_s = time.monotonic()
        if now_s - self._tidied_s > TIDY_EVERY_S:
            self._tidied_s = now_s
            await self._tables.read(lambda db: db.execute(TIDY, KEPT_S, ROWS_LIMIT))


def _parts(asked: IdempotentRequest, body: bytes, answered_s: float | None) -> tuple[str, ...]:
    """Return what an answer is sealed with."""
    answer = hashlib.sha256(body).hexdigest()
    return (asked.key, asked.ticket, asked.digest, asked.files, repr(answered_s), answer)
