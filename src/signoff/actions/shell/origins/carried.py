"""Marks of files below a folder, carried along as the folder is copied, moved or packed.

A folder is not fetched because one file in it is. A copy of it has that file at the same place
below; so has an archive, whose content is thought of as lying below its path.

    cp -r /tmp/dl vendor    (/tmp/dl/x.sh fetched)     vendor/x.sh, vendor/dl/x.sh
    rename 's/txt/sh/' a.txt    (a.txt fetched)        a.sh
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache

from signoff.actions.globs import as_fnmatch
from signoff.actions.operation import Operation, Verb
from signoff.actions.shell.command import Command
from signoff.actions.shell.origins.marks import MOVERS, UNPACKERS
from signoff.actions.vocabulary import lazy_re, words

LIMIT = 64
COPIERS = (
    UNPACKERS
    | words("cp gcp rsync rclone scp install robocopy xcopy zip git shutil.copytree shutil.move")
    | words("shutil.copy shutil.copy2 shutil.copyfile shutil.make_archive rename mmv mv")
    | words("os.rename os.replace Copy-Item Move-Item Expand-Archive Compress-Archive")
)
_READ, _WRITE = Verb.READ, Verb.WRITE
_SUBSTITUTION = lazy_re(r"s(?P<by>[/|#,])(?P<old>.*?)(?P=by)(?P<new>.*?)(?P=by)\w*\Z")


def _none_below(_: str) -> list[str]:
    return []


def carried(
    operations: Sequence[Operation],
    known: Collection[str],
    more_below: Callable[[str], list[str]] = _none_below,
) -> Iterator[tuple[str, str]]:
    """Yield (old path, new path) of known files in folders that are copied, moved or packed.

    Args:
        known: absolute paths; a folder that is meant as a whole ends in `/`, and so does its copy.
        more_below: gives those of many more such paths that begin like this.
    """
    left = LIMIT
    if not any([op.verb is _WRITE and _copies(op) for op in operations]):
        return
    for op in operations:
        if not op.path or not _gives(op):
            continue
        below = f"{op.path.rstrip('/')}/"
        inside = more_below(below)
        inside += [path for path in known if path.startswith(below) and path != below]
        for target in _targets(op, operations) if inside else ():
            for path in inside[:left]:
                yield path, f"{target.rstrip('/')}/{path[len(below) :]}"
            left -= len(inside)
            if left <= 0:
                return


def given_away(operations: Sequence[Operation]) -> Iterator[str]:
    """Yield the files and folders whose content may go elsewhere."""
    for op in operations:
        if op.path and _gives(op):
            yield op.path.rstrip("/")


@lru_cache(maxsize=8)
def folders_above(paths: frozenset[str]) -> frozenset[str]:
    """Return every parent folder of these paths."""
    found: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return frozenset(found)


def matched(op: Operation, known: Collection[str], folder: str) -> Iterator[str]:
    """Yield the known paths that a glob in an operation's target matches: `part_*`."""
    if "*" not in op.target and "?" not in op.target and "[" not in op.target:
        return
    pattern = as_fnmatch(posixpath.join(folder, op.target).lower())
    yield from [path for path in known if fnmatchcase(path.lower(), pattern)]


def renamed(command: Command) -> Iterator[tuple[str, str]]:
    """Yield (old path, new path) for `rename`, `prename`, `mmv` and `git mv`.

    Only what is plain: a substitution of literal text, two texts, a name without a pattern.
    """
    texts = [word.text for word in command.words if word.is_known]
    texts = [text for text in texts if text[:1] != "-"]
    match texts:
        case ["git", "mv", old, new] | ["mmv" | "mcp", old, new]:
            yield from _both(command, old, new)
        case ["rename" | "prename" | "perl-rename" | "file-rename", rule, *files]:
            found = _SUBSTITUTION.match(rule)
            if found is not None:
                yield from _replaced(command, files, found["old"], found["new"])
            elif files[1:]:
                yield from _replaced(command, files[1:], rule, files[0])


def _replaced(
    command: Command, files: Sequence[str], old: str, new: str
) -> Iterator[tuple[str, str]]:
    old = old.replace("\\.", ".").rstrip("$").lstrip("^")
    for name in files[:LIMIT]:
        if old in name:
            yield from _both(command, name, name.replace(old, new, 1))


def _both(command: Command, old: str, new: str) -> Iterator[tuple[str, str]]:
    if command.cwd:
        old, new = posixpath.join(command.cwd, old), posixpath.join(command.cwd, new)
        yield posixpath.normpath(old), posixpath.normpath(new)


def _gives(op: Operation) -> bool:
    """Tell whether the content of a folder may go elsewhere by an operation."""
    return op.verb is _READ or (op.verb is _WRITE and op.program in MOVERS)


def _targets(source: Operation, operations: Sequence[Operation]) -> Iterator[str]:
    """Yield the paths to which a folder is copied, moved or packed, itself in them as well."""
    name = source.path.rstrip("/").rpartition("/")[2]
    found = [
        op
        for op in operations
        if op.verb is _WRITE and op.path and op is not source and _takes(op, source)
    ]
    # A mover writes its sources too, as they are gone; the last one written is the target.
    for op in found[-1:] if source.program in MOVERS else found:
        yield op.path
        if not op.path.endswith(f"/{name}"):
            yield f"{op.path.rstrip('/')}/{name}"


def _takes(op: Operation, source: Operation) -> bool:
    if op.group == source.group:
        return _copies(op)
    return op.program.split(" ", 1)[0] in UNPACKERS  # at the end of a pipe


def _copies(op: Operation) -> bool:
    return op.program in COPIERS or op.program.split(" ", 1)[0] in COPIERS
