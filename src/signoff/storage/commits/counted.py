"""What a store's commits come to, counted as Prometheus reads it: how many, how long, what failed.

counts.note(entries=12, refused=0, took_s=0.004)
"""

from __future__ import annotations

from bisect import bisect_left

from msgspec import Struct, field

BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class CommitCounts(Struct):
    """Commit statistics of one process since its start.

    Args:
        entries: stored.
        refused: entries that were not stored, so their calls were refused.
        took: commits by how long they took, as `BUCKETS_S` has them; the last are longer.
    """

    entries: int = 0
    refused: int = 0
    took_s: float = 0.0
    took: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS_S) + 1))

    def note(self, *, entries: int, refused: int, took_s: float) -> None:
        """Count one commit."""
        self.entries += entries
        self.refused += refused
        self.took_s += took_s
        self.took[bisect_left(BUCKETS_S, took_s)] += 1
