"""One-time links: how a person at the terminal gets into the inbox of this machine.

A link carries a code in its fragment, which no server log and no other page gets to see. Beside it
stands a short code of the same sign-in, for people to type into a page that is open already. Codes
are made by the daemon and kept in its memory, so that no file makes one: each sign-in is good for
two minutes and for one use of either code, and a restart forgets all of them.

    codes = links.make(Claim(approver="ada", made_by="ada"))
    links.take(codes.link)     Claim(...) the first time, None ever after
    links.take(codes.typed)    None by now
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable

from msgspec import Struct

GOOD_FOR_S = 120.0
CODE_LIMIT = 2_000
OPEN_LIMIT = 100  # sign-ins that were made and not used; the oldest one makes room
WRONG_LIMIT = 10  # codes nobody made; after as many all short ones are void
PATH = "/web/sign-in"
LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # none that looks like another
TYPED_LENGTH = 8  # 40 bits


class Claim(Struct, frozen=True, kw_only=True):
    """Whom a sign-in link is for, and who made it."""

    approver: str
    made_by: str


class SignInCodes(Struct, frozen=True, kw_only=True):
    """The two codes of one sign-in: in its link, and to be typed (`K7QM-4T2P`)."""

    link: str
    typed: str


class SignIn(Struct, kw_only=True):
    """A sign-in that was offered: for whom, when (monotonic seconds), and whether it was used."""

    claim: Claim
    made_s: float
    is_over: bool = False


def link_of(address: str, code: str) -> str:
    """Return the sign-in link for a code.

    Args:
        address: of the inbox, as `http://localhost:4440`.
    """
    # In the fragment: browsers send it to no server, and it reaches no log or Referer header.
    return f"{address}{PATH}#{code}"


class Links:
    """Creates one-time sign-in codes and accepts each of them once."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._open: OrderedDict[bytes, SignIn] = OrderedDict()
        self._typed: OrderedDict[bytes, SignIn] = OrderedDict()
        self._wrong = 0

    def make(self, claim: Claim) -> SignInCodes:
        """Return new codes for a claim."""
        code = secrets.token_urlsafe(32)
        typed = "".join(secrets.choice(LETTERS) for _ in range(TYPED_LENGTH))
        made = SignIn(claim=claim, made_s=self._clock())
        self._open[_digest(code)] = self._typed[_digest(typed)] = made
        for kept in (self._open, self._typed):
            while len(kept) > OPEN_LIMIT:
                kept.popitem(last=False)
        return SignInCodes(link=code, typed=f"{typed[:4]}-{typed[4:]}")

    def take(self, code: str) -> Claim | None:
        """Use up a code and return its claim; None if it is unknown, used or expired."""
        # Removed before its age is checked, so that two requests cannot both use it.
        found = self._open.pop(_digest(code[:CODE_LIMIT]), None) or self._taken_typed(code)
        if found is None or found.is_over:
            return None
        found.is_over = True  # the other code as well
        return found.claim if 0 <= self._clock() - found.made_s < GOOD_FOR_S else None

    def _taken_typed(self, code: str) -> SignIn | None:
        """Return the sign-in of a typed code; too many wrong ones void all that are open."""
        # As people type it: with blanks, without the dash, in small letters.
        written = "".join(code[:CODE_LIMIT].split()).replace("-", "").upper()
        found = self._typed.pop(_digest(written), None)
        if found is None:
            self._wrong += 1
            if self._wrong >= WRONG_LIMIT:
                self._typed.clear()
                self._wrong = 0
        return found


def _digest(code: str) -> bytes:
    """Return what a code is found by: how long a look takes tells nothing of the code."""
    return hashlib.sha256(code.encode("utf-8", "replace")).digest()
