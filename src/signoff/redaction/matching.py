"""Many patterns in one pass over a text, in time that grows with its length only."""

from __future__ import annotations

import re2

MEMORY_BYTES = 64 << 20


def gate_of(patterns: tuple[str, ...]) -> re2.Set:
    """Return what tells in one pass which of the patterns a text has anything for."""
    options = re2.Options()
    options.max_mem = MEMORY_BYTES
    gate = re2.Set.SearchSet(options)
    for pattern in patterns:
        gate.Add(pattern)
    gate.Compile()
    return gate
