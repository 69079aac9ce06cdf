"""Who could change the code that the service, and every hook, would run.

untrusted(paths)    "" if only root can change them
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator

import signoff


def code_paths() -> tuple[str, ...]:
    """Return all paths the daemon loads code from: Python, its library, packages, signoff."""
    package = os.path.dirname(os.path.abspath(signoff.__file__))
    found = (sys.executable, os.path.realpath(sys.executable), sys.prefix, sys.base_prefix)
    folders = (path for path in sys.path if os.path.isabs(path))
    return tuple(dict.fromkeys((*found, *folders, package)))


def untrusted(paths: Iterable[str]) -> str:
    """Return why somebody other than root can change one of these paths, "" if nobody can."""
    for path in paths:
        for level, is_above in _levels(path):
            try:
                said = os.lstat(level)
            # `sys.path` names what need not exist, such as `python312.zip`; the levels above
            # count.
            except FileNotFoundError:
                continue
            except OSError as error:
                return f"`{level}` cannot be looked at: {error.strerror}"
            if said.st_uid != 0:
                return f"`{level}` belongs to user {said.st_uid}, not to root"
            # The mode of a link is always 0777 on Linux and means nothing (symlink(7)).
            is_link = stat.S_ISLNK(said.st_mode)
            # Group 0 is root's own.
            is_open = said.st_mode & stat.S_IWOTH or (said.st_mode & stat.S_IWGRP and said.st_gid)
            # In a sticky folder above, such as `/tmp`, nobody can replace what root has put there;
            # in a sticky folder of code anybody could still add a module.
            is_safe = is_above and said.st_mode & stat.S_ISVTX
            if is_open and not is_link and not is_safe:
                return f"others than root can write to `{level}`"
    return ""


def _levels(path: str) -> Iterator[tuple[str, bool]]:
    """Yield the path and all folders above it, by every link on the way; whether it is above."""
    todo, seen = [(os.path.abspath(path), False)], set[tuple[str, bool]]()
    while todo:
        level, is_above = todo.pop()
        if (level, is_above) in seen:
            continue
        seen.add((level, is_above))
        yield level, is_above
        above = os.path.dirname(level)
        todo.append((above, True))
        # Each link of a chain, not the last target alone: its owner decides where the rest leads.
        if os.path.islink(level):
            todo.append((os.path.normpath(os.path.join(above, os.readlink(level))), is_above))
    # A link in the middle of a path leads to what stands below its target as well.
    real = os.path.realpath(path)
    if (real, False) not in seen:
        yield from _levels(real)
