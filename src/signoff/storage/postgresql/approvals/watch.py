"""What this process knows of the shared store without asking it: its time, and what is open.

The store is looked at every `LOOK_S`, and at once when another node says that something changed
(LISTEN/NOTIFY; behind a pooler that cannot listen the looks alone do it). So what one node does is
known on every other within a second, and those who only wait or list ask nothing.

    watch = StoreWatch(tables, changed=wake)
    watch.follow()             in a daemon; a short command looks when it asks
    watch.moment(), watch.seen().open
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future

from msgspec import Struct

from signoff.challenge.pending import ClockReading
from signoff.challenge.terms.grant import Grant
from signoff.errors import StoreError
from signoff.storage.approvals.arrows import moment_now
from signoff.storage.postgresql.approvals.rows import read_grant
from signoff.storage.postgresql.approvals.tables import RequestTables
from signoff.storage.postgresql.link import Db

log = logging.getLogger(__name__)

CHANNEL = "SELECT own_channel()"  # of the tenant: its name is known to no other one
LOOK_S = 0.5
LISTEN_AGAIN_S = 5.0
OLD_S = 2.0  # what was seen so long ago is not believed any more
NOW = "SELECT extract(epoch FROM clock_timestamp())::float8"
OPEN = """
    SELECT id, asker, (SELECT count(*) FROM answers WHERE request_id = requests.id) AS answers
    FROM requests WHERE state = 'pending' ORDER BY created DESC
    """
GRANTS = "SELECT * FROM grants WHERE expires > $1 ORDER BY number DESC"


class SeenRequest(Struct, frozen=True):
    """An open request: the key its asker is counted under, and its number of answers."""

    asker: str
    answers: int


class StoreView(Struct, frozen=True, kw_only=True):
    """What one read of the shared store found.

    Args:
        at_s: when, by the clock of this machine that nobody can set.
        ahead_s: what has to be added to that clock for the time of the database.
        open: by id, the newest first.
        grants: in force, the newest first.
    """

    at_s: float
    ahead_s: float
    open: Mapping[str, SeenRequest]
    grants: tuple[Grant, ...]


class StoreWatch:
    """Reads the shared store regularly and reports changes.

    Args:
        changed: is given what was seen before and now, on a thread of its own.
        expire: ends what is over; on every look.
        clock: tells the time instead of the database.
    """

    def __init__(
        self,
        tables: RequestTables,
        *,
        expire: Callable[[Db, float], Awaitable[object]],
        changed: Callable[[StoreView | None, StoreView], None] = lambda before, now: None,
        clock: Callable[[], ClockReading] | None = None,
    ) -> None:
        self._tables, self._expire, self._changed = tables, expire, changed
        self._clock = clock
        self._view: StoreView | None = None
        self._following: Future[None] | None = None
        self._news: asyncio.Event | None = None
        self._looking: asyncio.Lock | None = None
        self._listener: Db = None
        self._listen_at_s = 0.0
        self._pid = os.getpid()
        self.stamp = 0
        self.failure = ""  # why the last of the repeated looks failed, "" if it did not
        # What else is read at each look, with the time at which it began.
        self.also: list[Callable[[Db, float], Awaitable[None]]] = []

    @property
    def has_time(self) -> bool:
        """Whether the database's time is known without asking for it."""
        return self._clock is not None or self._view is not None

    def moment(self) -> ClockReading:
        """Return the time of the database; no machine's own clock counts.

        Raises:
            StoreError: it is not known yet and cannot be asked for.
        """
        if self._clock is not None:
            return ClockReading(wall_s=self._clock().wall_s)
        view = self._view or self.look()
        return ClockReading(wall_s=_running_s() + view.ahead_s)

    def seen(self) -> StoreView:
        """Return the newest view of the store, at most `OLD_S` seconds old.

        Raises:
            StoreError: the store cannot be read.
        """
        view = self._view
        if view is not None and self._is_followed and _running_s() - view.at_s <= OLD_S:
            return view
        # One that is followed and old cannot be seen now: whoever asks must not wait for it.
        if view is not None and self._is_followed:
            raise StoreError(f"the store `{self._tables.link.address.shown}` cannot be seen")
        return self.look()

    @property
    def is_fresh(self) -> bool:
        """Whether the store was read a short time ago."""
        view = self._view
        return view is not None and _running_s() - view.at_s <= OLD_S

    def look(self) -> StoreView:
        """Read the store now; blocks the calling thread.

        Raises:
            StoreError: the store cannot be reached.
        """
        return self._tables.run(self._looked)

    def follow(self) -> None:
        """Read the store regularly from now on, as long as the process lives."""
        # A forked child has none of its parent's threads.
        if self._following is None or self._following.done() or self._pid != os.getpid():
            self._pid, self._looking = os.getpid(), None
            self._following = self._tables.link.hand_over(self._follow())

    @property
    def _is_followed(self) -> bool:
        return self._following is not None and not self._following.done()

    async def _follow(self) -> None:
        self._news = asyncio.Event()
        try:
            while True:
                self._news.clear()
                try:
                    await self._listen()
                    await self._tables.read(self._looked)
                    self.failure = ""
                except StoreError as error:
                    if not self.failure:
                        log.warning("the shared store cannot be seen: %s", error)
                    self.failure = str(error)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._news.wait(), LOOK_S)
        finally:
            if self._listener is not None:
                self._listener.terminate()
                self._listener = None

    async def _listen(self) -> None:
        """Listen, if that can be done; the looks go on without it."""
        now_s = time.monotonic()
        if self._listener is not None and not self._listener.is_closed():
            return
        if now_s < self._listen_at_s:
            return
        self._listen_at_s = now_s + LISTEN_AGAIN_S
        try:
            self._listener = await self._tables.link.listener()
            await self._listener.add_listener(await self._listener.fetchval(CHANNEL), self._told)
        except Exception as error:  # noqa: BLE001 - whatever the driver raises: looks do without
            log.info("no notifications from the shared store: %s", error)

    def _told(self, *_: object) -> None:
        if self._news is not None:
            self._news.set()

    async def _looked(self, db: Db) -> StoreView:
        """Read the store; call it on the thread's event loop."""
        if self._looking is None:
            self._looking = asyncio.Lock()
        # One after the other: an older look must not take the place of a newer one.
        async with self._looking:
            return await self._look_at(db)

    async def _look_at(self, db: Db) -> StoreView:
        before_s = _running_s()
        database_s: float = await db.fetchval(NOW)
        # From before it was asked: never earlier than the database's own time.
        ahead_s = database_s - before_s
        wall_s = self._clock().wall_s if self._clock is not None else database_s
        await self._expire(db, wall_s)
        rows, grants = await db.fetch(OPEN), await db.fetch(GRANTS, wall_s)
        for read in self.also:
            await read(db, before_s)
        view = StoreView(
            at_s=before_s,
            ahead_s=ahead_s,
            open={row["id"]: SeenRequest(row["asker"], row["answers"]) for row in rows},
            grants=tuple(map(read_grant, grants)),
        )
        before, self._view = self._view, view
        if before is None or (before.open, before.grants) != (view.open, view.grants):
            self.stamp += 1
            self._changed(before, view)
        return view


def _running_s() -> float:
    return moment_now().running_s
