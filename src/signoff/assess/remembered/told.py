"""Unread files that a session has later sessions run: by notes, instructions, hooks, start-ups.

A download that nobody looked at is run as soon as a later session follows the note. The note is the
last place where a person would see it.

    starts_unread(op, call)     `MEMORY.md` says "run `bash scripts/x.sh`", and x.sh was fetched
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from signoff.actions.contents.starting.named_programs import unread_files
from signoff.actions.contents.starting.unread_names import is_named, may_run
from signoff.actions.facts import Facts
from signoff.actions.operation import FileKind, Operation, Verb
from signoff.assess.combined.call import Call, cached_per_call, texts_of

_KINDS = frozenset(
    {FileKind.AGENT_NOTES, FileKind.GIT_HOOK, FileKind.SCHEDULE, FileKind.SHELL_STARTUP}
)
_WRITES = frozenset({Verb.WRITE, Verb.PERSIST, Verb.CONFIGURE})
FILES_LIMIT = 16
_RUN = r"\b(?:run|execute|start|launch|call|invoke)s?\b[\w ,:]{0,40}"


def starts_unread(op: Operation, call: Call) -> bool:
    """Return whether a call writes down that an unread file is to be started later."""
    if op.verb not in _WRITES or not op.path or not call.facts.downloaded:
        return False
    return op.file_kind in _KINDS and bool(_named(call)) and op.path not in unread_files(call.facts)


@cached_per_call
def _named(call: Call) -> tuple[str, ...]:
    """Return the unread files that a text starts, by an interpreter or between backticks."""
    text = texts_of(call)
    unread = sorted(unread_files(call.facts))[:FILES_LIMIT]
    # As code it is read: only what is started counts, never what is only mentioned.
    by = f"{call.action.cwd or '/'}/note.py"
    return tuple(
        [
            one
            for one in unread
            if is_named(one, by, text, call.facts) or _is_line(one, text, call.facts)
        ]
    )


def _is_line(path: str, text: str, facts: Facts) -> bool:
    """Tell "`./tools/x`" and "run `tools/x -q`" from "`tools/x` came from the network"."""
    return may_run(path) and any(
        [
            re.search(rf"(?i)(?:`\./|{_RUN}`(?:\./)?){re.escape(one)}[\s`]", text)
            for one in _names(path, facts)
        ]
    )


def _names(path: str, facts: Facts) -> Iterator[str]:
    yield path
    for start in (facts.project, facts.home):
        if start and path.startswith(f"{start.rstrip('/')}/"):
            yield path.removeprefix(f"{start.rstrip('/')}/")
