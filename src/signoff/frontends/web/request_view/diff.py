"""An edit as a diff: what goes, what comes, and what stays around it.

Nothing is left out: the lines that stay and go are the whole old text, the lines that stay and
come the whole new one.

    diff_lines(("a", "b"), ("a", "c"))
        -> [DiffLine(" ", "a"), DiffLine("-", "b"), DiffLine("+", "c")]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

COMPARED_LIMIT = 40_000  # pairs of lines; beyond it the whole middle is shown as exchanged
STAYS, GOES, COMES, PLACE = " ", "-", "+", "@"


class DiffLine(NamedTuple):
    """A line of a diff: `-` removed, `+` added, ` ` unchanged, `@` position."""

    sign: str
    text: str


def diff_lines(old: Sequence[str], new: Sequence[str]) -> list[DiffLine]:
    """Return the diff between the old and new lines of an edit."""
    shortest = min(len(old), len(new))
    head = _same(old, new, shortest)
    tail = _same(old[::-1], new[::-1], shortest - head)
    middle = _middle(old[head : len(old) - tail], new[head : len(new) - tail])
    return [
        *(DiffLine(STAYS, line) for line in old[:head]),
        *middle,
        *(DiffLine(STAYS, line) for line in old[len(old) - tail :]),
    ]


def patch_lines(lines: Sequence[str]) -> list[DiffLine]:
    """Return the lines of a patch, with their signs left in the text."""
    return [DiffLine(_sign(line), line) for line in lines]


def is_patch(lines: Sequence[str]) -> bool:
    """Return whether lines are a patch in the form `apply_patch` or `git apply` takes."""
    if lines and lines[0].startswith(("*** Begin Patch", "diff --git ")):
        return True
    first = next((at for at, line in enumerate(lines[:50]) if line.startswith("--- ")), -1)
    return first >= 0 and any(line.startswith("+++ ") for line in lines[first + 1 : first + 2])


def _same(old: Sequence[str], new: Sequence[str], most: int) -> int:
    """Return how many of the first lines are equal."""
    return next((at for at in range(most) if old[at] != new[at]), most)


def _middle(old: Sequence[str], new: Sequence[str]) -> Iterator[DiffLine]:
    if len(old) * len(new) > COMPARED_LIMIT:
        yield from (DiffLine(GOES, line) for line in old)
        yield from (DiffLine(COMES, line) for line in new)
        return
    # autojunk would leave lines that occur often out of the comparison (Python's difflib).
    for what, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what == "equal":
            yield from (DiffLine(STAYS, line) for line in old[a:b])
        else:
            yield from (DiffLine(GOES, line) for line in old[a:b])
            yield from (DiffLine(COMES, line) for line in new[c:d])


def _sign(line: str) -> str:
    if line.startswith(("*** ", "@@", "diff --git ", "--- ", "+++ ")):
        return PLACE
    return line[0] if line[:1] in (GOES, COMES) else STAYS
