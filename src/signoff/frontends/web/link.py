"""One-time links: how a person at the terminal gets into the inbox of this machine.

A link carries a code in its fragment, which no server log and no other page gets to see. Codes
are made by the daemon and kept in its memory, so that no file makes one: each is good for two
minutes and for one use, and a restart forgets all of them.

    code = links.make(Claim(approver="ada", made_by="ada"))
    links.take(code)       Claim(...) the first time, None ever after
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

GOOD_FOR_S = 120.0
CODE_LIMIT = 2_000
OPEN_LIMIT = 100  # codes that were made and not used; the oldest one makes room
PATH = "/web/sign-in"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Whom a link signs in, and who made it."""

    approver: str
    made_by: str


def link_of(address: str, code: str) -> str:
    """Return the link of a code, at an address such as `http://localhost:4440`."""
    # In the fragment: browsers send it to no server, and it reaches no log or Referer header.
    return f"{address}{PATH}#{code}"


class Links:
    """Creates one-time sign-in codes and accepts each of them once."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._open: OrderedDict[bytes, tuple[Claim, float]] = OrderedDict()

    def make(self, claim: Claim) -> str:
        """Return a new code for a claim."""
        code = secrets.token_urlsafe(32)
        self._open[_digest(code)] = claim, self._clock()
        while len(self._open) > OPEN_LIMIT:
            self._open.popitem(last=False)
        return code

    def take(self, code: str) -> Claim | None:
        """Use up a code and return its claim; None if it is unknown, used or expired."""
        # Removed before its age is checked, so that two requests cannot both use it.
        claim, made_s = self._open.pop(_digest(code[:CODE_LIMIT]), (None, 0.0))
        return claim if 0 <= self._clock() - made_s < GOOD_FOR_S else None


def _digest(code: str) -> bytes:
    """Return what a code is found by: how long a look takes tells nothing of the code."""
    return hashlib.sha256(code.encode("utf-8", "replace")).digest()
