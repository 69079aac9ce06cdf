"""Lines that code hands to a shell one by one: what only all of them together tell.

os.system("curl -o a URL"); os.system("sh a")    the second line runs what the first fetched
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from signoff.actions.operation import Operation, Trait

# What one line says of another's files.
_CARRIED = frozenset({Trait.REMOTE_CODE, Trait.DECODED, Trait.SENDS_SECRET, Trait.UNTRUSTED_SOURCE})


def as_one(lines: Sequence[str]) -> str:
    """Return the lines as one text, each in a subshell: files last, folders and variables do not.

    "" where there is nothing to be told together.
    """
    if len(lines) < 2:
        return ""
    return "\n".join([f"(\n{line}\n)" for line in lines])


def told_together(joined: Iterable[Operation], apart: Iterable[Operation]) -> Iterator[Operation]:
    """Yield what the whole text says of an origin that no line says alone."""
    known = {(op.verb, op.target, op.traits & _CARRIED) for op in apart}
    for op in joined:
        carried = op.traits & _CARRIED
        if carried and (op.verb, op.target, carried) not in known:
            yield op
