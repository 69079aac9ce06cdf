"""Work on the shared tables of requests: from a thread or a loop, with the key checked once.

Every change is one transaction, ended by the database if this process goes away.

    tables = RequestTables(link, fingerprint=key.fingerprint)
    await tables.change(work)
"""

from __future__ import annotations

from typing import cast

from signoff.challenge.pending import TooManyWaiting
from signoff.errors import StoreError
from signoff.storage.approvals.arrows import Lost
from signoff.storage.postgresql.fleet_key import OTHER_KEY
from signoff.storage.postgresql.link import Db, Result, StoreLink, Work

KEEP_FINGERPRINT = "INSERT INTO fleet_key (fingerprint) VALUES ($1) ON CONFLICT DO NOTHING"


class RequestTables:
    """Runs database work on the connections of this process.

    Args:
        fingerprint: of this node's key; "" in a process that has none and seals nothing.
    """

    def __init__(self, link: StoreLink, *, fingerprint: str = "") -> None:
        self.link, self._fingerprint = link, fingerprint
        self._is_checked = not fingerprint

    @property
    def node(self) -> str:
        """Name of this machine in the store."""
        return self.link.address.node

    async def read(self, work: Work[Result]) -> Result:
        """Run work that reads; the event loop is not blocked.

        Raises:
            StoreError: it was not done, or that cannot be known.
        """
        return await self.link.call(self._checked(work))

    async def change(self, work: Work[Result]) -> Result:
        """Run work in a transaction of its own; an exception rolls it back.

        Raises:
            Lost, TooManyWaiting: the work raised it, and nothing was changed.
            StoreError: it was not done, or that cannot be known.
        """

        async def whole(db: Db) -> tuple[Result | None, Exception | None]:
            try:
                async with db.transaction():
                    return await work(db), None
            # Not a failure of the store: the connection is as good as before.
            except (Lost, TooManyWaiting) as error:
                return None, error

        result, refused = await self.read(whole)
        if refused is not None:
            raise refused
        return cast("Result", result)

    def run(self, work: Work[Result]) -> Result:
        """Run work and block the calling thread until it is done.

        Raises:
            StoreError: it was not done, or that cannot be known.
        """
        return self.link.run(self._checked(work))

    def _checked(self, work: Work[Result]) -> Work[Result]:
        async def checked(db: Db) -> Result:
            if not self._is_checked:
                await self._check_key(db)
            return await work(db)

        return checked

    async def _check_key(self, db: Db) -> None:
        """Check that the other nodes have the same key; the first one says which it is."""
        await db.execute(KEEP_FINGERPRINT, self._fingerprint)
        # What others sealed would not hold here, and people would answer in vain.
        if await db.fetchval("SELECT fingerprint FROM fleet_key") != self._fingerprint:
            raise StoreError(OTHER_KEY)
        self._is_checked = True
