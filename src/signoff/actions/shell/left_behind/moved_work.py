"""Work of the project that a session put where anything may be deleted, as in a build folder.

`rm -rf notes` is asked about, `rm -rf build` is not. After `mv notes build/` it is the same act.

    work:<path>          a folder of the project lies there now
    history:<path>       the repository's history lies there

    work_marks(commands, operations, facts)    the marks of one line
    loses_work(op, facts)                      "history", "work" or "": what a deletion takes along
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from signoff.actions.facts import Facts
from signoff.actions.operation import FileKind, Operation, Operations, Reach, Trait, Verb
from signoff.actions.paths import is_inside
from signoff.actions.shell.command import Command
from signoff.actions.shell.origins.marks import MOVERS

WORK, HISTORY = "work:", "history:"
_OPTION = "--separate-git-dir"  # git-init(1), git-clone(1)


def work_marks(commands: Sequence[Command], operations: Operations, facts: Facts) -> Iterator[str]:
    """Yield where a line puts folders of the project, and the history of its repository."""
    made = {op.path for op in operations if op.verb is Verb.WRITE and op.program not in MOVERS}
    for group in dict.fromkeys([op.group for op in operations if op.program in MOVERS]):
        written = [
            op
            for op in operations
            if op.group == group and op.program in MOVERS and op.verb is Verb.WRITE and op.path
        ]
        if len(written) > 1 and _may_be_deleted(written[-1]):
            sources = [one for one in written[:-1] if _is_work(one, facts)]
            for source in [one for one in sources if one.path not in made]:
                name = source.path.rpartition("/")[2]
                yield f"{WORK}{written[-1].path}"
                yield f"{WORK}{written[-1].path}/{name}"
    for command in commands:
        if command.program == "git":
            yield from [f"{HISTORY}{path}" for path in _histories(command)]


def loses_work(op: Operation, facts: Facts) -> str:
    """Return what a deletion takes along of what the session put there, "" if nothing."""
    if op.verb is not Verb.DELETE or not op.path:
        return ""
    for mark in facts.created:
        for kind in (HISTORY, WORK):
            if mark.startswith(kind) and is_inside(mark.removeprefix(kind), op.path):
                return kind.rstrip(":")
    return ""


def _may_be_deleted(op: Operation) -> bool:
    return Trait.REBUILDABLE in op.traits or op.reach is Reach.TEMP


def _is_work(op: Operation, facts: Facts) -> bool:
    """Tell a folder of the project, or several files: one file may be deleted without asking."""
    name = op.path.rpartition("/")[2]
    is_many = "." not in name[1:] or any([mark in name for mark in "*?["])
    is_own = op.path in facts.written or op.path in facts.created or op.path in facts.downloaded
    is_kept = op.reach is Reach.PROJECT and not _may_be_deleted(op)
    return is_many and is_kept and not is_own and op.file_kind is not FileKind.GENERATED


def _histories(command: Command) -> Iterator[str]:
    texts = [word.text for word in command.words]
    for at, text in enumerate(texts):
        name, mark, value = text.partition("=")
        given = value if mark else "".join(texts[at + 1 : at + 2])
        if name == _OPTION and given:
            yield posixpath.normpath(posixpath.join(command.cwd, given))
