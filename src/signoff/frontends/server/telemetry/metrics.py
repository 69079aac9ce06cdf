"""What the daemon counts, as Prometheus reads it: text format 0.0.4.

metrics = Metrics(version="0.1.0")
metrics(decision)       a handler of decisions
metrics.text()
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager
from itertools import accumulate

from signoff.challenge.people.waiting_calls import Ending
from signoff.decide.decision import Decision
from signoff.storage.commits.counted import BUCKETS_S as COMMIT_BUCKETS_S
from signoff.storage.commits.counted import CommitCounts

BUCKETS_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 10.0, 60.0)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
# Each combination of labels is a time series: whatever decides, there are no more than these.
SERIES_LIMIT = 200
OTHER = "other"


class Metrics:
    """Counters of decisions, rejected requests and failures, for Prometheus.

    Args:
        commits: counters of the store.
    """

    def __init__(self, *, version: str, commits: CommitCounts | None = None) -> None:
        self.version = version
        self.commits = commits or CommitCounts()
        self.started = time.monotonic()
        self.open_requests = self.waiting_requests = 0
        self.alerts = 0
        self.last_error = ""
        self._decisions: Counter[tuple[str, str, str]] = Counter()
        self._latency = [0] * (len(BUCKETS_S) + 1)
        self._latency_s = 0.0
        self._refused: Counter[str] = Counter()

    def __call__(self, decision: Decision) -> None:
        """Count a decision: the handler of this name."""
        verdict, level = decision.verdict.value, decision.level.value
        series = (verdict, decision.decided_by, level)
        if series not in self._decisions and len(self._decisions) >= SERIES_LIMIT:
            series = (verdict, OTHER, level)
        self._decisions[series] += 1
        # A bound of Prometheus includes its own value, so a hit on it belongs to the bucket
        # below.
        self._latency[bisect_left(BUCKETS_S, decision.latency_s)] += 1
        self._latency_s += decision.latency_s

    def waiting(self) -> AbstractContextManager[None]:
        """Do not count a request as in progress while it waits for people."""
        self.open_requests -= 1
        self.waiting_requests += 1
        return Ending(self._waited)

    def _waited(self) -> None:
        self.waiting_requests -= 1
        self.open_requests += 1

    def refused(self, why: str) -> None:
        """Count a rejected request.

        Args:
            why: one of a few reasons.
        """
        self._refused[why] += 1

    def failed(self, error: str) -> None:
        """Store the latest failure's message."""
        self.last_error = error[:500]

    @property
    def uptime_s(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.started

    @property
    def decisions(self) -> int:
        """Number of decisions made."""
        return sum(self._latency)

    def text(self, *, pending: int = 0, is_recording: bool = True) -> str:
        """Return all metrics in Prometheus' text format.

        Args:
            pending: number of open requests.
            is_recording: whether the last decision could be stored.
        """
        lines = [
            "# HELP signoff_info The running version.",
            "# TYPE signoff_info gauge",
            f'signoff_info{{version="{_safe(self.version)}"}} 1',
            "# HELP signoff_decisions_total Decisions.",
            "# TYPE signoff_decisions_total counter",
        ]
        for (verdict, decided_by, level), count in sorted(self._decisions.items()):
            labels = f'verdict="{verdict}",decided_by="{_safe(decided_by)}",level="{level}"'
            lines.append(f"signoff_decisions_total{{{labels}}} {count}")
        lines += _histogram(
            "decision_seconds",
            "From a call's arrival to its decision.",
            BUCKETS_S,
            self._latency,
            self._latency_s,
        )
        lines += [
            "# HELP signoff_refused_requests_total Requests that were not served.",
            "# TYPE signoff_refused_requests_total counter",
        ]
        for why, count in sorted(self._refused.items()):
            lines.append(f'signoff_refused_requests_total{{why="{_safe(why)}"}} {count}')
        lines += _single("open_requests", "gauge", "Requests being served.", self.open_requests)
        said = "Connections that wait for people."
        lines += _single("waiting_requests", "gauge", said, self.waiting_requests)
        lines += _single("pending_requests", "gauge", "Approvals not answered yet.", pending)
        lines += _single(
            "alerts_total", "counter", "Sessions refused again and again.", self.alerts
        )
        lines += self._store(is_recording=is_recording)
        lines += _single("uptime_seconds", "gauge", "Seconds since the start.", self.uptime_s)
        return "\n".join(lines) + "\n"

    def _store(self, *, is_recording: bool) -> list[str]:
        """Return what the store came to: without it every call is refused."""
        counts, said = self.commits, "Whether decisions can be recorded; else all are refused."
        return [
            *_single("store_up", "gauge", said, is_recording),
            *_single("store_entries_total", "counter", "Entries stored.", counts.entries),
            *_single(
                "store_refused_total",
                "counter",
                "Calls refused because the store did not take their entry.",
                counts.refused,
            ),
            *_histogram(
                "store_commit_seconds",
                "One commit of the store; the entries that wait together share one.",
                COMMIT_BUCKETS_S,
                counts.took,
                counts.took_s,
            ),
        ]


def _histogram(
    name: str, said: str, bounds: Sequence[float], found: Sequence[int], total_s: float
) -> list[str]:
    full, counts = f"signoff_{name}", list(accumulate(found))
    buckets = zip((*bounds, "+Inf"), counts, strict=True)
    return [
        f"# HELP {full} {said}",
        f"# TYPE {full} histogram",
        *(f'{full}_bucket{{le="{bound}"}} {count}' for bound, count in buckets),
        f"{full}_sum {total_s:.6f}",
        f"{full}_count {counts[-1]}",
    ]


def _single(name: str, kind: str, said: str, value: float) -> list[str]:
    full = f"signoff_{name}"
    return [f"# HELP {full} {said}", f"# TYPE {full} {kind}", f"{full} {value:g}"]


def _safe(label: str) -> str:
    """Return a label's value as the format has it."""
    # The backslash first, or those that stand for the other two would be doubled.
    return label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
