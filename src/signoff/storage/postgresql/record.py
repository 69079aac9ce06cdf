"""The record of one node in the shared store: its own hash chain, durable before the answer.

A batch is one statement: it moves the node's head from the entry this process knows to the newest
one, and adds entries and session facts only if the head was still there. So a chain never forks,
whichever processes of the node write it. What was seen of the chain is kept on this machine as
well: a store that was set back, by a restored copy or a failover that lost entries, is refused.

    record = PostgresRecord(StoreLink(address, prepare=prepare), seen=SeenHead(path))
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import Iterator, Sequence

from signoff.effects.store import RecordDraft, RecordEntry, SessionKey, SessionMemory
from signoff.errors import StoreError, TamperedRecord
from signoff.storage.chain import Head, VerifyResult, link_entries, verify_chain
from signoff.storage.commits.seen_head import SeenHead
from signoff.storage.postgresql.facts import columns, forget, read_past
from signoff.storage.postgresql.link import Db, StoreLink
from signoff.storage.postgresql.removing import remove_contents, removed_upto
from signoff.storage.sessions.session_history import MemoryLimits, SessionHistory
from signoff.values import replace

log = logging.getLogger(__name__)

BLOCK = 1_000
TRIES = 50  # another process of the same node was faster each time
# All nodes share the table, and looking for what is too much reads all of it.
LIMITS = MemoryLimits(sessions=20_000, prune_every=20_000)
HEAD = """
    SELECT nodes.seq, nodes.hash, records.hash AS newest FROM nodes
    LEFT JOIN records ON records.node = nodes.name AND records.seq = nodes.seq
    WHERE nodes.name = $1
    """
APPEND = """
    WITH moved AS (
        UPDATE nodes SET seq = $4, hash = $5 WHERE name = $1 AND seq = $2 AND hash = $3
        AND (seq = 0 OR EXISTS (SELECT FROM records WHERE node = $1 AND seq = $2 AND hash = $3))
        RETURNING name, tenant
    ), added AS (
        INSERT INTO records (tenant, node, seq, body, prev, hash, leaf)
        SELECT tenant, name, entry.* FROM moved,
            unnest($6::bigint[], $7::bytea[], $8::bytea[], $9::bytea[], $10::bytea[]) AS entry
    ), base AS (
        SELECT nextval('fact_order') AS number, tenant FROM moved
        WHERE cardinality($11::bytea[]) > 0
    ), learned AS (
        INSERT INTO session_facts AS old (tenant, agent, session, kind, item, count, at)
        SELECT base.tenant, fact.agent, fact.session, fact.kind, fact.item, fact.count,
            base.number + fact.place
        FROM base, unnest($11::bytea[], $12::bytea[], $13::text[], $14::bytea[], $15::bigint[],
            $16::bigint[]) AS fact (agent, session, kind, item, count, place)
        ON CONFLICT (agent, session, kind, item)
        DO UPDATE SET count = old.count + excluded.count, at = excluded.at
    )
    SELECT count(*) FROM moved
    """
ALL_ENTRIES = """
    SELECT seq, body, prev, hash, leaf FROM records
    WHERE node = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq LIMIT $4
    """
ENTRIES = ALL_ENTRIES.replace("ORDER BY", "AND body <> '' ORDER BY")
# Goes through the write-ahead log to the disk as an entry does, and changes no table.
WRITABLE = """
    SELECT pg_logical_emit_message(true, 'signoff', 'ready') IS NOT NULL
    AND has_table_privilege('records', 'INSERT') AND has_table_privilege('nodes', 'UPDATE')
    """
LEAVES = """
    SELECT leaf FROM records WHERE node = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq LIMIT $4
    """


class PostgresRecord:
    """A `Store`: the audit log of one node, and the session history of all nodes.

    Args:
        seen: the newest entry this machine has seen; None = nothing is compared.
        node: "" = this machine's.
    """

    def __init__(
        self,
        link: StoreLink,
        *,
        seen: SeenHead | None = None,
        limits: MemoryLimits = LIMITS,
        node: str = "",
    ) -> None:
        self.link, self.limits = link, limits
        self.node = node or link.address.node
        self._chain = link.address.scoped(self.node)  # as the tables of all tenants name it
        self._seen = seen
        self._lock = threading.Lock()
        self._head: Head | None = None  # None = unknown: read it before the next batch

    async def append(self, draft: RecordDraft) -> RecordEntry:
        """Store one entry and return it once it is durable."""
        return await asyncio.to_thread(self.append_now, draft)

    def append_now(self, draft: RecordDraft) -> RecordEntry:
        """Like `append`, from code that is not async."""
        (stored,) = self.append_batch((draft,))
        if isinstance(stored, StoreError):
            raise stored
        return stored

    def append_batch(self, drafts: Sequence[RecordDraft]) -> list[RecordEntry | StoreError]:
        """Store entries in one statement; a draft that cannot be stored fails alone.

        Returns one entry or one StoreError for each draft, in their order.

        Raises:
            StoreError: none of them is durable, or that cannot be known.
        """
        with self._lock:
            for _ in range(TRIES):
                # Unknown until it is confirmed: if the answer is lost, nobody knows whether the
                # batch was stored.
                before, self._head = self._head or self._read_head(), None
                stored, head = link_entries([one.content for one in drafts], before)
                if head == before:
                    self._head = before
                    return stored
                if self._added(before, head, drafts, stored):
                    self._head = head
                    self._note(head)
                    break
            else:
                raise StoreError(f"other processes of node `{self.node}` write all the time")
        # Outside the lock: forgetting takes a while, and the entries are durable already.
        self._forget_some(before, head)
        return stored

    def check_writable(self) -> None:
        """Make a durable write that changes nothing; StoreError if it fails."""
        if not self.link.run(lambda db: db.fetchval(WRITABLE)):
            raise StoreError(f"`{self.link.address.shown}` does not let this role write entries")
        self._read_head()

    async def remembered(self, key: SessionKey, function: str) -> SessionMemory:
        """Return the history of a session, and how often it called `function`."""
        return (await self.past(key)).remembered(function)

    async def past(self, key: SessionKey) -> SessionHistory:
        """Return the history of a session, within the limits."""
        tenant = self.link.address.tenant
        return await self.link.call(lambda db: read_past(db, key, self.limits, tenant))

    def entries(self, *, first: int = 1, last: int | None = None) -> Iterator[RecordEntry]:
        """Yield this node's entries from `first` to `last`, without those with deleted contents."""
        return self._found(ENTRIES, first, sys.maxsize if last is None else last)

    def removed_entries(self) -> Iterator[RecordEntry]:
        """Yield the entries whose contents were deleted, with empty bodies."""
        upto = self.link.run(lambda db: removed_upto(db, self._chain))
        return (one for one in self._found(ALL_ENTRIES, 1, upto) if not one.body)

    def remove_contents(self, *, upto: int) -> int:
        """Delete the contents of entries up to this number; return how many had contents.

        Hashes and leaves stay, and the newest entry keeps its contents.
        """
        return remove_contents(self.link, self._chain, upto=upto)

    def _found(self, query: str, first: int, last: int) -> Iterator[RecordEntry]:
        while True:
            rows = self._fetch(query, first, last)
            for row in rows:
                yield RecordEntry(**row)
            if len(rows) < BLOCK:
                return
            first = rows[-1]["seq"] + 1

    def leaves(self, *, first: int = 1, last: int | None = None) -> Iterator[bytes]:
        """Yield the leaf hashes of this node's entries from `first` to `last`."""
        end = sys.maxsize if last is None else last
        while rows := self._fetch(LEAVES, first, end):
            yield from (row["leaf"] for row in rows)
            first += len(rows)

    def head(self) -> Head:
        """Return number and hash of this node's newest entry, from their own row."""
        row = self.link.run(lambda db: db.fetchrow(HEAD, self._chain))
        return Head() if row is None else Head(seq=row["seq"], hash=row["hash"])

    def verify(self) -> VerifyResult:
        """Check the hash chain of this node; appending can go on meanwhile."""
        head, upto = self.head(), self.link.run(lambda db: removed_upto(db, self._chain))
        result = verify_chain(self._found(ALL_ENTRIES, 1, head.seq), head, removed_upto=upto)
        lost = self._lost(head) if result.ok else ""
        return replace(result, ok=False, bad_seq=head.seq + 1, problem=lost) if lost else result

    def loss(self) -> str:
        """Return a message if entries seen before are missing from the log, else "".

        Raises:
            StoreError: the log, or the note of what was seen, cannot be read.
        """
        return self._lost(self.head())

    def close(self) -> None:
        """Close the connections; the next use opens them again."""
        self.link.close()

    def _fetch(self, query: str, first: int, last: int) -> list[Db]:
        found: list[Db] = self.link.run(lambda db: db.fetch(query, self._chain, first, last, BLOCK))
        return found

    def _read_head(self) -> Head:
        """Return the head to append to, after a look at the newest entry itself.

        Raises:
            TamperedRecord: the record does not end where its head says, or was set back.
        """
        row = self.link.run(self._own_head)
        head = Head(seq=row["seq"], hash=row["hash"])
        if head.seq and row["newest"] != head.hash:
            raise TamperedRecord(
                f"the record of node `{self.node}` does not end where its head says:"
                " run `signoff audit verify`",
                seq=head.seq,
            )
        if problem := self._lost(head):
            raise TamperedRecord(problem, seq=head.seq)
        return head

    async def _own_head(self, db: Db) -> Db:
        """Return the row of this node, made if it is new."""
        if (row := await db.fetchrow(HEAD, self._chain)) is None:
            new = "INSERT INTO nodes (name) VALUES ($1) ON CONFLICT DO NOTHING"
            await db.execute(new, self._chain)
            row = await db.fetchrow(HEAD, self._chain)
        return row

    def _added(
        self,
        before: Head,
        after: Head,
        drafts: Sequence[RecordDraft],
        stored: Sequence[RecordEntry | StoreError],
    ) -> bool:
        """Add a batch; tell whether the record still ended where this process thought."""
        pairs = [
            (entry, draft)
            for entry, draft in zip(stored, drafts, strict=True)
            if isinstance(entry, RecordEntry)
        ]
        entries = [entry for entry, _ in pairs]
        updates = [draft.session_update for _, draft in pairs if draft.session_update]
        try:
            facts = columns(updates, self.link.address.tenant)
        except UnicodeError as error:
            raise StoreError(f"what a session did cannot be stored: {error}") from error
        arguments = (
            *(self._chain, before.seq, before.hash, after.seq, after.hash),
            [one.seq for one in entries],
            [one.body for one in entries],
            [one.prev for one in entries],
            [one.hash for one in entries],
            [one.leaf for one in entries],
            *facts,
        )
        return bool(self.link.run(lambda db: db.fetchval(APPEND, *arguments)))

    def _note(self, head: Head) -> None:
        if self._seen is None:
            return
        try:
            self._seen.note(head)
        except OSError as error:
            raise StoreError(f"cannot write `{self._seen.path}`: {error}") from error

    def _lost(self, head: Head) -> str:
        """Say that the record no longer holds the newest entry seen here, "" if it does."""
        if self._seen is None:
            return ""
        seen = self._seen.last if self._seen.last.seq else self._seen.read()
        if not seen.seq or seen == head:
            return ""
        found = next(self._found(ALL_ENTRIES, seen.seq, seen.seq), None)
        if found is not None and found.hash == seen.hash:
            return ""
        return (
            f"the record of node `{self.node}` ends at entry {head.seq}, but entry {seen.seq} was"
            " seen in it before: the store was set back, or entries were removed. Restore the"
            f" missing entries, or, if you did this, remove `{self._seen.path}` and restart"
        )

    def _forget_some(self, before: Head, after: Head) -> None:
        """Now and then forget sessions; that it fails costs room and nothing else."""
        step = self.limits.prune_every
        # By crossing a multiple: a batch may jump over the very number.
        if before.seq // step == after.seq // step:
            return
        try:
            self.link.run(lambda db: forget(db, self.limits))
        except StoreError as error:
            log.warning("old sessions are not forgotten: %s", error)
