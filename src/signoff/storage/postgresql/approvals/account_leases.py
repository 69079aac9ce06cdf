"""Who runs a messenger's account: an advisory lock, held by a connection of its own.

The database gives it up with the connection: at once where the process died, and after 6 seconds
at most where its machine or the network is gone. Until then that node has stopped by itself, as it
asks whether it has the lease all the time and no answer is a no.

    lease = PostgresLease(link, "telegram:4711")
    await lease.has()
"""

from __future__ import annotations

import asyncio
import hashlib

from signoff.storage.postgresql.link import Db, StoreLink

ANSWER_S = 2.0
# The server probes a silent connection: 3 s + 3 times 1 s.
PROBES = """
    SET tcp_keepalives_idle = 3; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3;
    SET tcp_user_timeout = 6000
    """
TAKE = "SELECT pg_try_advisory_lock(own_lock($1))"
HELD = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"


class PostgresLease:
    """The exclusive right of one node to run a messenger account."""

    def __init__(self, link: StoreLink, account: str) -> None:
        self._link = link
        digest = hashlib.sha256(f"signoff-turn-v1:{account}".encode()).digest()
        self._number = int.from_bytes(digest[:8], signed=True)
        self._db: Db = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_held = False

    async def has(self) -> bool:
        """Return whether this node holds the lease; take it if it is free."""
        return await asyncio.wrap_future(self._link.hand_over(self._has()))

    async def end(self) -> None:
        """Give the lease up, so that another node can take it."""
        self._is_held = False
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._drop)

    async def _has(self) -> bool:
        try:
            async with asyncio.timeout(ANSWER_S):
                self._is_held = await self._asked()
        except Exception:  # noqa: BLE001 - whatever the driver raises: no answer is a no
            self._drop()
        return self._is_held

    async def _asked(self) -> bool:
        if self._db is None or self._db.is_closed() or self._loop is not _here():
            self._is_held, self._loop = False, _here()
            self._db = await self._link.listener()
            await self._db.execute(PROBES)
        if self._is_held:
            # Not from memory: a pooler, or an admin, may have taken it away.
            return bool(await self._db.fetchval(HELD))
        return bool(await self._db.fetchval(TAKE, self._number))

    def _drop(self) -> None:
        db, self._db, self._is_held = self._db, None, False
        if db is not None:
            db.terminate()


def _here() -> asyncio.AbstractEventLoop:
    return asyncio.get_running_loop()
