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
    """Return what the daemon's process loads: interpreter, its library, packages, signoff."""
    package = os.path.dirname(os.path.abspath(signoff.__file__))
    found = (sys.executable, os.path.realpath(sys.executable), sys.prefix, sys.base_prefix)
    folders = (path for path in sys.path if os.path.isabs(path))
    return tuple(dict.fromkeys((*found, *folders, package)))


def untrusted(paths: Iterable[str]) -> str:
    """Return why somebody else than root can change one of these, "" if nobody can."""
    for path in paths:
        for level in _levels(path):
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
            # In a sticky folder such as `/tmp` nobody can replace what root has put there.
            if is_open and not is_link and not said.st_mode & stat.S_ISVTX:
                return f"others than root can write to `{level}`"
    return ""


def _levels(path: str) -> Iterator[str]:
    """Yield the path and all folders above it, as named and as they really are."""
    for start in dict.fromkeys((os.path.abspath(path), os.path.realpath(path))):
        level = start
        while True:
            yield level
            above = os.path.dirname(level)
            if above == level:
                break
            level = above
