"""Pending requests in the shared store: asked on one node, answered and used on any, once.

Every change is one compare-and-set by the database, whichever nodes race for it, and all times are
the database's. A node that cannot reach the database changes nothing and says so. After a restart
a node takes care of what it had let go itself; what other nodes let go is theirs.

    requests = PostgresRequests(tables)
    pending = await requests.open(new)
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from itertools import islice

import msgspec

from signoff.challenge.answer import AnswerTry
from signoff.challenge.pending import (
    ClockReading,
    NewRequest,
    PendingRequest,
    RequestState,
    Settlement,
    WaitingLimits,
)
from signoff.challenge.proofs.ledger import RequestLedger
from signoff.challenge.terms.step import ProofStep
from signoff.storage.approvals.arrows import Lost
from signoff.storage.approvals.change_notifier import ChangeNotifier, Waiter
from signoff.storage.approvals.open_requests import LIMIT
from signoff.storage.approvals.requests import TRIES_READ
from signoff.storage.approvals.rows import asker
from signoff.storage.postgresql.approvals import arrows
from signoff.storage.postgresql.approvals.rows import INSERT, new_row, read_request
from signoff.storage.postgresql.approvals.tables import RequestTables
from signoff.storage.postgresql.approvals.watch import StoreView, StoreWatch
from signoff.storage.postgresql.link import Db
from signoff.values import replace

Steps = tuple[ProofStep, ...]
HOLD_OPENING = "SELECT pg_advisory_xact_lock(own_lock($1))"
ONE = "SELECT * FROM requests WHERE id = $1"
BY_NONCE = "SELECT * FROM requests WHERE nonce = $1"
LISTED = """
    SELECT * FROM requests WHERE state = ANY($1::text[]) ORDER BY created DESC, id LIMIT $2
    """
SHOWN = """
    INSERT INTO looks (request_id, approver, first_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
    """
# Who has tried has seen the card, as long as it is there.
MISSED = """
    INSERT INTO looks AS old (request_id, approver, first_at, misses)
    SELECT id, $2, created, 1 FROM requests WHERE id = $1
    ON CONFLICT (request_id, approver) DO UPDATE SET misses = old.misses + 1 RETURNING misses
    """
SEEN = "SELECT first_at, misses FROM looks WHERE request_id = $1 AND approver = $2"
TRIED = """
    INSERT INTO tries AS old (request_id, approver, kind, count)
    SELECT id, $2, $3, 1 FROM requests WHERE id = $1
    ON CONFLICT (request_id, approver, kind) DO UPDATE SET count = old.count + 1
    """
TRIES = "SELECT * FROM tries WHERE request_id = $1 ORDER BY approver, kind LIMIT $2"
RECOVER = """
    UPDATE requests SET state = 'uncertain' WHERE state = 'executing' AND claimed_on = $1
    RETURNING *
    """
STANDING = """
    SELECT state, expires, (SELECT count(*) FROM answers WHERE request_id = $1) AS answers
    FROM requests WHERE id = $1
    """


class PostgresRequests:
    """A `RequestStore` in a database that all nodes share.

    Args:
        clock: tells the time instead of the database.
        room: how many requests may be open at once, on all nodes together.
    """

    def __init__(
        self,
        tables: RequestTables,
        *,
        clock: Callable[[], ClockReading] | None = None,
        ledger: RequestLedger | None = None,
        room: WaitingLimits | None = None,
    ) -> None:
        self._tables, self._room = tables, room or WaitingLimits()
        self.ledger = ledger or RequestLedger()
        self.watch = StoreWatch(tables, expire=self._expire, changed=self._changed, clock=clock)
        # Nothing is looked at by its timers: the watch does that, and rings.
        self._notifier = ChangeNotifier(
            lambda: None, lambda _: {}, lambda: self.watch.moment().wall_s
        )

    def moment(self) -> ClockReading:
        """Return the present time by the database's clock."""
        return self.watch.moment()

    async def open(
        self, new: NewRequest, steps_of: Callable[[str], Steps] | None = None
    ) -> PendingRequest:
        """Store a request, or return the open, approved or just denied one of the same digest.

        Raises:
            TooManyWaiting: there is no room for one more.
        """
        now_s = await self._now_s()
        await self._tables.read(lambda db: arrows.note_time(db, now_s))
        await self.sweep()
        return await self._tables.change(lambda db: self._open(db, new, steps_of, now_s))

    async def _open(
        self, db: Db, new: NewRequest, steps_of: Callable[[str], Steps] | None, now_s: float
    ) -> PendingRequest:
        # Two calls at once must not both take the last place (T-58), nor ask the same twice.
        await db.execute(HOLD_OPENING, arrows.OPENING)
        while (row := await arrows.find_same(db, new, now_s)) is not None:
            found = await self._read(db, row)
            if found is not None:
                steps = steps_of(found.id) if steps_of else new.steps
                asked = replace(new, steps=steps)
                if self.ledger.joins(found, asked, ClockReading(wall_s=now_s)):
                    return found
            # Broken, or it asks the same in another way: none of ours, so it is asked anew (T-61).
            await arrows.retire(db, row["id"])
        room = await db.fetchrow(arrows.ROOM, asker(new.context))
        self._room.refuse(of_session=room["of_session"], overall=room["overall"])
        await arrows.make_room(db)
        row = await db.fetchrow(INSERT, *new_row(new, now_s, self._tables.node))
        pending = await read_request(db, row)
        self.ledger.opened(pending)
        return pending

    async def get(self, id: str) -> PendingRequest | None:
        """Return a request as it is now, marked expired if its time is over; None if unknown."""
        return await self._found(ONE, id)

    async def by_nonce(self, nonce: str) -> PendingRequest | None:
        """Return the request with this nonce, None if there is none."""
        return await self._found(BY_NONCE, nonce)

    async def _found(self, query: str, value: str) -> PendingRequest | None:
        await self.sweep()
        found, is_there = await self._tables.read(lambda db: self._one(db, query, value))
        if not is_there:
            self.ledger.missing(value)
        return found

    async def _one(self, db: Db, query: str, value: str) -> tuple[PendingRequest | None, bool]:
        row = await db.fetchrow(query, value)
        return (None, False) if row is None else (await self._read(db, row), True)

    async def listed(self, *states: RequestState, limit: int = 100) -> tuple[PendingRequest, ...]:
        """Return requests in these states (none given: in any), newest first."""
        await self.sweep()
        wanted = [one.value for one in states or tuple(RequestState)]

        async def read(db: Db) -> list[PendingRequest | None]:
            return [await self._read(db, row) for row in await db.fetch(LISTED, wanted, limit)]

        found = await self._tables.read(read)
        # Once more: what was tampered with reads as expired, whatever its row says.
        return tuple(one for one in found if one and (not states or one.state in states))

    async def shown(self, id: str, approver: str) -> float:
        """Record that an approver sees the card; return seconds since they first saw it."""
        now_s = await self._now_s()
        await self._tables.read(lambda db: db.execute(SHOWN, id, approver, now_s))
        return await self.seen_s(id, approver) or 0.0

    async def seen_s(self, id: str, approver: str) -> float | None:
        """Return seconds since an approver first saw the card, None if they have not."""
        row = await self._tables.read(lambda db: db.fetchrow(SEEN, id, approver))
        return None if row is None else await self._now_s() - float(row["first_at"])

    async def missed(self, id: str, approver: str) -> int:
        """Count one more wrong proof by an approver; return the new count."""
        return await self._tables.read(lambda db: db.fetchval(MISSED, id, approver)) or 0

    async def misses(self, id: str, approver: str) -> int:
        """Return how many wrong proofs an approver gave for a request."""
        row = await self._tables.read(lambda db: db.fetchrow(SEEN, id, approver))
        return 0 if row is None else int(row["misses"])

    async def tried(self, id: str, approver: str, kind: str) -> None:
        """Count a rejected answer, by its kind (`AnswerTry.kind`)."""
        await self._tables.read(lambda db: db.execute(TRIED, id, approver, kind))

    async def tries(self, id: str) -> tuple[AnswerTry, ...]:
        """Return the rejected answers to a request."""
        rows = await self._tables.read(lambda db: db.fetch(TRIES, id, TRIES_READ))
        return tuple(
            AnswerTry(who=row["approver"], kind=row["kind"], count=row["count"]) for row in rows
        )

    async def settle(self, id: str, settlement: Settlement, *, digest: str) -> bool:
        """Add an answer to a pending request and change its state; False if it was not pending.

        Args:
            digest: must be that of the request.
        """
        now_s = await self._now_s()
        await self._tables.read(lambda db: arrows.note_time(db, now_s))
        await self.sweep()

        async def settle(db: Db) -> None:
            await arrows.settle(db, id, settlement, digest=digest, now_s=now_s)
            if settlement.to is not RequestState.PENDING:
                self._must_move(id, settlement.to)
                self.ledger.checked(await read_request(db, await db.fetchrow(ONE, id)))

        return await self._moved(id, settle)

    async def move(
        self, id: str, to: RequestState, *, start: RequestState, digest: str = ""
    ) -> bool:
        """Change a request's state from `start` to `to`; False if it was in another state.

        Args:
            digest: must be that of the request; "" = any.
        """
        now_s, node = await self._now_s(), self._tables.node
        await self.sweep()

        async def move(db: Db) -> None:
            by = arrows.MovedBy(digest=digest, now_s=now_s, node=node)
            if not await arrows.move(db, id, to, start=start, by=by):
                raise Lost
            self._must_move(id, to)

        return await self._moved(id, move)

    async def _moved(self, id: str, work: Callable[[Db], Awaitable[None]]) -> bool:
        """Do a change; tell whether it was this caller that did it."""
        before = self.ledger.entry(id)
        try:
            await self._tables.change(work)
        except Lost:
            return False
        except BaseException:
            # Nothing is known to be stored, so the memory must not be ahead: else it would find
            # tampering.
            self.ledger.take_back(id, before)
            raise
        finally:
            self._notifier.notify(id)
        return True

    def _must_move(self, id: str, to: RequestState) -> None:
        """Move a request on in the memory of this process as well.

        Raises:
            Lost: the row was set back; what is said there is not so.
        """
        if not self.ledger.moves(id, to):
            raise Lost

    def forged(self, id: str) -> None:
        """Record that stored answers of a request fail verification: nobody gave them."""
        self.ledger.forged(id)

    async def retire(self) -> None:
        """Expire requests that were tampered with, so that waiting callers get an answer."""
        for id in self.ledger.spoilt_ids():
            await self._tables.read(partial(arrows.retire, id=id))
            self._notifier.notify(id)

    async def sweep(self) -> tuple[str, ...]:
        """Expire requests whose time is over; return their ids."""
        now_s = await self._now_s()
        return await self._tables.read(lambda db: self._expire(db, now_s))

    async def _expire(self, db: Db, now_s: float) -> tuple[str, ...]:
        ids = await arrows.expire(db, now_s)
        for id in ids:
            self.ledger.moves(id, RequestState.EXPIRED)
        self._notifier.notify(*ids)
        return ids

    async def recover(self) -> tuple[PendingRequest, ...]:
        """After a crash, mark this node's executing requests as uncertain; return them."""
        self.watch.follow()

        async def recover(db: Db) -> tuple[PendingRequest, ...]:
            rows = await db.fetch(RECOVER, self._tables.node)
            return tuple([await read_request(db, row) for row in rows])

        return await self._tables.change(recover)

    async def wait(
        self,
        id: str,
        *,
        timeout_s: float | None,
        while_in: RequestState,
        answers: int | None = None,
        due_s: float | None = None,
        until: asyncio.Future[object] | None = None,
    ) -> PendingRequest | None:
        """Wait until a request leaves a state; return it then, or as it is at the timeout.

        For the parameters see `PendingStore.wait`.
        """
        self.watch.follow()
        until_s = None if due_s is None else (await self._now_s()) + due_s
        waiter = Waiter(id, while_in, answers, until_s)
        timer = self._notifier.listen(waiter, timeout_s)
        if until is not None:
            until.add_done_callback(waiter.end)
        try:
            while not waiter.is_over:
                # Before it is looked at: what changes meanwhile wakes it as well.
                woken = waiter.woken()
                if not await self._is_waited_for(waiter):
                    break
                if not waiter.is_over:
                    await woken
        finally:
            self._notifier.leave(waiter, timer)
            if until is not None:
                until.remove_done_callback(waiter.end)
        return await self.get(id)

    async def _is_waited_for(self, waiter: Waiter) -> bool:
        """Tell whether what somebody waits for has not come."""
        now_s = await self._now_s()
        if waiter.until_s is not None and waiter.until_s <= now_s:
            return False
        row = await self._tables.read(lambda db: db.fetchrow(STANDING, waiter.id))
        if row is None or row["state"] != waiter.state.value:
            return False
        if waiter.state in arrows.TIMED and row["expires"] <= now_s:
            return False
        return waiter.answers in (None, row["answers"])

    def open_answers(self) -> Mapping[str, int]:
        """Return the number of answers of each open request, by id, newest first."""
        return {id: one.answers for id, one in islice(self.watch.seen().open.items(), LIMIT)}

    def open_by_session(self) -> Mapping[tuple[str, str], int]:
        """Return the number of requests open now, by (host, session)."""
        found = Counter(one.asker for one in self.watch.seen().open.values())
        asked = partial(msgspec.json.decode, type=tuple[str, str])
        return {asked(who): number for who, number in found.items()}

    def version(self) -> tuple[int, int]:
        """Return a value that changes whenever a change was seen in the store."""
        self.watch.seen()
        return self.watch.stamp, 0

    def close(self) -> None:
        """Close the connections; the next use opens them again."""
        self._tables.link.close()

    def _changed(self, before: StoreView | None, now: StoreView) -> None:
        """Wake who waits for what another node has changed."""
        was = before.open if before is not None else {}
        self._notifier.notify(
            *(id for id, one in was.items() if now.open.get(id) != one), *(now.open.keys() - was)
        )

    async def _now_s(self) -> float:
        # The first time it is asked for; in a thread, as that waits for the database.
        if not self.watch.has_time:
            await asyncio.to_thread(self.watch.look)
        return self.watch.moment().wall_s

    async def _read(self, db: Db, row: Db) -> PendingRequest | None:
        """Return the request of a row as it may be believed, None if it is no request any more."""
        try:
            return self.ledger.checked(await read_request(db, row))
        except (ValueError, TypeError, msgspec.MsgspecError):
            self.ledger.spoil(str(row["id"]), "was edited: it cannot be read")
            return None
