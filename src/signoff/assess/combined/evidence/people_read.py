"""Reads of production by which private data of people come into the conversation.

What is read leaves the machine. One private column alone says little; two of them, or all columns
of a table of people, say who somebody is. Counts and sums name nobody.

    SELECT name, email FROM clients            of production: people are read
    SELECT city, count(*) FROM clients ...     nobody
    {"fields": ["name", "phone"]}              of production: people are read
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from signoff.actions.action import Json
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.lexicon.private_names import (
    concerns_people,
    reaches_people,
)
from signoff.actions.operation import Operation
from signoff.actions.vocabulary import lazy_re2
from signoff.assess.combined.call import Call, cached_per_call
from signoff.assess.combined.evidence.columns import column_lists

_ENOUGH = 2  # private columns that say together who somebody is
_MOST = 40
_MOST_DEEP = 3
_LONGEST = 2_000
_SELECT = lazy_re2(
    r"(?is)\bselect\s+(?:distinct\s+|top\s*\(?\s*\d+\s*\)?\s+)?(.{1,1000}?)\s+from\s+([^\s,;()]+(?:\s*\.\s*[^\s,;()]+)*)"
)
_GROUPED = lazy_re2(r"(?i)\bgroup\s+by\b")
_NAME = lazy_re2(r"\w+")
_MOST_NAMES = 6  # of a column with its table and alias
# Plans and tables of the server itself.
_OF_SERVER = lazy_re2(
    r"(?i)^\s*explain\b|\b(?:information_schema|pg_\w+|sys\w*|mysql|performance_schema)\s*\."
    r"|\bfrom\s+(?:pg_|sys|v\$|dba_|all_tab)\w*"
)
# What columns are compared, searched or ordered by is not given back.
_CHOOSING = vocabulary("match filter filters where sort order group exclude hide omit mask compare")
_MASKED = lazy_re2(r"(?i)mask|redact|anonymi|pseudonym|hash|count_only|dry_run")


def reads_people(op: Operation, call: Call) -> bool:
    """Return whether a reading Operation gives private data of people, one by one."""
    if op.program.startswith("sql") or "select" in op.source[:20].lower():
        return selects_people(op.source[:_LONGEST])
    return _asks_for_people(call)


def selects_people(statement: str) -> bool:
    """Return whether a statement gives two private columns or more, or whole records."""
    if _OF_SERVER.search(statement) is not None or _GROUPED.search(statement) is not None:
        return False
    found = _SELECT.search(statement)
    if found is None:
        return False
    columns = str(found.group(1))
    if columns.strip().rpartition(".")[2].strip() == "*":
        return concerns_people(str(found.group(2)).rpartition(".")[2])
    # What a function makes of a column need not tell it.
    given = [one for one in columns.split(",")[:_MOST] if "(" not in one and ")" not in one]
    return _are_enough([_private_name(one) for one in given])


def _private_name(column: str) -> str:
    """The name in `c.phone AS p` that says what is private, "" if none does."""
    names = map(str, islice(_NAME.findall(column), _MOST_NAMES))
    return next((one for one in names if reaches_people(one) or concerns_people(one)), "")


@cached_per_call
def _asks_for_people(call: Call) -> bool:
    arguments = call.action.arguments
    if any(_is_masked(arguments, 0)):
        return False
    given = {
        name: value
        for name, value in islice(arguments.items(), _MOST)
        if _CHOOSING.isdisjoint(split_words(name[:80]))
    }
    return any([_are_enough(names) for names in column_lists(given)])


def _are_enough(names: list[str]) -> bool:
    return len({one for one in names if reaches_people(one) or concerns_people(one)}) >= _ENOUGH


def _is_masked(value: Json, depth: int) -> Iterator[bool]:
    if isinstance(value, Mapping) and depth < _MOST_DEEP:
        for key, inner in islice(value.items(), _MOST):
            yield inner is True and _MASKED.search(key) is not None
            yield from _is_masked(inner, depth + 1)
