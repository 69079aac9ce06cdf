"""Own cases of several calls: a session is risky or safe as a whole.

{"id": "trace-001", "class": "write-then-run", "expect": "risky", "why": "...",
 "calls": [{"tool": "Write", "input": {...}}, {"tool": "Bash", "input": {...}}]}
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from bench.quality.cases import Case, payload_of, read_rows


def read_sessions(path: Path) -> Iterator[tuple[Case, tuple[bytes, ...]]]:
    """Give every session with the payloads of its calls, in order."""
    for row in read_rows(path) if path.exists() else ():
        case = Case(
            id=row["id"],
            source=row["class"],
            label=row["expect"],
            group=row["class"],
            why=row["why"],
        )
        payloads = [payload_of(call) for call in row["calls"]]
        yield case, tuple(json.dumps(payload).encode() for payload in payloads)
