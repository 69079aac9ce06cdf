"""Looks whether somebody else has changed what is waited for, or took the daemon's socket.

Nothing is read while nobody else writes: SQLite counts the changes of other connections. What was
tampered with is expired, so that its call is refused and asked again, and people are told.
"""

from __future__ import annotations

import asyncio
import logging
import os
from dataclasses import dataclass, field

from signoff.build.approvals import Approvals
from signoff.challenge.pending import PendingRequest, RequestState
from signoff.errors import SignoffError

log = logging.getLogger(__name__)

LOOK_EVERY_S = 0.5  # of a file's times only; its rows are read when they differ
SHARED_EVERY_S = 0.25  # where a lock of this node must reach the others within a second
LIMIT = 1_000
ALIVE = (RequestState.PENDING, RequestState.APPROVED, RequestState.EXECUTING)


@dataclass(slots=True)
class TamperWatch:
    """Detects changes by other programs to requests, grants and the daemon's socket.

    Args:
        socket_path: where the daemon listens; "" = nowhere.
    """

    approvals: Approvals
    socket_path: str = ""
    _socket: tuple[int, int] | None = field(default=None, init=False)

    async def run(self) -> None:
        """Check regularly until cancelled."""
        seen: tuple[int, int] | None = None
        while True:
            self._look_at_socket()
            try:
                now = self.approvals.requests.version()
                if now != seen:
                    # By its inode: SQLite counts changes within a file, and not that another one
                    # lies in its place.
                    await self.look(is_other_file=seen is not None and now[1] != seen[1])
                    seen = now
                if self.approvals.in_force is not None:
                    await asyncio.to_thread(self.approvals.in_force.look)
            # Told and tried again: a database that is busy now must not end the watch.
            except (SignoffError, ValueError) as error:
                log.warning("whether requests were tampered with cannot be seen: %s", error)
            in_force = self.approvals.in_force
            is_shared = in_force is not None and in_force.is_shared
            await asyncio.sleep(SHARED_EVERY_S if is_shared else LOOK_EVERY_S)

    def _look_at_socket(self) -> None:
        """Tell of a socket that is gone or another one: whoever listens there answers hooks."""
        try:
            found = os.lstat(self.socket_path)
        except OSError:
            now = None
        else:
            now = found.st_dev, found.st_ino
        if self._socket is None:
            self._socket = now
        elif now != self._socket:
            said = "was taken away" if now is None else "was put aside for another"
            self.approvals.ledger.alarms.tell(
                "socket", f"the socket that hooks ask at, `{self.socket_path}`, {said}"
            )

    async def look(self, *, is_other_file: bool = False) -> None:
        """Check every request that can still be answered or used, once.

        Args:
            is_other_file: the database file was replaced.
        """
        requests, ledger = self.approvals.requests, self.approvals.ledger
        if is_other_file:
            ledger.alarms.tell("approvals.db", "the file of the requests was put aside for another")
            requests.close()  # the next use opens the one that is there now
        for pending in await requests.listed(*ALIVE, limit=LIMIT):
            if not await asyncio.to_thread(self._is_answered_right, pending):
                ledger.forged(pending.id)
        for id in ledger.open_ids():
            await requests.get(id)
            await asyncio.sleep(0)  # of thousands: calls are answered between them
        self.approvals.grants.listed()
        await requests.retire()

    def _is_answered_right(self, pending: PendingRequest) -> bool:
        """Tell whether the answers there are were given; slow where a code was typed."""
        if pending.state is RequestState.PENDING:
            return self.approvals.seal.holds_so_far(pending)
        return self.approvals.seal.holds(pending)
