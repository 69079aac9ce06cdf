"""History: the record of decisions, newest first, filtered and paged; and single entries.

A search looks at so many entries at a time and then offers to go on, so that no page is slow,
however long the record is.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from urllib.parse import urlencode

from msgspec import Struct
from starlette.responses import Response

from signoff.actions.action import Json
from signoff.effects.store import RecordEntry
from signoff.errors import BadPayload
from signoff.frontends.hosts.canary import mark_of_entry
from signoff.frontends.web.services import InboxRecord
from signoff.frontends.web.statistics.events import EARLIER, decider_words
from signoff.frontends.web.statistics.totals import RecordStatistics
from signoff.frontends.web.visit import Visit
from signoff.settings import MESSENGERS
from signoff.storage.chain import GENESIS, hash_of, leaf_of
from signoff.storage.reading import content_of
from signoff.values import replace

PAGE = 50
BLOCK = 500
LOOKED_AT = 20_000  # entries for one page
EXACT = ("verdict", "decided_by", "tool", "session")
CALL_SHOWN = 240


class DecisionRow(Struct, frozen=True, kw_only=True):
    """One decision in a list.

    Args:
        request: id of the request people were asked by, "" for none.
        outcome: how the call ended: `ran`, `failed`, `not seen`; "" if denied.
        mark: something to know before reading it, "" for most.
    """

    seq: int
    ts: str
    verdict: str
    level: str
    tool: str
    call: str
    by: str
    reason: str
    request: str
    outcome: str
    mark: str


class SearchResult(Struct, frozen=True, kw_only=True):
    """The result of a search.

    Args:
        before: entry number to continue from, 0 at the start of the log.
        looked_at: number of entries read.
    """

    rows: tuple[DecisionRow, ...]
    before: int
    looked_at: int


async def show(visit: Visit) -> Response:
    """GET /web/history: the decisions that match the filters."""
    wanted = {name: visit.form.text(name) for name in (*EXACT, "text")}
    head = await asyncio.to_thread(visit.parts.record.head)
    before = visit.form.number("before", low=1, high=1 << 60, default=head.seq + 1)
    found = await asyncio.to_thread(_search, visit, wanted, before)
    rows = [await _with_request(visit, row) for row in found.rows]
    given = {name: value for name, value in wanted.items() if value}
    return visit.draw(
        "history.html",
        messengers=list(MESSENGERS),
        page="history",
        title="History",
        found=found,
        rows=rows,
        wanted=wanted,
        is_filtered=bool(given),
        is_newest=before > head.seq,
        older=f"?{urlencode({**given, 'before': found.before})}" if found.before else "",
        newest=f"?{urlencode(given)}" if given else "?",
    )


async def show_entry(visit: Visit) -> Response:
    """GET /web/history/{seq}: one complete entry, and whether it verifies."""
    seq, record = visit.request.path_params["seq"], visit.parts.record
    entries = await asyncio.to_thread(_around, record, seq)
    entry = next((one for one in entries if one.seq == seq), None)
    if entry is None:
        words = "There is no entry of that number."
        return visit.draw("said.html", page="", title="No such entry", words=words, status=404)
    content = content_of(entry)
    row = await asyncio.to_thread(_row_with_result, visit, seq, content)
    return visit.draw(
        "entry.html",
        page="history",
        title=f"Entry {seq}",
        entry=entry,
        row=await _with_request(visit, row),
        content=content,
        # ASCII: what cannot be seen stands there as an escape (T-36).
        lines=json.dumps(content, indent=2, ensure_ascii=True, sort_keys=True).split("\n"),
        problem=check_entry(entry, entries),
        is_last=not any(one.seq == seq + 1 for one in entries),
    )


def _search(visit: Visit, wanted: Mapping[str, str], before: int) -> SearchResult:
    visit.parts.statistics.refresh()
    return search(visit.parts.record, wanted, before, visit.parts.statistics)


def _row_with_result(visit: Visit, seq: int, content: Mapping[str, Json]) -> DecisionRow:
    visit.parts.statistics.refresh()
    return _row(seq, content, visit.parts.statistics)


async def _with_request(visit: Visit, row: DecisionRow) -> DecisionRow:
    """Return a decision with the end of its call as its request knows it."""
    return replace(row, outcome=await visit.outcome(row.request, row.outcome))


def search(
    record: InboxRecord, wanted: Mapping[str, str], before: int, results: RecordStatistics
) -> SearchResult:
    """Return the newest matching entries before a number.

    Args:
        wanted: value by field.
        results: tells how calls ended.

    Raises:
        StoreError: the log cannot be read.
    """
    rows: list[DecisionRow] = []
    looked_at = 0
    while before > 1 and looked_at < LOOKED_AT:
        first = max(1, before - BLOCK)
        for entry in reversed(list(record.entries(first=first, last=before - 1))):
            looked_at, before = looked_at + 1, entry.seq
            content = content_of(entry)
            if _matches(content, entry, wanted):
                rows.append(_row(entry.seq, content, results))
            if len(rows) == PAGE:
                return SearchResult(rows=tuple(rows), before=_left(before), looked_at=looked_at)
        before = first
    return SearchResult(rows=tuple(rows), before=_left(before), looked_at=looked_at)


def check_entry(entry: RecordEntry, around: tuple[RecordEntry, ...]) -> str:
    """Return what is wrong with an entry or its links to its neighbours, "" if nothing."""
    before = next((one for one in around if one.seq == entry.seq - 1), None)
    after = next((one for one in around if one.seq == entry.seq + 1), None)
    checks = (
        (entry.hash == hash_of(entry.body), "its hash is not that of its bytes"),
        (entry.leaf == leaf_of(entry.body), "its leaf hash is not that of its bytes"),
        (
            # Of the first one with contents: those before it may have been removed by retention.
            entry.prev == (before.hash if before else GENESIS) or (not before and entry.seq > 1),
            "it does not follow the entry before it",
        ),
        (after is None or after.prev == entry.hash, "the entry after it does not follow it"),
    )
    return next((problem for is_fine, problem in checks if not is_fine), "")


def _around(record: InboxRecord, seq: int) -> tuple[RecordEntry, ...]:
    """Return an entry with its neighbours."""
    if not 0 < seq < 1 << 60:
        raise BadPayload("entries are counted from 1")
    return tuple(record.entries(first=max(1, seq - 1), last=seq + 1))


def _left(before: int) -> int:
    return before if before > 1 else 0


def _matches(content: Mapping[str, Json], entry: RecordEntry, wanted: Mapping[str, str]) -> bool:
    """Tell whether an entry has what is wanted; text is looked for everywhere in it."""
    if any(wanted[name] and _text(content, name) != wanted[name] for name in EXACT):
        return False
    text = wanted.get("text", "")
    return not text or text.casefold() in "\n".join(_texts(content)).casefold()


def _texts(value: Json | Mapping[str, Json]) -> Iterator[str]:
    """Yield all texts within a value."""
    waiting: list[object] = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, Mapping):
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)


def _row(seq: int, content: Mapping[str, Json], results: RecordStatistics) -> DecisionRow:
    call, verdict = call_of(content), _text(content, "verdict")
    return DecisionRow(
        seq=seq,
        ts=_text(content, "ts")[:19].replace("T", " "),
        verdict=verdict,
        level=_text(content, "level"),
        tool=_text(content, "tool"),
        call=call if len(call) <= CALL_SHOWN else f"{call[:CALL_SHOWN]} ...",
        by=_by(content),
        reason=_text(content, "reason"),
        request=_text(content, "approval_id"),
        outcome=results.result_of(seq=seq, id=_text(content, "id"), verdict=verdict),
        mark=mark_of_entry(content),
    )


def _by(content: Mapping[str, Json]) -> str:
    """Return what decided a call, with the person or model that did, if it was one."""
    decided_by, approver = _text(content, "decided_by"), _text(content, "approver")
    if decided_by in EARLIER or not approver:
        return decider_words(decided_by, _text(content, "words"))
    return f"{decided_by} ({approver})"


def call_of(content: Mapping[str, Json]) -> str:
    """Return the call of an entry as one text."""
    arguments = content.get("action_redacted")
    line = arguments.get("command") if isinstance(arguments, Mapping) else None
    return line if isinstance(line, str) else json.dumps(arguments, ensure_ascii=False)


def _text(content: Mapping[str, Json], name: str) -> str:
    value = content.get(name)
    return value if isinstance(value, str) else ""
