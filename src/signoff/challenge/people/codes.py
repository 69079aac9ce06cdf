"""The confirmation codes of open requests: in the memory of the process that asks, nowhere else.

A code proves that a person saw the request somewhere an agent cannot read. The store keeps only a
slow hash of it, so a code is gone when its process ends; the request can still be answered where
it is shown.

    codes.keep(pending.id, code)
    codes.of(pending.id)            "" once the request is settled, or after a restart
"""

from __future__ import annotations

from collections import OrderedDict

LIMIT = 1_000


class ConfirmationCodes:
    """The confirmation codes of requests this process opened; in memory only."""

    def __init__(self) -> None:
        self._codes: OrderedDict[str, str] = OrderedDict()

    def keep(self, request_id: str, code: str) -> None:
        """Keep a code; if there are too many, the oldest is dropped."""
        self._codes[request_id] = code
        while len(self._codes) > LIMIT:
            self._codes.popitem(last=False)

    def of(self, request_id: str) -> str:
        """Return the code of a request, "" if this process did not open it."""
        return self._codes.get(request_id, "")

    def drop(self, request_id: str) -> None:
        """Remove the code of a decided request."""
        self._codes.pop(request_id, None)
