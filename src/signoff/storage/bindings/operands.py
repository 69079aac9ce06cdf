"""The files a call names and the programs it would start: what an approval is bound to.

Each file is opened once, without following a link at its end, and everything is told from that
descriptor. A program is looked for as the shell would, on the PATH of the call; a script brings
its interpreter along. Bounded: so many files, so many bytes; what is over is told by size and
times.

Where a shell finds a program, and what starts a script: by folders and first lines.

    operands_of(Action(tool="Bash", arguments={"command": "sh ./run.sh"}, cwd="/w"))
    found_on("/usr/local/bin:/usr/bin", "env", cwd="/w")                  -> "/usr/bin/env"
    interpreter_words(b"#!/usr/bin/env -S python3 -I\n")      -> ("/usr/bin/env", "python3")
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence

from signoff.actions.action import Action
from signoff.actions.lookups import paths_to_look_at
from signoff.challenge.terms.binding import FileRole, Operand
from signoff.storage.bindings.file_hashes import ALL_BYTES, FileHashes
from signoff.storage.bindings.invoked import UNKNOWN, Invoked, invoked_by
from signoff.system.files import CLOEXEC, NOCTTY, NOFOLLOW, NONBLOCK, read_at
from signoff.values import replace

FILES_LIMIT = 64
INTERPRETERS = 4  # how often the kernel goes on from script to script
FIRST_LINE = 256  # Linux reads as much of a script to find its interpreter (BINPRM_BUF_SIZE)
# No link at the end, no waiting for a pipe's writer, no terminal taken over.
FLAGS = os.O_RDONLY | NOFOLLOW | NONBLOCK | CLOEXEC | NOCTTY

FOLDERS_LIMIT = 256  # of a PATH, which the agent's environment may set
ENV = "env"


def operands_of(action: Action, hashes: FileHashes | None = None) -> tuple[Operand, ...]:
    """Return the present state of the files a call names and the programs it would run.

    Args:
        hashes: cache of file hashes; None = a new one.
    """
    return _BindingProbe(action, hashes or FileHashes()).all()


class _BindingProbe:
    """Reads the state of every file a call depends on."""

    def __init__(self, action: Action, hashes: FileHashes) -> None:
        self.action, self.hashes = action, hashes
        # The caller's own PATH where it is told: a daemon's is another one.
        self.search_path = action.search_path or os.environ.get("PATH", os.defpath)
        self.left = ALL_BYTES
        self.found: dict[tuple[str, ...], Operand] = {}
        self.first_lines: dict[str, bytes] = {}

    def all(self) -> tuple[Operand, ...]:
        """Return every operand once, programs first."""
        invoked = invoked_by(self.action)
        for operand in (*self._programs(invoked), *self._files(invoked)):
            self._keep(operand)
        return tuple(self.found.values())

    def _keep(self, operand: Operand, depth: int = INTERPRETERS) -> None:
        """Keep an operand and, if it is a script that could be started, its interpreters."""
        if operand.parts in self.found or depth < 0:
            return
        self.found[operand.parts] = operand
        for word in interpreter_words(self.first_lines.get(operand.real_path, b"")):
            self._keep(self._interpreter(word), depth - 1)

    def _interpreter(self, word: str) -> Operand:
        place = word if "/" in word else found_on(self.search_path, word, self.action.cwd)
        return self._looked(word, place, role=FileRole.INTERPRETER)

    def _programs(self, invoked: Invoked) -> Iterator[Operand]:
        """Look at the programs; one that is found nowhere is missing, on each PATH by itself."""
        for program in invoked.programs:
            if "/" in program.name:
                place = expanded(program.name, program.cwd)
                yield self._looked(program.name, place, role=FileRole.PROGRAM)
                continue
            for search_path in path_lists(program.search_paths, self.search_path):
                place = found_on(search_path, program.name, program.cwd)
                yield self._looked(program.name, place, role=FileRole.PROGRAM)

    def _files(self, invoked: Invoked) -> Iterator[Operand]:
        """Look at the files that are named, by the call's folder and by that of each command."""
        named = [(path, self.action.cwd) for path in paths_to_look_at(self.action)]
        for path, cwd in dict.fromkeys([*named, *invoked.operands][: 2 * FILES_LIMIT]):
            absolute = expanded(path, cwd)
            # A bare word is a path only if there is a file of that name.
            if absolute and ("/" in path or "." in path or os.path.lexists(absolute)):
                yield self._looked(path, absolute)

    def _looked(self, path: str, place: str, *, role: FileRole = FileRole.OPERAND) -> Operand:
        """Return the present state of one file."""
        where = "" if role is FileRole.OPERAND else place
        plain = Operand(path=path, role=role, place=where)
        if not place:
            return plain
        try:
            # Links are followed here and none at the opening: a link put in between is not
            # followed.
            real = os.path.realpath(place)
            handle = os.open(real, FLAGS)
        except (OSError, ValueError) as error:
            is_missing = isinstance(error, FileNotFoundError | NotADirectoryError)
            # Not the same: what cannot be read is there, and an approval must not fit when it is
            # gone.
            return plain if is_missing else replace(plain, kind="unread")
        try:
            return self._told(handle, replace(plain, real_path=real))
        except OSError:
            return replace(plain, real_path=real, kind="unread")
        finally:
            os.close(handle)

    def _told(self, handle: int, operand: Operand) -> Operand:
        """Return the state of an open file.

        Raises:
            OSError: it cannot be read to its end.
        """
        found = os.fstat(handle)
        operand = replace(
            operand,
            kind="other",
            device=found.st_dev,
            inode=found.st_ino,
            mode=f"{stat.S_IMODE(found.st_mode):o} {found.st_uid}",
            version=f"{found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}",
        )
        if stat.S_ISDIR(found.st_mode):
            # The times of a folder change with every file in it: that is no change of what was
            # approved.
            return replace(operand, kind="folder", version="")
        if not stat.S_ISREG(found.st_mode):
            return operand
        self.first_lines[operand.real_path] = read_at(handle, FIRST_LINE, 0)
        digest, read = self.hashes.of(handle, found, limit=self.left)
        self.left -= read
        return replace(
            operand, kind="file", sha256=digest, version="" if digest else operand.version
        )


