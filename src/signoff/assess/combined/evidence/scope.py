"""How many a call of a tool hits, according to its values: a group, a count, a list, a level.

{"devices": {"group": "All Windows Laptops"}}     all of them
{"carrier": "*"}, {"level": "system"}             all of them
{"expungeEverything": true}                       all of them
{"hosts": ["10.8.1.2", "10.8.1.3", "10.8.1.4"]}   several
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import islice

from signoff.actions.action import Json
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.assess.combined.bulk.selection import MANY, REMARKS, highest_count, is_endless
from signoff.assess.combined.call import (
    MOST_TEXTS,
    TEXT_LIMIT,
    Call,
    Entry,
    arguments_of,
    cached_per_call,
    entries_of,
)
from signoff.assess.combined.gravity_words import ALL_GIVEN

SEVERAL = 3
_ALL = vocabulary("all every everything everyone everybody entire whole fleet")
_WRITTEN = (REMARKS - {"text"}) | vocabulary("content contents markdown html")
_DEEPEST = 8
_LEVELS = vocabulary("level scope extent range")
_WHOLE_LEVELS = vocabulary(
    "system global server tenant instance organization organisation cluster fleet site plant estate"
)
_TARGETS = vocabulary(
    "target targets host hosts device devices serial serials machine machines controller"
    " controllers plc plcs node nodes unit units endpoint endpoints address addresses"
)
_LONGEST = 120  # characters of a value that is a name


@cached_per_call
def told_without_remarks(call: Call) -> str:
    """Return the arguments as JSON text without what is remarked, or written for people."""
    return json.dumps(_kept(call.action.arguments, 0), ensure_ascii=False)[:TEXT_LIMIT]


def _kept(value: Json, depth: int) -> Json:
    if isinstance(value, Mapping) and depth < _DEEPEST:
        return {
            name: _kept(inner, depth + 1)
            for name, inner in islice(value.items(), MOST_TEXTS)
            if _WRITTEN.isdisjoint(split_words(name[:80]))
        }
    if isinstance(value, list | tuple) and depth < _DEEPEST:
        return [_kept(inner, depth + 1) for inner in islice(value, MOST_TEXTS)]
    return value


@cached_per_call
def is_for_all(call: Call) -> bool:
    """Return whether a call hits all of a kind, or so many that nobody looked at each."""
    if ALL_GIVEN.search(arguments_of(call)) is not None:
        return True
    is_many = is_endless(call) or highest_count(call) >= MANY
    return is_many or any([_says_all(one) for one in entries_of(call)])


def _says_all(one: Entry) -> bool:
    if one.value is True:
        return not _ALL.isdisjoint(one.name)
    if not isinstance(one.value, str) or not 0 < len(one.value) <= _LONGEST:
        return False
    if not REMARKS.isdisjoint(one.name):
        return False
    if not _LEVELS.isdisjoint(one.name) and one.value.lower() in _WHOLE_LEVELS:
        return True
    words = split_words(one.value.rpartition("/")[2])
    return words[:1] != () and words[0] in _ALL


@cached_per_call
def is_for_several(call: Call) -> bool:
    """Return whether several machines stand in a list."""
    lists = [
        value
        for name, value in islice(call.action.arguments.items(), MANY)
        if isinstance(value, list | tuple) and not _TARGETS.isdisjoint(split_words(name[:80]))
    ]
    return any([len(one) >= SEVERAL for one in lists])
