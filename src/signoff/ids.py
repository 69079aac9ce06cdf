"""Ids that nobody guesses: 128 bits of the system's randomness each; how secrets are compared.

A call to the system costs more than everything else there is to do for an id, so one call draws
many. No id is given twice: neither to two threads, nor to a process and its child.

    new_id()                           "5f0c..."; 32 hex digits
    is_same_secret(own_seal, given)    in constant time, whatever characters were given
"""

from __future__ import annotations

import hmac
import os

BYTES = 16
BLOCK = 256  # ids drawn at once

_DIGITS = 2 * BYTES
_drawn: list[str] = []

if hasattr(os, "register_at_fork"):
    # What is drawn is the parent's to give.
    os.register_at_fork(after_in_child=_drawn.clear)


def new_id() -> str:
    """Return a new random id in hex digits, which nobody can guess."""
    try:
        return _drawn.pop()  # one step: no other thread gets the same
    except IndexError:
        digits = os.urandom(BLOCK * BYTES).hex()
        ids = [digits[at : at + _DIGITS] for at in range(0, len(digits), _DIGITS)]
        own = ids.pop()
        # After its own was taken: another thread may empty the list at once.
        _drawn.extend(ids)
        return own


def is_same_secret(own: str, given: str) -> bool:
    """Return whether two secrets are equal, compared in constant time."""
    # As bytes: `compare_digest` takes no text beyond ASCII, and anything can be given.
    return hmac.compare_digest(
        own.encode("utf-8", "surrogatepass"), given.encode("utf-8", "surrogatepass")
    )
