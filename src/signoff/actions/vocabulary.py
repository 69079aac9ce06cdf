"""A closed set of words, hashed and spelled in C.

The judgement asks thousands of times a second whether a word is in a set. `StrEnum` hashes its
members in Python; the text itself keeps its hash, so set membership costs a tenth. It finds their
text in Python as well, which a record does a dozen times.
"""

from __future__ import annotations

from enum import StrEnum
from operator import attrgetter
from typing import TYPE_CHECKING


class Vocabulary(StrEnum):
    """Base of the closed word lists; members are equal to their text and hash like it."""

    __hash__ = str.__hash__
    if not TYPE_CHECKING:  # the checker knows the text of every member
        value = property(attrgetter("_value_"))


def words(text: str) -> frozenset[str]:
    """Return the set of blank-separated words of `text`; used for tables of names."""
    return frozenset(text.split())
