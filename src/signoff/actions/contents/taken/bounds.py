"""Bounds of deletions and changes that an edit drops: from some rows to all.

from m in Message, where: m.room == ^id     -> from m in Message           with `delete_all`
$family->children()->delete()               -> Child::query()->delete()
UPDATE payouts SET s = 1 WHERE batch = b    -> UPDATE payouts SET s = 1
Blob.unattached.where(..).each(&:purge)     -> Blob.find_each(&:purge)
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.contents.taken.changes import Change, LineDiff
from signoff.actions.vocabulary import lazy_re2

_MOST = 60
_BOUND = lazy_re2(
    r"(?i)\bwhere\w*\b|\bfilter\w*\b|\.exclude\(|\bhaving\b|\blimit\b|\bfind\w*_?by\w*|\bunattached\b|\bexpired\b|\b\w*id\w*\s*[:=,)\]]|\(\s*[\w.$^>-]+\s*[,)]"
    r"|[\w$]+(?:\.|->)[a-z]\w*(?:\(\))?(?:\.|->)(?:delete|destroy|update)_?\w*|\bdrop\(|\btake\(|\[[\w.:-]+\]"
)
_ACT = lazy_re2(
    r"(?i)(?:\b|_)(?:delete|destroy|purge|remove|erase|truncate|del|update|set_?property)_?(?:all|many|each|async|later|now)*\w{0,6}\b"
)
_SQL = lazy_re2(
    r"(?i)\b(?:delete\s+from\s+(?P<table>[\w.\"`\[\]]+)|update\s+(?P<updated>[\w.\"`\[\]]+)\s+set\s|truncate\s+(?:table\s+)?(?P<emptied>[\w.\"`\[\]]+))(?P<rest>[^;]*)"
)
_WHERE = lazy_re2(r"(?i)\bwhere\b|\bjoin\b|\busing\b|\blimit\b")
# A class of rows without a condition, and a call that takes them all.
_WHOLE = lazy_re2(
    r"(?-i:\b(?P<model>[A-Z]\w+))(?:::query\(\)|\.objects(?:\.all\(\))?|\.all|\.unscoped)?(?:\.|->|::)"
    r"(?:delete_all|destroy_all|update_all|deleteAll|delete|forceDelete|truncate|find_each\(&:(?:purge|destroy|delete)\w*\)"
    r"|in_batches\.(?:delete|destroy)_all)(?:\(\s*\)|\b|\s|$)"
    r"|\.(?:delete_?Many|deleteMany)\(\s*(?:\{\s*\})?\s*\)|\.update_?Many\(\s*\{\s*data\b|\bRepo\.(?:delete|update)_all\(\s*(?-i:[A-Z])[\w.]+\s*[,)]"
    r"|\bknex\(\s*[\"']\w+[\"']\s*\)\.(?:del|delete|truncate)\(|\.Execute(?:Delete|Update)(?:Async)?\("
)
_CLAUSE = lazy_re2(r"(?i)\bwhere:?\b|\.filter\(|\bwhere\(|\bWHERE\b")
_DELETES = lazy_re2(
    r"(?i)\b(?:delete_all|update_all|destroy_all|deleteMany|updateMany|delete\(|\.remove\(|purge|execute_?(?:delete|update))|\bdelete\s+from\b"
)
_PASSING = lazy_re2(
    r"(?i)cache|tmp|temp|stag(?:e|ing)|session|token|lock|queue|job|index|preview|draft|test|demo|fixture|sample|seed|dev\b|local"
    # Old lines of a log are deleted by their age, and all of them are no loss of data.
    r"|(?:from|table|truncate)\s+[\w.]*logs?(?:_|\b)"
)


def dropped_bound(changes: LineDiff) -> str:
    """Return the statement that an edit has hit every row where it hit some, "" if none."""
    for change in islice(changes.each, _MOST):
        was, now = "\n".join(change.removed), "\n".join(change.added)
        if not was or not now or _PASSING.search(now) is not None:
            continue
        found = _whole_statement(was, now) or _whole_call(was, now) or _cut_clause(was, now, change)
        if found:
            return found
    return ""


def _whole_statement(was: str, now: str) -> str:
    for match in islice(_SQL.finditer(now), _MOST):
        if _WHERE.search(str(match.group("rest"))) is not None:
            continue
        name = str(match.group("table") or match.group("updated") or match.group("emptied"))
        bound = [one for one in islice(_SQL.finditer(was), _MOST) if name in str(one.group())]
        if any([_WHERE.search(str(one.group("rest"))) is not None for one in bound]):
            return str(match.group())
    return ""


def _whole_call(was: str, now: str) -> str:
    match = _WHOLE.search(now)
    if match is None or _WHOLE.search(was) is not None or _ACT.search(was) is None:
        return ""
    line = next((one for one in now.split("\n") if str(match.group()).split("\n")[0] in one), "")
    is_bound = _BOUND.search(was) is not None
    return line if is_bound and _CLAUSE.search(line[: line.find(match.group())]) is None else ""


def _cut_clause(was: str, now: str, change: Change) -> str:
    """A query that lost its condition, and is deleted or changed right behind."""
    if "\n" in now or _CLAUSE.search(was) is None or _CLAUSE.search(now) is not None:
        return ""
    begins = was.strip().startswith(now.strip().rstrip(");"))
    acts = _DELETES.search("\n".join((now, *change.behind))) is not None
    return now if begins and acts else ""
