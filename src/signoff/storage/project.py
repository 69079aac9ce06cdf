"""Where a project begins: the nearest folder above that carries a project's mark.

A home folder or the root of the file system is never a project, whatever lies in it: what may be
done freely inside a project must not be free in a whole home.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

VERSION_CONTROL = (".git", ".hg", ".jj", ".svn")
MARKS = [
    ".signoff.yaml",
    "pyproject.toml",
    "setup.py",
    "package.json",
    "Cargo.toml",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "Gemfile",
    "composer.json",
    "mix.exs",
    "CMakeLists.txt",
    "Makefile",
    "deno.json",
]
LEVELS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """The project a folder belongs to; without one the root is "" and nothing can be undone."""

    root: str = ""
    is_under_version_control: bool = False


def find_project(folder: str, *, home: str) -> Project:
    """Return the project around a folder: its repository, else the nearest marked folder."""
    for level in _levels(folder, home):
        if _has_any(level, VERSION_CONTROL):
            return Project(root=level, is_under_version_control=True)
    for level in _levels(folder, home):
        if _has_any(level, MARKS):
            return Project(root=level)
    return Project()


def is_there(path: str) -> bool:
    """Tell whether something is at the path, be it a link; what cannot be looked at is not."""
    try:
        return os.access(path, os.F_OK, follow_symlinks=False)
    except (ValueError, NotImplementedError):
        return os.path.lexists(path)


def _levels(folder: str, home: str) -> Iterator[str]:
    """Yield the folder and those above it that could be a project, nearest first."""
    if not folder.startswith("/"):
        return
    level, inside_home = os.path.normpath(folder), home + "/"
    for _ in range(LEVELS):
        if level in ("/", "//", home) or inside_home.startswith(level + "/"):
            return
        yield level
        level = os.path.dirname(level)


def _has_any(folder: str, names: Sequence[str]) -> bool:
    """Tell whether anything of these names is in the folder."""
    return any(is_there(f"{folder}/{name}") for name in names)
