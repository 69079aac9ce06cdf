"""Files that hold the number of signoff's own process, as an earlier call left it there.

`kill $(pgrep -f signoff)` is known by its words. Where one call looks for the process and writes
its number into a file, the call that stops what the file names says nothing of signoff.

    number:<path>        the session wrote there what a search for signoff's process found

    number_marks(line, operations, facts)    the marks of one line
    reads_number(operations, facts)          such a file is read, or one with our number in it
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.facts import Facts
from signoff.actions.operation import Operation, Operations, Verb
from signoff.actions.vocabulary import lazy_re2

MARK = "number:"
# Our process is looked for somewhere in the call; what is then done to a process may be to it.
SOUGHT = lazy_re2(r"\b(?:pgrep|pidof|ps|lsof|fuser|grep)\b[^;&\n]*(?:\bs|\[s\])ignoff\b")
_TEXT_LIMIT = 65_536
_NUMBER_FILE = 64  # characters of a file that holds numbers of processes and nothing else


def number_marks(line: str, operations: Operations, facts: Facts) -> Iterator[str]:
    """Yield the files into which a line writes that looks for signoff's process, or copies them."""
    written = [op.path for op in operations if op.verb is Verb.WRITE and op.path]
    if written and (SOUGHT.search(line[:_TEXT_LIMIT]) or reads_number(operations, facts)):
        yield from [f"{MARK}{path}" for path in written]


def reads_number(operations: Operations, facts: Facts) -> bool:
    """Return whether a file is read in which the number of signoff's process stands."""
    return any([_holds_number(op, facts) for op in operations if op.verb is Verb.READ])


def _holds_number(op: Operation, facts: Facts) -> bool:
    if not op.path:
        return False
    if f"{MARK}{op.path}" in facts.created:
        return True
    fact = facts.files.get(op.path)
    text = fact.text if fact is not None else None
    if not text or len(text) > _NUMBER_FILE:
        return False
    return any([int(one) in facts.guard_processes for one in text.split() if one.isdecimal()])
