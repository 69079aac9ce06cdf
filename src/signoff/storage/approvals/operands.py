"""The files a call names, hashed: what an approval is bound to, and re-checked against.

Each file is opened once, without following a link at its end, and everything is told from that
descriptor. Bounded: so many files, so many bytes; what is over is told by size and time.
"""

from __future__ import annotations

import hashlib
import os
import stat

from signoff.actions.action import Action
from signoff.actions.lookups import paths_to_look_at
from signoff.challenge.terms.binding import Operand

FILES_LIMIT = 64
FILE_BYTES = 32 << 20
ALL_BYTES = 128 << 20
BLOCK = 1 << 20
FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


def operands_of(action: Action) -> tuple[Operand, ...]:
    """Return the files a call names, as they are now."""
    found: list[Operand] = []
    left = ALL_BYTES
    for path in paths_to_look_at(action)[:FILES_LIMIT]:
        absolute = _absolute(path, action.cwd)
        # A bare word is a path only if there is a file of that name.
        if absolute and ("/" in path or "." in path or os.path.lexists(absolute)):
            operand, read = _look(path, absolute, min(left, FILE_BYTES))
            left -= read
            found.append(operand)
    return tuple(found)


def _absolute(path: str, cwd: str) -> str:
    """Return the absolute path as written, "" where it cannot be told."""
    expanded = os.path.expanduser(path) if path.startswith("~") else path
    if not expanded.startswith("/"):
        expanded = os.path.join(cwd, expanded) if cwd.startswith("/") else ""
    return expanded


def _look(path: str, absolute: str, limit: int) -> tuple[Operand, int]:
    """Return one file as it is now, and how many bytes were read."""
    try:
        real = os.path.realpath(absolute)
        handle = os.open(real, FLAGS)
    except (OSError, ValueError) as error:
        kind = "missing" if isinstance(error, FileNotFoundError | NotADirectoryError) else "unread"
        return Operand(path=path, kind=kind), 0
    try:
        found = os.fstat(handle)
        version = f"{found.st_size} {found.st_mtime_ns}"
        kind, digest, read = "other", "", 0
        if stat.S_ISDIR(found.st_mode):
            kind, version = "folder", ""
        elif stat.S_ISREG(found.st_mode):
            kind = "file"
            if found.st_size <= limit:
                digest, read = _hash(handle, limit)
                version = ""
        return Operand(
            path=path,
            real_path=real,
            kind=kind,
            device=found.st_dev,
            inode=found.st_ino,
            sha256=digest,
            version=version,
        ), read
    except OSError:
        return Operand(path=path, real_path=real, kind="unread"), 0
    finally:
        os.close(handle)


def _hash(handle: int, limit: int) -> tuple[str, int]:
    """Return the hash of an open file and how much of it there is."""
    digest, read = hashlib.sha256(), 0
    while read <= limit and (block := os.read(handle, BLOCK)):
        digest.update(block)
        read += len(block)
    return digest.hexdigest(), read
