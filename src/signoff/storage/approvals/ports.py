"""What keeps requests, in a file of this machine or in a database that nodes share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from signoff.challenge.pending import PendingStore
from signoff.challenge.proofs.ledger import RequestLedger


class RequestStore(PendingStore, Protocol):
    """A `PendingStore` with what a daemon asks of it all the time."""

    @property
    def ledger(self) -> RequestLedger:
        """What this process knows of the requests."""

    def open_answers(self) -> Mapping[str, int]:
        """Return the number of answers of open requests by id, the newest first.

        Raises:
            StoreError: they cannot be read.
        """

    def open_by_session(self) -> Mapping[tuple[str, str], int]:
        """Return how many requests can be answered now, by host and session.

        Raises:
            StoreError: they cannot be read.
        """

    def version(self) -> tuple[int, int]:
        """Return what changes when somebody else has changed something, and for another file.

        Raises:
            StoreError: the store cannot be seen.
        """

    async def retire(self) -> None:
        """Expire what was tampered with, so that its waiting callers get an answer."""

    def close(self) -> None:
        """Let go of file or connections; the next use opens them again."""
