"""The project's own sets that were judged before anybody had seen what the judge says to them.

Each is a line of `unseen.jsonl`. What is measured of it follows from its kind; its file is
`NAME.jsonl` among the own cases. A new set is added there and judged once:

    python -m bench.quality --first-sight NAME
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from bench.quality.unseen_set import UnseenKind, UnseenSet

_LINES = Path(__file__).with_suffix(".jsonl").read_bytes()
UNSEEN = tuple(msgspec.json.decode(line, type=UnseenSet) for line in _LINES.splitlines())


def unseen_names(kind: UnseenKind) -> tuple[str, ...]:
    """Give the names of the sets of one kind, in the order of the file."""
    return tuple(one.name for one in UNSEEN if one.kind is kind)
