"""Unread files that a session put on another machine or into a container, and then runs there.

placed:/var/tmp/probe.sh        a download went there, under this path

placed_marks(operations, call)    the marks of one call
runs_placed(op, call)             an operation runs such a file where it was put
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.contents.starting.named_programs import unread_files
from signoff.actions.operation import Operation, Operations, Trait, Verb
from signoff.actions.tools.naming.contents import strings_of
from signoff.actions.vocabulary import lazy_re
from signoff.assess.combined.call import Call

PREFIX = "placed:"
_THERE = frozenset({Trait.ON_REMOTE_HOST, Trait.IN_CONTAINER})
# `ops@edge:/tmp/x.sh`, `pod-0:/tmp/x`, `ns/pod:/x`; no address of the web, no drive of Windows.
_TARGET = lazy_re(r"^[\w.@/-]{2,}:(?!//)(?P<path>[\w.~/-]+)$")


def placed_marks(operations: Operations, call: Call) -> Iterator[str]:
    """Yield a mark for each unread file that a call puts somewhere else."""
    unread = unread_files(call.facts)
    names = [op.path.rpartition("/")[2] for op in operations if op.path in unread]
    line = call.action.text("command")
    given = line.split() if line else list(strings_of(call.action.arguments))
    for text in given if names else ():
        found = _TARGET.match(text.strip("'\""))
        path = found["path"] if found is not None else "" if line else text
        if "/" in path or "." in path:
            yield f"{PREFIX}{path}"
            if path.endswith("/") or "." not in path.rpartition("/")[2]:
                yield from [f"{PREFIX}{path.rstrip('/')}/{name}" for name in names]


def runs_placed(op: Operation, call: Call) -> bool:
    """Return whether an operation runs a file that the session put there unread."""
    if op.verb is not Verb.EXECUTE or not op.path or _THERE.isdisjoint(op.traits):
        return False
    # The home folder there is not that of this machine.
    placed = [m.removeprefix(PREFIX) for m in call.facts.created if m.startswith(PREFIX)]
    return any([op.path == one or op.path.endswith(f"/{one.lstrip('~/')}") for one in placed])
