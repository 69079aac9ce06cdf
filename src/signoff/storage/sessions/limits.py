"""How much of what sessions did is remembered, wherever it is kept."""

from __future__ import annotations

from msgspec import Struct


class MemoryLimits(Struct, frozen=True, kw_only=True):
    """How much history of sessions is kept.

    `prune_every`: after so many records, the sessions unused for longest are dropped.
    """

    sessions: int = 5_000
    functions: int = 1_000
    paths: int = 2_000
    denials: int = 64
    prune_every: int = 256
