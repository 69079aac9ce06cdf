"""Calls of object mappers that delete or change every record, in any language.

A call changes everything where nothing in its chain, and none of its arguments, chooses records.

    Order.objects.all().delete()            ->  every record is deleted
    Order.objects.filter(id=3).delete()     ->  nothing: some records
    prisma.user.updateMany({ data: {} })    ->  every record is changed
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from signoff.actions.vocabulary import lazy_re

MAX_TEXT = 50_000
_MOST = 200  # calls looked at
_LONGEST = 600  # characters of a chain


class EveryRecord(NamedTuple):
    """A call that changes or deletes every record of a table."""

    call: str
    deletes: bool
    chain: str = ""  # what the method is called on, from its first name


# Methods that act on all that their chain gives; the arguments of an update choose nothing.
_CHAINED = lazy_re(
    r"(?:\.|->|::)(?P<name>delete|_raw_delete|update|del|delete_all|destroy_all|update_all"
    r"|truncate|forceDelete)\b(?P<open>\s*\(\s*(?P<empty>\))?)?"
)
# Methods whose argument chooses.
_CHOOSING_CALL = lazy_re(
    r"[\w)]\.(?P<name>deleteMany|updateMany|destroy)\s*\(\s*(?P<given>[^;\n]{0,400})"
)
_OF_MAPPER = lazy_re(
    r"\.objects\b|\.query\b(?!\()|\bquery\(\s*[A-Z]|::query\(\)|\bDB::table\(|\bknex\(|\bdb\("
)
_CHOSEN = lazy_re(
    r"(?:\.|->|::)(?:filter|filter_by|exclude|get|first|last|where\w*|find\w*|limit|take|none"
    r"|rewhere|in_batches|offset|orWhere\w*|having|values_list|only)\s*\(\s*[^\s)]"
    r"|(?:\.|->|::)(?:first|last|none|take)\b|\[[^\]]"
)
_RAILS = lazy_re(r"(?:\A|.*[^\w.:])(?:[A-Z]\w*::)*[A-Z]\w*(?:\.(?:all|unscoped))?\Z", re.DOTALL)
_NO_FILTER = lazy_re(r"\)|\{\s*\}|\{\s*where\s*:\s*\{\s*\}|\{[^}]*\btruncate\s*:\s*true")

# The model alone is given: Ecto, SQLAlchemy, Peewee, Entity Framework.
_WHOLE_MODEL = lazy_re(
    r"\bRepo\.(?P<name>(?:delete|update)_all)\(\s*"
    r"(?:[A-Z][\w.]*\s*[,)]|from\(?\s*\w+ in [\w.\"]+\s*\))"
    r"|\b[A-Z][\w.]*\s*\|>\s*(?:\w+\.)*Repo\.delete_all\b"
    r"|\bexecute\(\s*(?:\w+\.)?delete\(\s*[A-Z]\w*\s*\)\s*[,)]"
    r"|\b[A-Z]\w*\.delete\(\)\s*\.execute\(\)"
    r"|(?<![\w.)])\w+\.[A-Z]\w*\.ExecuteDelete(?:Async)?\(\)"
)


def every_record(text: str) -> Iterator[EveryRecord]:
    """Yield the calls in a text that change or delete every record of a table."""
    text = text[:MAX_TEXT]
    for match, _ in zip(_CHAINED.finditer(text), range(_MOST), strict=False):
        chain = _chain_before(text, match.start())
        if _acts_on_all(match, chain):
            deletes = not match["name"].startswith("update")
            yield EveryRecord(f"{chain[-60:]}.{match['name']}", deletes, chain)
    for match, _ in zip(_WHOLE_MODEL.finditer(text), range(_MOST), strict=False):
        deletes = not (match["name"] or "").startswith("update")
        yield EveryRecord(" ".join(match.group().split())[:60], deletes)
    for match, _ in zip(_CHOOSING_CALL.finditer(text), range(_MOST), strict=False):
        given, name = match["given"], match["name"]
        is_update = name == "updateMany" and given[:1] == "{" and "where" not in given
        is_mongoose = name == "updateMany" and given.startswith(("{},", "{ },"))
        chain = _chain_before(text, match.start() + 1)
        if _NO_FILTER.match(given) and (name != "destroy" or given[:1] == "{"):
            yield EveryRecord(name, name != "updateMany", chain)
        elif is_mongoose or (is_update and "data" in given):
            yield EveryRecord(name, deletes=False, chain=chain)


def _acts_on_all(match: re.Match[str], chain: str) -> bool:
    name = match["name"]
    if _CHOSEN.search(chain):
        return False
    if name in {"delete_all", "destroy_all", "update_all"}:
        return _RAILS.match(chain) is not None
    if not match["open"]:
        return False
    is_bare = match["empty"] is not None
    if name == "truncate":
        return is_bare and (chain[:1].isupper() or _OF_MAPPER.search(chain) is not None)
    return _OF_MAPPER.search(chain) is not None and (is_bare or name == "update")


def _chain_before(text: str, end: int) -> str:
    """The names and calls a method is called on: back to where the expression begins."""
    at, depth = end, 0
    while at > 0 and end - at < _LONGEST:
        sign = text[at - 1]
        if sign in ")]":
            depth += 1
        elif sign in "([":
            if not depth:
                break
            depth -= 1
        elif not depth and not (sign.isalnum() or sign in "_.:>-?$\\"):
            break
        at -= 1
    return text[at:end]
