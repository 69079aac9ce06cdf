"""The confirmation codes of open requests: in the memory of the process that asks, nowhere else.

A code proves that a person saw the request somewhere an agent cannot read. The store keeps only a
slow hash of it, so a code is gone when its process ends; the request can still be answered where
it is shown.

    codes.keep(pending.id, code)
    codes.of(pending.id)            "" once the request is settled, or after a restart
"""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor

from signoff.challenge.pending import MOST_WAITING
from signoff.challenge.proofs.seal import verifier_of


class ConfirmationCodes:
    """The confirmation codes of requests this process opened; in memory only."""

    def __init__(self) -> None:
        self._codes: OrderedDict[str, str] = OrderedDict()
        self._hashing: ThreadPoolExecutor | None = None
        self._pid = 0

    async def verifier(self, code: str, request_id: str) -> str:
        """Return the slow hash that a code is checked against later.

        One thread computes all hashes: each takes 16 MB, which every thread would keep.
        """
        if self._hashing is None or self._pid != os.getpid():  # a fork has no threads
            self._hashing, self._pid = ThreadPoolExecutor(1, "codes"), os.getpid()
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._hashing, verifier_of, code, request_id)

    def keep(self, request_id: str, code: str) -> None:
        """Keep a code; if there are too many, the oldest is dropped."""
        self._codes[request_id] = code
        while len(self._codes) > MOST_WAITING:
            self._codes.popitem(last=False)

    def of(self, request_id: str) -> str:
        """Return the code of a request, "" if this process did not open it."""
        return self._codes.get(request_id, "")

    def drop(self, request_id: str) -> None:
        """Remove the code of a decided request."""
        self._codes.pop(request_id, None)