def expanded(path: str, cwd: str) -> str:
    """Return the absolute path of a word in a command, "" if it cannot be known.

    Args:
        path: as written, `~` included.
        cwd: absolute folder of the call, "" if unknown.
    """
    whole = os.path.expanduser(path) if path.startswith("~") else path
    if not os.path.isabs(whole):
        whole = os.path.join(cwd, whole) if os.path.isabs(cwd) else ""
    return whole


def path_lists(search_paths: Sequence[str], start: str) -> Iterator[str]:
    """Yield PATH values with unknown parts replaced by the PATH that the call starts with."""
    for search_path in search_paths:
        yield start if not search_path else search_path.replace(UNKNOWN, start)


def found_on(search_path: str, name: str, cwd: str) -> str:
    """Return the path of the first program of this name on a PATH, "" if there is none.

    Args:
        cwd: stands for an empty entry of the PATH.
    """
    for folder in search_path.split(":")[:FOLDERS_LIMIT]:
        place = expanded(os.path.join(folder or ".", name), cwd)
        if place and _can_start(place):
            return os.path.normpath(place)
    return ""


def interpreter_words(first_line: bytes) -> tuple[str, ...]:
    """Return the interpreter in a script's first line, and what `env` would start for it."""
    if not first_line.startswith(b"#!"):
        return ()
    line = first_line[2:].partition(b"\n")[0].decode("utf-8", "replace")
    words = line.split()
    if not words:
        return ()
    interpreter, *rest = words
    if os.path.basename(interpreter) != ENV:
        return (interpreter,)
    # `env -S A=1 python3` sets variables first; the program is the first word that is neither.
    program = next((w for w in rest if not w.startswith("-") and "=" not in w), "")
    return (interpreter, program) if program else (interpreter,)


def _can_start(place: str) -> bool:
    """Tell whether a shell would take the file at this place for a program."""
    try:
        found = os.stat(place)
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(found.st_mode) and os.access(place, os.X_OK)
