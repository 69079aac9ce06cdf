"""Recall: everything the judgement wants to know beforehand, gathered at the edge.

The session's past from the store, the project's root and the named files from the file system.
Every look is bounded: so many files, so many bytes, ordinary files only, never a device or a pipe
that could keep us waiting.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from datetime import UTC, datetime

from signoff.actions.action import Action
from signoff.actions.facts import GUARD_PORT, Facts, FileFact
from signoff.actions.lookups import paths_to_look_at
from signoff.effects.store import SessionKey, Store
from signoff.storage.project import find_project

SCRIPT_ENDINGS = [
    ".sh",
    ".bash",
    ".zsh",
    ".ksh",
    ".fish",
    ".py",
    ".pyw",
    ".js",
    ".mjs",
    ".cjs",
    ".ts",
    ".rb",
    ".pl",
    ".pm",
    ".php",
    ".lua",
    ".ps1",
    ".awk",
    ".sed",
    ".mk",
    ".sql",
    ".r",
    ".jl",
    ".tcl",
    ".groovy",
    ".gradle",
    ".bat",
    ".cmd",
    ".service",
    ".desktop",
    ".json",
    ".toml",
    ".yaml",
    ".yml",
]
SCRIPT_NAMES = frozenset(
    [
        "Makefile",
        "makefile",
        "GNUmakefile",
        "Rakefile",
        "Justfile",
        "justfile",
        "Taskfile",
        "Dockerfile",
        "Containerfile",
        "configure",
        "gradlew",
        "mvnw",
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """Gathers facts for one machine and one store.

    Args:
        guard_paths: signoff's own files and folders, absolute.
        guard_ports: where the daemon listens on this machine.
        file_limit: how many files are looked at for one call.
        script_bytes: how large a script may be to be read.
    """

    store: Store
    home: str = ""
    guard_paths: tuple[str, ...] = ()
    guard_ports: frozenset[int] = frozenset({GUARD_PORT})
    file_limit: int = 64
    script_bytes: int = 65_536

    async def recall(self, action: Action) -> Facts:
        """Return what is known before the action is judged.

        Raises:
            StoreError: the session's past cannot be read.
        """
        key = SessionKey(agent=action.agent, session=action.session)
        known = await self.store.remembered(key, action.tool)
        project = find_project(action.cwd, home=self.home)
        return Facts(
            home=self.home,
            project=project.root,
            under_version_control=project.is_under_version_control,
            prior_calls=known.prior_calls,
            files=self._files(action),
            written=known.written,
            downloaded=known.downloaded,
            secrets_read=known.secrets_read,
            denials=known.denials,
            guard_paths=self.guard_paths,
            guard_ports=self.guard_ports,
            now=datetime.now(UTC),
        )

    def _files(self, action: Action) -> dict[str, FileFact]:
        """Look at the files a call names; each is found under its name and its absolute path."""
        files: dict[str, FileFact] = {}
        for path in paths_to_look_at(action)[: self.file_limit]:
            absolute = self._absolute(path, action.cwd)
            # A bare word is a path only if there is a file of that name.
            if absolute and ("/" in path or "." in path or os.path.lexists(absolute)):
                files[path] = files[absolute] = look_at(absolute, text_limit=self.script_bytes)
        return files

    def _absolute(self, path: str, cwd: str) -> str:
        """Return the absolute normal path, "" where it cannot be told."""
        if path == "~" or path.startswith("~/"):
            path = self.home + path[1:] if self.home else ""
        elif not path.startswith("/"):
            path = os.path.join(cwd, path) if cwd.startswith("/") else ""
        return os.path.normpath(path) if path.startswith("/") else ""


def look_at(path: str, *, text_limit: int) -> FileFact:
    """Look at one file: where it really is, how many names it has, what it says if it would run."""
    try:
        real = os.path.realpath(path)
        found = os.stat(real)
    except (OSError, ValueError):
        return FileFact(real_path=_real_or_same(path), exists=False)
    is_script = stat.S_ISREG(found.st_mode) and _would_run(path, real, found.st_mode)
    return FileFact(
        real_path=real,
        is_directory=stat.S_ISDIR(found.st_mode),
        link_count=found.st_nlink if stat.S_ISREG(found.st_mode) else 1,
        text=_text(real, text_limit) if is_script and found.st_size <= text_limit else None,
    )


def _real_or_same(path: str) -> str:
    """Return the real path of what does not exist, as far as its folders do."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return path


def _would_run(path: str, real: str, mode: int) -> bool:
    """Tell whether a file looks like something that is run: by mode, name or ending."""
    if mode & 0o111:
        return True
    names = (os.path.basename(path), os.path.basename(real))
    return any(
        name in SCRIPT_NAMES or "." not in name or name.lower().endswith(tuple(SCRIPT_ENDINGS))
        for name in names
    )


def _text(path: str, limit: int) -> str | None:
    """Return the text of an ordinary file, None if it is binary, too large or cannot be read."""
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
    try:
        handle = os.open(path, flags)
    except OSError:
        return None
    with open(handle, "rb", buffering=0) as source:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        try:
            raw = source.read(limit + 1)
            return raw.decode("utf-8") if raw is not None and len(raw) <= limit else None
        except (OSError, UnicodeDecodeError):
            return None
