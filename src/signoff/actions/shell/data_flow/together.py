"""Lines that code hands to a shell one by one: what only all of them together tell.

os.system("curl -o a URL"); os.system("sh a")    the second line runs what the first fetched
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from signoff.actions.operation import Operation, Trait

# What one line says of another's files.
_CARRIED = frozenset({Trait.REMOTE_CODE, Trait.DECODED, Trait.SENDS_SECRET, Trait.UNTRUSTED_SOURCE})


def as_one(lines: Sequence[str]) -> str:
    """Join lines into one text, each in a subshell, so that only files carry over.

    "" for fewer than two lines.
    """
    if len(lines) < 2:
        return ""
    return "\n".join([f"(\n{line}\n)" for line in lines])


def told_together(joined: Iterable[Operation], apart: Iterable[Operation]) -> Iterator[Operation]:
    """Yield operations whose data flow shows only when all lines are read together."""
    known = {(op.verb, op.target, op.traits & _CARRIED) for op in apart}
    for op in joined:
        carried = op.traits & _CARRIED
        if carried and (op.verb, op.target, carried) not in known:
            yield op
