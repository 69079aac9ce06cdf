"""Audit: does the record add up, which approvals came too fast to be read, and a copy to take."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from itertools import islice

from msgspec import Struct
from starlette.responses import Response, StreamingResponse

from signoff.actions.action import Json
from signoff.assess.level import Level
from signoff.assess.verdict import Verdict
from signoff.challenge.terms.plan import ApprovalPlan
from signoff.frontends.web.pages.history import call_of
from signoff.frontends.web.services import InboxRecord
from signoff.frontends.web.statistics.events import ALONE
from signoff.frontends.web.visit import Visit
from signoff.storage.reading import content_of

STAMPS_SHOWN = 100
LOOKED_AT = 20_000  # newest entries that are searched for approvals
EXPORT_BLOCK = 500


class FastApproval(Struct, frozen=True, kw_only=True):
    """An approval that came faster than its card can be read."""

    seq: int
    id: str
    request: str
    ts: str
    approver: str
    channel: str
    level: str
    took_s: float
    least_s: float
    call: str


async def show(visit: Visit) -> Response:
    """GET /web/audit: the state of the audit log; verified if `verify` is given."""
    record = visit.parts.record
    is_wanted = bool(visit.form.text("verify"))
    result = await asyncio.to_thread(record.verify) if is_wanted else None
    head = await asyncio.to_thread(record.head)
    stamps = await asyncio.to_thread(rubber_stamps, record, visit.parts.plan)
    await asyncio.to_thread(visit.parts.statistics.refresh)
    return visit.draw(
        "audit.html",
        page="audit",
        title="Audit",
        result=result,
        head=head,
        stamps=[(one, await _outcome(visit, one)) for one in stamps],
    )


async def _outcome(visit: Visit, one: FastApproval) -> str:
    """Return how the call of an approval ended."""
    result = visit.parts.statistics.result_of(seq=one.seq, id=one.id, verdict="allow")
    return await visit.outcome(one.request, result)


async def export(visit: Visit) -> Response:
    """GET /web/audit/export: the entries as they are stored, one JSON object a line."""
    record = visit.parts.record
    # Settled at the start: what is added meanwhile is for the next export.
    last = (await asyncio.to_thread(record.head)).seq
    return StreamingResponse(
        _lines(record, last),
        media_type="application/x-ndjson",
        headers={"content-disposition": 'attachment; filename="signoff-record.jsonl"'},
    )


def rubber_stamps(record: InboxRecord, plan: ApprovalPlan) -> tuple[FastApproval, ...]:
    """Return approvals by people faster than their level allows, newest first.

    Raises:
        StoreError: the log cannot be read.
    """
    last = record.head().seq
    entries = record.entries(first=max(1, last - LOOKED_AT + 1), last=last)
    found = [stamp for entry in entries if (stamp := _stamp(entry.seq, content_of(entry), plan))]
    return tuple(islice(reversed(found), STAMPS_SHOWN))


def _stamp(seq: int, content: Mapping[str, Json], plan: ApprovalPlan) -> FastApproval | None:
    """Return an approval that came too fast, None if it is none."""
    names = ("approver", "level", "verdict", "decided_by")
    said = {name: str(content.get(name, "")) for name in names}
    took_ms = content.get("answered_in_ms")
    # A grant, a nap and a second look name who gave them, and take no time: nobody was asked.
    if not said["approver"] or said["decided_by"] in ALONE:
        return None
    if said["verdict"] != Verdict.ALLOW.value:
        return None
    if not isinstance(took_ms, int | float) or said["level"] not in set(Level):
        return None
    least_s = plan.review_s.get(Level(said["level"]), 0.0)
    if took_ms / 1000 >= least_s:
        return None
    return FastApproval(
        seq=seq,
        id=str(content.get("id", "")),
        request=str(content.get("approval_id", "")),
        ts=str(content.get("ts", ""))[:19].replace("T", " "),
        approver=said["approver"],
        channel=str(content.get("channel", "")),
        level=said["level"],
        took_s=took_ms / 1000,
        least_s=least_s,
        call=call_of(content)[:200],
    )


async def _lines(record: InboxRecord, last: int) -> AsyncIterator[bytes]:
    # By blocks: a record may be larger than memory, and a block holds up the thread only shortly.
    for first in range(1, last + 1, EXPORT_BLOCK):
        upto = min(last, first + EXPORT_BLOCK - 1)
        entries = await asyncio.to_thread(_block, record, first, upto)
        yield entries


def _block(record: InboxRecord, first: int, last: int) -> bytes:
    return b"".join(entry.body + b"\n" for entry in record.entries(first=first, last=last))
