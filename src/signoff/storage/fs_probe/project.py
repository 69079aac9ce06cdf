"""Where a project begins: the nearest folder above that carries a project's mark.

A home folder or the root of the file system is never a project, whatever lies in it: what may be
done freely inside a project must not be free in a whole home.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from msgspec import Struct

from signoff.storage.fs_probe.files import is_there

VERSION_CONTROL = (".git", ".hg", ".jj", ".svn")
MARKS = (
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
)
LEVELS = 40  # deeper folders are nobody's project, and each level costs a look


class Project(Struct, frozen=True, kw_only=True, gc=False):
    """The project that a folder belongs to; its root is "" if there is none."""

    root: str = ""
    is_under_version_control: bool = False


def find_project(folder: str, *, home: str) -> Project:
    """Return the project a folder is in, an empty Project if there is none.

    That is the repository around it, else the nearest folder with a marker such as `package.json`.
    The home folder itself is never a project.
    """
    if not os.path.isabs(folder):
        return Project()
    level = os.path.normpath(folder)
    levels: list[str] = []
    while len(levels) < LEVELS and _could_be_project(level, home):
        # All the way up before any other mark: a package inside a repository is part of it.
        if _has_any(level, VERSION_CONTROL):
            return Project(root=level, is_under_version_control=True)
        levels.append(level)
        level = os.path.dirname(level)
    for level in levels:
        if _has_any(level, MARKS):
            return Project(root=level)
    return Project()


def _could_be_project(folder: str, home: str) -> bool:
    """Tell whether a folder is neither the root, nor the home, nor above it."""
    if folder in ("/", "//", home) or folder == os.path.dirname(folder):
        return False
    return not f"{home}{os.sep}".startswith(f"{folder}{os.sep}")


def _has_any(folder: str, names: Iterable[str]) -> bool:
    """Tell whether anything of these names is in the folder."""
    for name in names:  # noqa: SIM110 - a generator costs as much as the first look
        if is_there(f"{folder}/{name}"):
            return True
    return False
