"""Decoys in the audit log: whatever reads it takes them in, and nothing counts them as calls."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime

from signoff.assess.verdict import Verdict
from signoff.challenge.decoys.register import DecoyAnswer
from signoff.challenge.pending import PendingRequest
from signoff.effects.decoys import decoy_content
from signoff.effects.learning.trust_ledger import TrustLedger
from signoff.effects.store import Origin, RecordEntry
from signoff.frontends.auditing.formats import FORMATS
from signoff.frontends.auditing.oversight import oversight
from signoff.frontends.replay.recorded_calls import recorded_calls
from signoff.frontends.web.statistics.totals import RecordStatistics
from signoff.storage.chain import Head
from signoff.testing import InMemoryApprovals, make_request

AT = datetime(2030, 1, 2, 10, tzinfo=UTC)
ORIGIN = Origin(host="box", boot_id="b", version="1")
APPROVED = DecoyAnswer(
    approver="ada", channel="web", verdict=Verdict.ALLOW, took_s=1.5, was_fast=True
)


class FixedRecord:
    """A record of these entries."""

    def __init__(self, *kept: RecordEntry) -> None:
        self.kept = kept

    def entries(self, *, first: int = 1, last: int | None = None) -> Iterable[RecordEntry]:
        """Return those from `first` to `last`."""
        return iter(self.kept[first - 1 : last])

    def head(self) -> Head:
        """Return the number of the last."""
        return Head(seq=len(self.kept), hash=b"")


def asked() -> PendingRequest:
    """Return a request."""
    approvals = InMemoryApprovals()
    approvals.ask(make_request())
    return approvals.channel.announced[-1]


def entry_of(seq: int, content: object) -> RecordEntry:
    """Return an entry with this content, written as the record writes it."""
    body = json.dumps(content, separators=(",", ":")).encode()
    return RecordEntry(seq=seq, prev=b"", hash=b"", leaf=b"", body=body)


def decoy(seq: int, answer: DecoyAnswer | None) -> RecordEntry:
    """Return an entry about a decoy."""
    content = decoy_content(asked(), answer, origin=ORIGIN, at=AT)
    return entry_of(seq, {**content, "seq": seq})


def call(seq: int) -> RecordEntry:
    """Return an entry about a call whose arguments look like those of a decoy's entry."""
    content = {
        "seq": seq,
        "ts": AT.isoformat(),
        "tool": "mcp__box__make",
        "verdict": "allow",
        "leaning": "allow",
        "action_redacted": {"kind": "decoy", "decoy": {"answer": "denied"}},
    }
    return entry_of(seq, content)


def test_no_count_takes_a_decoy_for_a_call() -> None:
    """Each counts it apart, for the person who answered."""
    record = FixedRecord(decoy(1, APPROVED), decoy(2, None), call(3))
    figures = oversight(record.kept)
    statistics = RecordStatistics(record)  # type: ignore[arg-type]  # what it reads
    shown = statistics.decoys_of(AT.date())
    (day,) = statistics.days(1, today=AT.date())
    (person,) = figures.approvers

    assert (1, 0, 2) == (figures.calls, figures.asked, figures.decoys)
    assert ("ada", 0, 1) == (person.name, person.decoys_refused, person.decoys_approved)
    assert (2, 1, 0) == (shown, day.calls, day.asked)
    assert {"approved": 1} == day.approvers["ada"].decoys
    assert 0 == day.approvers["ada"].approved


def test_a_call_cannot_pass_for_a_decoy() -> None:
    """An agent chooses its arguments; replay and learning read it all the same."""
    found = [one.seq for one in recorded_calls((decoy(1, APPROVED), call(2)))]

    assert [2] == found


def test_no_trust_comes_of_a_decoy() -> None:
    """Neither of an approval nor of a denial."""
    book = TrustLedger(tuple, now=AT.timestamp)
    book.load((decoy(1, APPROVED),))

    assert () == tuple(book.rows())


def test_every_export_takes_a_decoy() -> None:
    """Line by line, with what was answered in those that keep everything."""
    content = json.loads(decoy(1, APPROVED).body)
    for name, written in FORMATS.items():
        lines = list(written([content]))
        assert lines, name

    assert "approved" in content["decoy"]["answer"]
    assert ("decoy", "deny", "") == (
        content["kind"],
        content["verdict"],
        content.get("approver", ""),
    )
