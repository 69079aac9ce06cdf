"""What keeps requests, in a file of this machine or in a database that nodes share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from signoff.challenge.pending import PendingStore
from signoff.challenge.proofs.ledger import RequestLedger


class RequestStore(PendingStore, Protocol):
    """A `PendingStore` with the further methods that a daemon needs."""

    @property
    def ledger(self) -> RequestLedger:
        """What this process remembers of the requests, to detect tampering."""

    def open_answers(self) -> Mapping[str, int]:
        """Return the number of answers of each open request, by id, newest first.

        Raises:
            StoreError: they cannot be read.
        """

    def open_by_session(self) -> Mapping[tuple[str, str], int]:
        """Return the number of requests open now, by (host, session).

        Raises:
            StoreError: they cannot be read.
        """

    def version(self) -> tuple[int, int]:
        """Return a value that changes when another process has written.

        Raises:
            StoreError: the store cannot be read.
        """

    async def retire(self) -> None:
        """Expire requests that were tampered with, so that waiting callers get an answer."""

    def close(self) -> None:
        """Close file or connections; the next use opens them again."""
