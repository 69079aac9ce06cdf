"""What the daemon counts, as Prometheus reads it: text format 0.0.4.

metrics = Metrics(version="0.1.0")
metrics(decision)       a handler of decisions
metrics.text()
"""

from __future__ import annotations

import contextlib
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate

from signoff.decide.decision import Decision

BUCKETS_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 10.0, 60.0)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Counts decisions, refused requests and failures."""

    def __init__(self, *, version: str) -> None:
        self.version = version
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
        self._decisions[decision.verdict.value, decision.decided_by, decision.level.value] += 1
        # A bound of Prometheus includes its own value, so a hit on it belongs to the bucket
        # below.
        self._latency[bisect_left(BUCKETS_S, decision.latency_s)] += 1
        self._latency_s += decision.latency_s

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """Count no request as being served while it waits: it costs nothing then."""
        self.open_requests -= 1
        self.waiting_requests += 1
        try:
            yield
        finally:
            self.waiting_requests -= 1
            self.open_requests += 1

    def refused(self, why: str) -> None:
        """Count a request that was not served, by one of few reasons."""
        self._refused[why] += 1

    def failed(self, error: str) -> None:
        """Keep the last thing that went wrong."""
        self.last_error = error[:500]

    @property
    def uptime_s(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.started

    @property
    def decisions(self) -> int:
        """How many decisions were made."""
        return sum(self._latency)

    def text(self) -> str:
        """Return everything that is counted."""
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
        lines += self._histogram()
        lines += [
            "# HELP signoff_refused_requests_total Requests that were not served.",
            "# TYPE signoff_refused_requests_total counter",
        ]
        for why, count in sorted(self._refused.items()):
            lines.append(f'signoff_refused_requests_total{{why="{_safe(why)}"}} {count}')
        lines += _single("open_requests", "gauge", "Requests being served.", self.open_requests)
        said = "Requests that wait for people."
        lines += _single("waiting_requests", "gauge", said, self.waiting_requests)
        lines += _single(
            "alerts_total", "counter", "Sessions refused again and again.", self.alerts
        )
        lines += _single("uptime_seconds", "gauge", "Seconds since the start.", self.uptime_s)
        return "\n".join(lines) + "\n"

    def _histogram(self) -> list[str]:
        name = "signoff_decision_seconds"
        lines = [
            f"# HELP {name} From a call's arrival to its decision.",
            f"# TYPE {name} histogram",
        ]
        counts = list(accumulate(self._latency))
        for bound, count in zip((*BUCKETS_S, "+Inf"), counts, strict=True):
            lines.append(f'{name}_bucket{{le="{bound}"}} {count}')
        return [*lines, f"{name}_sum {self._latency_s:.6f}", f"{name}_count {counts[-1]}"]


def _single(name: str, kind: str, said: str, value: float) -> list[str]:
    full = f"signoff_{name}"
    return [f"# HELP {full} {said}", f"# TYPE {full} {kind}", f"{full} {value:g}"]


def _safe(label: str) -> str:
    """Return a label's value as the format has it."""
    # The backslash first, or those that stand for the other two would be doubled.
    return label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
