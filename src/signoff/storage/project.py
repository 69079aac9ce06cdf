"""Where a project begins: the nearest folder above that carries a project's mark.

A home folder or the root of the file system is never a project, whatever lies in it: what may be
done freely inside a project must not be free in a whole home.
"""

from __future__ import annotations

import os
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
    levels = _levels(folder, home)
    for level in levels:
        if any(_is_there(level, mark) for mark in VERSION_CONTROL):
            return Project(root=level, is_under_version_control=True)
    for level in levels:
        if any(_is_there(level, mark) for mark in MARKS):
            return Project(root=level)
    return Project()


def _levels(folder: str, home: str) -> list[str]:
    """Return the folder and those above it that could be a project, nearest first."""
    levels: list[str] = []
    if not folder.startswith("/"):
        return levels
    level = os.path.normpath(folder)
    for _ in range(LEVELS):
        if level in ("/", "//", home) or (home + "/").startswith(level + "/"):
            break
        levels.append(level)
        level = os.path.dirname(level)
    return levels


def _is_there(folder: str, name: str) -> bool:
    """Tell whether something of that name is in the folder; what cannot be looked at is not."""
    return os.path.lexists(os.path.join(folder, name))
