"""A developer's disk in a scratch folder: what a session writes can be looked at as a daemon would.

Paths are those of the developer's machine (`/home/dev/project/x.sh`); files lie below the scratch
folder, so that nothing of this machine is read. Links are real links, and lead to where they would.

    with ScratchDisk(home="/home/dev", project="/home/dev/project") as disk:
        disk.write("/home/dev/project/x.sh", "ls")
        disk.look("/home/dev/project/x.sh", text_limit=65_536).text
"""

from __future__ import annotations

import contextlib
import os
import posixpath
import shutil
import tempfile
from collections.abc import Sequence
from typing import Any

from signoff.actions.facts import FileFact
from signoff.frontends.replay.written import matching
from signoff.storage.fs_probe.files import look_at
from signoff.storage.fs_probe.project import Project
from signoff.values import replace

TEXT_LIMIT = 4_000_000  # characters of one file that are kept


class ScratchDisk:
    """The files one session made, on a disk that is otherwise empty.

    Args:
        project: root of the project, under version control.
    """

    def __init__(self, *, home: str, project: str) -> None:
        self.home, self.project = home, project
        self._root = os.path.realpath(tempfile.mkdtemp(prefix="signoff-replay-"))
        os.makedirs(self._at(f"{project}/.git"))
        os.makedirs(self._at(home), exist_ok=True)

    def __enter__(self) -> ScratchDisk:
        """Use the disk; it is removed at the end."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Remove the scratch folder."""
        shutil.rmtree(self._root, ignore_errors=True)

    def write(self, path: str, text: str) -> None:
        """Write a file; what cannot be written is not there."""
        try:
            real = self._real(path)
            os.makedirs(os.path.dirname(real), exist_ok=True)
            with open(real, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write(text[:TEXT_LIMIT])
        except (OSError, ValueError, UnicodeError):
            return

    def read(self, path: str) -> str | None:
        """Give the text of a file the session made, None where there is none."""
        try:
            with open(self._real(path), encoding="utf-8", errors="surrogateescape") as file:
                return file.read()
        except (OSError, ValueError):
            return None

    def matches(self, pattern: str) -> list[str]:
        """Give the files the session made whose absolute path a glob matches, in order."""
        above = posixpath.dirname(pattern)
        if any([char in above for char in "*?["]):
            return []
        try:
            names = os.listdir(self._at(above))
        except OSError:
            return []
        paths = [posixpath.join(above, name) for name in names if name[:1] != "."]
        return matching([path for path in paths if self.read(path) is not None], pattern)

    def apply(self, effect: Sequence[Any]) -> None:
        """Change the disk as one effect of a corpus says: `["w", path, text]`, `["ln", to, path]`.

        Raises:
            ValueError: nobody knows the effect.
        """
        match effect:
            case ["w", str(path), str(text)]:
                self.write(path, text)
            case ["m", str(path), int(mode)]:
                # A call that was to write the file may have been stopped.
                with contextlib.suppress(FileNotFoundError):
                    os.chmod(self._real(path), mode & 0o777)
            case ["ln", str(target), str(path)]:
                self._link(target, path)
            case ["hl", str(target), str(path)]:
                os.link(self._at(target), self._at(path))
            case ["mk", str(path)]:
                os.makedirs(self._at(path), exist_ok=True)
            case ["mv", str(source), str(path)]:
                os.replace(self._at(source), self._at(path))
            case ["gc", *words]:
                with open(self._at(f"{self.project}/.git/config"), "a", encoding="utf-8") as file:
                    file.write(" ".join(map(str, words)) + "\n")
            case _:
                raise ValueError(f"unknown effect {effect!r}; expected w, m, ln, hl, mk, mv or gc")

    def look(self, path: str, *, text_limit: int, is_read: bool = False) -> FileFact | None:
        """Look at a path as the daemon does; None for what the session did not make.

        What the session did not make may well exist: nothing is said of it. A path that leads
        through a link of the session is looked at, wherever it leads.
        """
        fact = look_at(self._at(path), text_limit=text_limit, is_read=is_read)
        real = self._named(fact.real_path)
        return replace(fact, real_path=real) if fact.exists or real != path else None

    def project_around(self, folder: str) -> Project:
        """Give the project a folder belongs to; a folder elsewhere belongs to none."""
        inside = folder == self.project or folder.startswith(f"{self.project.rstrip('/')}/")
        return Project(root=self.project, is_under_version_control=True) if inside else Project()

    def _link(self, target: str, path: str) -> None:
        at = self._at(path)
        os.makedirs(os.path.dirname(at), exist_ok=True)
        if os.path.islink(at):
            os.remove(at)
        os.symlink(self._at(target) if target.startswith("/") else target, at)

    def _at(self, path: str) -> str:
        """Give where a path lies here."""
        return self._root + posixpath.normpath(path)

    def _real(self, path: str) -> str:
        """Give where a path lies here, behind its links; never outside the scratch folder.

        Raises:
            ValueError: a link leads out of it.
        """
        real = os.path.realpath(self._at(path))
        if not real.startswith(f"{self._root}/"):
            raise ValueError(f"{path} leads out of the scratch folder")
        return real

    def _named(self, real: str) -> str:
        """Give what a path here is called on the developer's machine."""
        return real.removeprefix(self._root) or "/"
