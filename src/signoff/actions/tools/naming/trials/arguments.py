"""The arguments of a call that may be switches: its own, and those in its options.

switches({"zone": "N4", "options": {"dryRun": True}})
    ("", "zone", "N4"), ("options", "dryRun", True)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from signoff.actions.action import Json
from signoff.actions.lexicon.names import split_words
from signoff.actions.lexicon.unicode_forms import folded
from signoff.actions.vocabulary import words

# Where tools take switches beside the things they are about.
_HOLDERS = words("options option params parameters arguments args input request body flags opts")
MOST = 200  # arguments, and characters of a value
_LONGEST = 60
TIMES = 4  # levels that are read


def switches(arguments: Mapping[str, Json]) -> Iterator[tuple[str, str, Json]]:
    """Yield the arguments of a call and those in its options: the holder, the name, the value."""
    for name, value in islice(arguments.items(), MOST):
        if isinstance(value, Mapping) and plain(name) in _HOLDERS:
            yield from [(name, one, given) for one, given in islice(value.items(), MOST)]
        else:
            yield "", name, value


def plain(name: str) -> str:
    """Return a name in small letters without signs between its words."""
    return folded("".join(split_words(name[:_LONGEST])))


def folded_words(text: str) -> tuple[str, ...]:
    """Return the folded words of a short text."""
    return tuple([folded(word) for word in split_words(text[:MOST])])
