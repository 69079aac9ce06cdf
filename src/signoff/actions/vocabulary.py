"""A closed set of words, hashed in C.

The judgement asks thousands of times a second whether a word is in a set. `StrEnum` hashes its
members in Python; the text itself keeps its hash, so set membership costs a tenth.
"""

from __future__ import annotations

from enum import StrEnum


class Vocabulary(StrEnum):
    """Root of the closed sets that the judgement looks up; equal to and hashed as its text."""

    __hash__ = str.__hash__
