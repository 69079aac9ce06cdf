"""One harmless way of writing, as data: which patterns it explains, and what it looks like."""

from __future__ import annotations

import re

from msgspec import Struct


class Idiom(Struct, frozen=True):
    """A harmless way of writing that a pattern also matches.

    Args:
        hits: ids of the patterns it may explain.
        expression: regular expression of the text to remove.
        in_sentence: True if it counts only within a sentence.
        rest: what replaces it.
    """

    hits: frozenset[str]
    expression: re.Pattern[str]
    in_sentence: bool = False
    rest: str = "_"
