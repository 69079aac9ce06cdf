"""What /metrics says: bounded, in the form Prometheus reads, with the state of the store."""

from __future__ import annotations

import re

from signoff.decide.decide import refuse
from signoff.decide.decision import Decision, DecisionStamp
from signoff.frontends.server.telemetry.metrics import SERIES_LIMIT, Metrics
from signoff.storage.commits.counted import CommitCounts
from signoff.testing import make_action

LINE = re.compile(r'^signoff_[a-z_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? [0-9.e+-]+$')


def decided_by(who: str) -> Decision:
    """Return a decision by somebody."""
    return refuse(make_action(), "why", decided_by=who, stamp=DecisionStamp(id="d1"))


def test_the_store_is_counted() -> None:
    """Entries, those refused, and how long commits took; a bucket holds its own bound."""
    counts = CommitCounts()
    counts.note(entries=3, refused=0, took_s=0.005)
    counts.note(entries=0, refused=2, took_s=9.0)

    lines = Metrics(version="1", commits=counts).text(is_recording=False, pending=4).splitlines()

    for expected in (
        "signoff_store_up 0",
        "signoff_store_entries_total 3",
        "signoff_store_refused_total 2",
        "signoff_pending_requests 4",
        'signoff_store_commit_seconds_bucket{le="0.0025"} 0',
        'signoff_store_commit_seconds_bucket{le="0.005"} 1',
        'signoff_store_commit_seconds_bucket{le="5.0"} 1',
        'signoff_store_commit_seconds_bucket{le="+Inf"} 2',
    ):
        assert expected in lines
    assert all(LINE.match(line) for line in lines if not line.startswith("#"))


def test_labels_are_bounded() -> None:
    """Whatever decides, the time series stay few, and no decision is uncounted."""
    metrics = Metrics(version="1")
    for number in range(2 * SERIES_LIMIT):
        metrics(decided_by(f"channel-{number}"))

    lines = [one for one in metrics.text().splitlines() if one.startswith("signoff_decisions_")]

    assert SERIES_LIMIT + 1 == len(lines)
    assert 2 * SERIES_LIMIT == sum(int(one.rpartition(" ")[2]) for one in lines)
    assert 'decided_by="other"' in "".join(lines)
