"""Pending requests in SQLite: every state change is one statement, and a second one fails.

A request ends by the clock nobody can set while the machine has not been restarted, else by the
wall's. A wall clock that is found earlier than it was ends everything that is open, as nothing
can be said of its time any more.

    requests = SqliteRequests(Database(path))
    pending = await requests.open(new)
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Mapping, Sequence

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
from signoff.challenge.proofs.ledger import TIMED, RequestLedger
from signoff.challenge.terms.step import ProofStep
from signoff.storage.approvals import arrows
from signoff.storage.approvals.arrows import moment_now
from signoff.storage.approvals.change_notifier import ChangeNotifier, Waiter
from signoff.storage.approvals.database import Database
from signoff.storage.approvals.open_requests import check_room, open_by_session, open_requests
from signoff.storage.approvals.rows import asker, new_row, read_request, state_of
from signoff.values import replace

Steps = tuple[ProofStep, ...]
TRIES_READ = 50  # of one request


class SqliteRequests:
    """A `PendingStore` in one file, or in memory.

    Args:
        room: how many requests may be open at once.
    """

    def __init__(
        self,
        database: Database,
        *,
        clock: Callable[[], ClockReading] = moment_now,
        ledger: RequestLedger | None = None,
        room: WaitingLimits | None = None,
    ) -> None:
        self.database = database
        self.ledger = ledger or RequestLedger()
        self._clock, self._room = clock, room or WaitingLimits()
        self._change_notifier = ChangeNotifier(
            self._look, self._standing, lambda: self._clock().running_s
        )
        self._highest, self._set_back = 0.0, 0  # the latest time known; how often it became earlier

    def moment(self) -> ClockReading:
        """Return the present time by this store's clocks."""
        return self._clock()

    async def open(
        self, new: NewRequest, steps_of: Callable[[str], Steps] | None = None
    ) -> PendingRequest:
        """Store a request, or return the open, approved or just denied one of the same digest.

        Raises:
            TooManyWaiting: there is no room for one more.
        """
        await self.sweep()
        return await asyncio.to_thread(self._open, new, steps_of)

    def _open(self, new: NewRequest, steps_of: Callable[[str], Steps] | None) -> PendingRequest:
        """Keep a request; off the loop, as it waits for the disk."""
        now = self._clock()
        with self.database.writing() as db:
            # The time may be a later one though nothing was open: this request must not end by it.
            arrows.set_time(db, now)
            while (row := arrows.find_same(db, new, now)) is not None:
                found = self._read(db, row)
                if found is None:
                    # Else the same broken row would be found for ever, and the call could never
                    # be asked about.
                    self._retire(db, row["id"])
                    continue
                steps = steps_of(found.id) if steps_of else new.steps
                if self.ledger.joins(found, replace(new, steps=steps), now):
                    return found
                # It asks the same and not in the same way, so it is none of ours: asked anew
                # (T-61).
                self._retire(db, found.id)
            # In the same transaction: two calls at once must not both take the last place (T-58).
            check_room(db, new.context, self._room)
            pending = read_request(db, arrows.insert(db, new_row(new, now)))
            self.ledger.opened(pending)
            return pending

    async def get(self, id: str) -> PendingRequest | None:
        """Return a request as it is now, marked expired if its time is over; None if unknown."""
        return await self._found("SELECT * FROM requests WHERE id = ?", id)

    async def by_nonce(self, nonce: str) -> PendingRequest | None:
        """Return the request with this nonce, None if there is none."""
        return await self._found("SELECT * FROM requests WHERE nonce = ?", nonce)

    async def listed(self, *states: RequestState, limit: int = 100) -> tuple[PendingRequest, ...]:
        """Return requests in these states (none given: in any), newest first."""
        await self.sweep()
        wanted = msgspec.json.encode(states or tuple(RequestState)).decode()
        with self.database.reading() as db:
            rows = db.execute(
                "SELECT * FROM requests WHERE state IN (SELECT value FROM json_each(?))"
                " ORDER BY created_wall DESC, id LIMIT ?",
                (wanted, limit),
            ).fetchall()
            found = [self._read(db, row) for row in rows]
        # Once more: what was tampered with reads as expired, whatever its row says.
        return tuple(one for one in found if one and (not states or one.state in states))

    async def shown(self, id: str, approver: str) -> float:
        """Record that an approver sees the card; return seconds since they first saw it."""
        now = self._clock()
        with self.database.writing() as db:
            arrows.see(db, id, approver, now)
        return await self.seen_s(id, approver) or 0.0

    async def seen_s(self, id: str, approver: str) -> float | None:
        """Return seconds since an approver first saw the card, None if they have not."""
        with self.database.reading() as db:
            row = db.execute(
                "SELECT * FROM seen WHERE request_id = ? AND approver = ?", (id, approver)
            ).fetchone()
        if row is None:
            return None
        first = ClockReading(wall_s=row["wall"], running_s=row["running"], boot_id=row["boot"])
        return self._clock().since(first)

    async def missed(self, id: str, approver: str) -> int:
        """Count one more wrong proof by an approver; return the new count."""
        with self.database.writing() as db:
            # Who has tried has seen the card, as long as it is there.
            db.execute(
                "INSERT OR IGNORE INTO seen (request_id, approver, wall, running, boot)"
                " SELECT id, ?, created_wall, created_running, created_boot FROM requests"
                " WHERE id = ?",
                (approver, id),
            )
            db.execute(
                "UPDATE seen SET misses = misses + 1 WHERE request_id = ? AND approver = ?",
                (id, approver),
            )
        return await self.misses(id, approver)

    async def misses(self, id: str, approver: str) -> int:
        """Return how many wrong proofs an approver gave for a request."""
        with self.database.reading() as db:
            row = db.execute(
                "SELECT misses FROM seen WHERE request_id = ? AND approver = ?", (id, approver)
            ).fetchone()
        return 0 if row is None else int(row["misses"])

    async def tried(self, id: str, approver: str, kind: str) -> None:
        """Count a rejected answer, by its kind (`AnswerTry.kind`)."""
        with self.database.writing() as db:
            db.execute(
                "INSERT INTO tries (request_id, approver, kind, count)"
                " SELECT id, ?, ?, 1 FROM requests WHERE id = ?"
                " ON CONFLICT DO UPDATE SET count = count + 1",
                (approver, kind, id),
            )

    async def tries(self, id: str) -> tuple[AnswerTry, ...]:
        """Return the rejected answers to a request."""
        with self.database.reading() as db:
            rows = db.execute(
                "SELECT * FROM tries WHERE request_id = ? ORDER BY approver, kind LIMIT ?",
                (id, TRIES_READ),
            ).fetchall()
        return tuple(
            AnswerTry(who=row["approver"], kind=row["kind"], count=row["count"]) for row in rows
        )

    async def settle(self, id: str, settlement: Settlement, *, digest: str) -> bool:
        """Add an answer to a pending request and change its state; False if it was not pending.

        Args:
            digest: must be that of the request.
        """
        now = self._clock()
        await self.sweep()
        before = self.ledger.entry(id)
        try:
            with self.database.writing() as db:
                arrows.settle(db, id, settlement, digest=digest, now=now)
                if settlement.to is not RequestState.PENDING:
                    self._must_move(id, settlement.to)
                    row = db.execute("SELECT * FROM requests WHERE id = ?", (id,)).fetchone()
                    self.ledger.checked(read_request(db, row))
        except arrows.Lost:
            return False
        except BaseException:
            # The file was not changed, so the memory must not be either: else it would find
            # tampering.
            self.ledger.take_back(id, before)
            raise
        finally:
            self._change_notifier.notify(id)
        return True

    async def move(
        self, id: str, to: RequestState, *, start: RequestState, digest: str = ""
    ) -> bool:
        """Change a request's state from `start` to `to`; False if it was in another state.

        Args:
            digest: must be that of the request; "" = any.
        """
        by = {**arrows.clocks(self._clock()), "digest": digest}
        await self.sweep()
        try:
            with self.database.writing() as db:
                if has_moved := arrows.move(db, id, to, start=start, by=by):
                    self._must_move(id, to)
        except arrows.Lost:
            return False
        finally:
            self._change_notifier.notify(id)
        return has_moved

    def _must_move(self, id: str, to: RequestState) -> None:
        """Move a request on in the memory of this process as well.

        Raises:
            Lost: the file was set back; what is said there is not so.
        """
        if not self.ledger.moves(id, to):
            raise arrows.Lost

    def forged(self, id: str) -> None:
        """Record that stored answers of a request fail verification: nobody gave them."""
        self.ledger.forged(id)

    async def retire(self) -> None:
        """Expire requests that were tampered with, so that waiting callers get an answer."""
        for id in self.ledger.spoilt_ids():
            with self.database.reading() as db:
                row = db.execute("SELECT state FROM requests WHERE id = ?", (id,)).fetchone()
            if row is not None and state_of(row["state"]) in TIMED:
                with self.database.writing() as db:
                    self._retire(db, id)

    def _retire(self, db: sqlite3.Connection, id: str) -> None:
        """Expire one request that was tampered with, and wake who waits for it."""
        arrows.retire(db, id)
        self._change_notifier.notify(id)

    def open_answers(self) -> Mapping[str, int]:
        """Return the number of answers of each open request, by id, newest first."""
        return open_requests(self.database)

    def open_by_session(self) -> Mapping[tuple[str, str], int]:
        """Return the number of requests open now, by (host, session)."""
        return open_by_session(self.database, self._clock())

    def version(self) -> tuple[int, int]:
        """Return a value that changes when another process writes or replaces the file."""
        return self.database.version()

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        self.database.close()

    async def sweep(self) -> tuple[str, ...]:
        """Expire requests whose time is over; return their ids."""
        return self._sweep()

    async def recover(self) -> tuple[PendingRequest, ...]:
        """After a crash, mark requests that were executing as uncertain; return them."""
        with self.database.writing() as db:
            rows = db.execute(
                "UPDATE requests SET state = 'uncertain' WHERE state = 'executing' RETURNING *"
            ).fetchall()
            return tuple(read_request(db, row) for row in rows)

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
        until_s = None if due_s is None else self._clock().running_s + due_s
        waiter = Waiter(id, while_in, answers, until_s)
        # No context managers: thousands wait here, and each would hold some objects more.
        timer = self._change_notifier.listen(waiter, timeout_s)
        if until is not None:
            until.add_done_callback(waiter.end)
        try:
            while not waiter.is_over and self._is_waited_for(waiter):
                await waiter.woken()
        finally:
            self._change_notifier.leave(waiter, timer)
            if until is not None:
                until.remove_done_callback(waiter.end)
        return await self.get(id)

    def _is_waited_for(self, waiter: Waiter) -> bool:
        """Tell whether what somebody waits for has not come."""
        now = self._clock()
        if waiter.until_s is not None and waiter.until_s <= now.running_s:
            return False
        with self.database.reading() as db:
            if not arrows.is_in_time(db, waiter.id, waiter.state, now):
                return False
        _, answers = self._standing((waiter.id,)).get(waiter.id, (None, 0))
        return waiter.answers in (None, answers)

    def _look(self) -> tuple[object, int, int]:
        """End what is over; return what is another value once somebody else has changed requests.

        That is another process, or whoever in this one has found the clock set back.
        """
        self._sweep()
        with self.database.reading() as db:
            highest: float = db.execute("SELECT highest_wall FROM clock").fetchone()[0]
            version: int = db.execute("PRAGMA data_version").fetchone()[0]
        # The time may be set back and be later again before the next look: counted, it is still
        # seen.
        self._set_back += highest < self._highest
        self._highest = highest
        return db, version, self._set_back

    def _standing(self, ids: Sequence[str]) -> Mapping[str, tuple[RequestState, int]]:
        """Return state and number of answers of requests."""
        with self.database.reading() as db:
            rows = db.execute(
                "SELECT id, state, (SELECT count(*) FROM given WHERE request_id = id) AS answers"
                " FROM requests WHERE id IN (SELECT value FROM json_each(?))",
                (msgspec.json.encode(ids).decode(),),
            ).fetchall()
        return {row["id"]: (state_of(row["state"]), row["answers"]) for row in rows}

    def _sweep(self) -> tuple[str, ...]:
        """Expire requests whose time is over, and wake their waiters."""
        now = self._clock()
        with self.database.reading() as db:
            if self.database.clock_watch.is_edited(db, now):
                self.ledger.alarms.tell("the time", arrows.TIME_EDITED)
            if not arrows.is_any_over(db, now):
                return ()
        with self.database.writing() as db:
            # After a jump back all that is open is over, whatever time it had.
            has_jumped = arrows.has_jumped(db, now)
            ids = arrows.expire(db, now)
        for id in ids:
            self.ledger.ended(id, None if has_jumped else now)
        self._change_notifier.notify(*ids)
        return ids

    async def _found(self, query: str, value: str) -> PendingRequest | None:
        """Return the request a query finds, after what is over was expired."""
        await self.sweep()
        with self.database.reading() as db:
            row = db.execute(query, (value,)).fetchone()
            if row is None:
                self.ledger.missing(value)
                return None
            return self._read(db, row)

    def _read(self, db: sqlite3.Connection, row: sqlite3.Row) -> PendingRequest | None:
        """Return the request of a row as it may be believed, None if it is no request any more."""
        try:
            pending = read_request(db, row)
            if self.ledger.knows(pending.id) and row["asker"] != asker(pending.context):
                self.ledger.spoil(pending.id, "was edited: it counts for another session")
            return self.ledger.checked(pending)
        except (ValueError, TypeError, msgspec.MsgspecError):
            self.ledger.spoil(str(row["id"]), "was edited: it cannot be read")
            return None
