"""The files one recorded session wrote, in memory: no file of this machine is read.

disk = SessionDisk(project_around)
disk.write("/home/dev/project/x.sh", "ls")
disk.look("/home/dev/project/x.sh", text_limit=65_536).text
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from signoff.actions.facts import FileFact
from signoff.storage.fs_probe.files import is_script
from signoff.storage.fs_probe.project import Project

KEPT_BYTES = 64_000_000  # of all files of one session; more are forgotten, oldest first


class ReplayDisk(Protocol):
    """What a replay needs to know of a session's disk."""

    def look(self, path: str, *, text_limit: int, is_read: bool = False) -> FileFact | None:
        """Return what is at an absolute path; None if the session did not make it."""

    def read(self, path: str) -> str | None:
        """Return the text of a file the session made, None if there is none."""

    def write(self, path: str, text: str) -> None:
        """Write a file."""

    def project_around(self, folder: str) -> Project:
        """Return the project a folder belongs to."""


class SessionDisk:
    """Files by their path; links are not known, as a transcript does not tell of them."""

    def __init__(self, project_around: Callable[[str], Project]) -> None:
        self.project_around = project_around
        self._files: dict[str, str] = {}
        self._size = 0

    def look(self, path: str, *, text_limit: int, is_read: bool = False) -> FileFact | None:
        """Return what is at an absolute path; None if the session did not make it."""
        text = self._files.get(path)
        if text is None:
            return None
        is_shown = len(text) <= text_limit and (is_read or is_script(path.rpartition("/")[2]))
        return FileFact(real_path=path, text=text if is_shown else None)

    def read(self, path: str) -> str | None:
        """Return the text of a file the session made, None if there is none."""
        return self._files.get(path)

    def write(self, path: str, text: str) -> None:
        """Write a file; the oldest ones are forgotten where all of them are too large."""
        self._size += len(text) - len(self._files.pop(path, ""))
        self._files[path] = text
        while self._size > KEPT_BYTES:
            self._size -= len(self._files.pop(next(iter(self._files))))
