"""Links in messages that lead one person to one request, where their passkey lets them in.

A link lets nobody in by itself: whoever follows it must show a passkey of the person it was made
for. It is good once, for ten minutes. A restart forgets all of them.

    code = links.make(pending.id, "ada")
    links.take(code, "ada")     the request's id the first time, None ever after
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable

from msgspec import Struct

from signoff.frontends.web.link import PATH

GOOD_FOR_S = 600.0
OPEN_LIMIT = 200  # the oldest makes room
MARK = "ask-"  # tells the code of a request from one that signs in


class RequestLink(Struct, frozen=True):
    """One link to a request that was made."""

    request_id: str
    approver: str
    made_s: float


class RequestLinks:
    """Creates one-time links to requests and accepts each once."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._open: OrderedDict[bytes, RequestLink] = OrderedDict()

    def make(self, request_id: str, approver: str) -> str:
        """Return the code of a new link."""
        code = secrets.token_urlsafe(32)
        self._open[_digest(code)] = RequestLink(request_id, approver, self._clock())
        while len(self._open) > OPEN_LIMIT:
            self._open.popitem(last=False)
        return code

    def take(self, code: str, approver: str) -> str | None:
        """Use up a link and return its request; None if it is another approver's, or expired."""
        digest = _digest(code)
        found = self._open.get(digest)
        # Somebody else's passkey does not use it up: it stays good for whom it was made for.
        if found is None or found.approver != approver:
            return None
        del self._open[digest]
        return found.request_id if self._clock() - found.made_s < GOOD_FOR_S else None


def request_link(address: str, code: str) -> str:
    """Return the URL of a link.

    Args:
        address: of the inbox.
    """
    # In the fragment, as with codes that sign in: no log of a proxy holds it.
    return f"{address}{PATH}#{MARK}{code}"


def _digest(code: str) -> bytes:
    return hashlib.sha256(code.encode("utf-8", "replace")).digest()
