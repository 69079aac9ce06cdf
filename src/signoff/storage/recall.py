"""Recall: everything the judgement wants to know beforehand, gathered at the edge.

The session's past from the store, the project's root and the named files from the file system.
Every look is bounded: so many files, and `looks/files.py` bounds each of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from signoff.actions.action import Action
from signoff.actions.facts import GUARD_PORT, Facts, FileFact
from signoff.actions.lookups import paths_to_look_at
from signoff.effects.store import SessionKey, Store
from signoff.storage.looks.files import is_there, look_at
from signoff.storage.looks.looking import HERE, Looking
from signoff.storage.project import Project, find_project

PATHS_KEPT = 2_048


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """Gathers facts for one machine and one store.

    Args:
        guard_paths: signoff's own files and folders, absolute.
        guard_ports: where the daemon listens on this machine.
        file_limit: how many files are looked at for one call.
        script_bytes: how large a script may be to be read.
        looking: where looks at files are taken, for a caller that must not wait for a file system.
        find: finds the project around a folder.
    """

    store: Store
    home: str = ""
    guard_paths: tuple[str, ...] = ()
    guard_ports: frozenset[int] = frozenset({GUARD_PORT})
    file_limit: int = 64
    script_bytes: int = 65_536
    looking: Looking = HERE
    find: Callable[..., Project] = find_project

    async def recall(self, action: Action) -> Facts:
        """Return what is known before the action is judged.

        Raises:
            StoreError: the session's past cannot be read, or the files not in time.
        """
        key = SessionKey(agent=action.agent, session=action.session)
        known = await self.store.remembered(key, action.tool)
        project, files = await self.looking.taken(lambda: self._look(action))
        return Facts(
            home=self.home,
            project=project.root,
            under_version_control=project.is_under_version_control,
            prior_calls=known.prior_calls,
            files=files,
            written=known.written,
            downloaded=known.downloaded,
            secrets_read=known.secrets_read,
            denials=known.denials,
            guard_paths=self.guard_paths,
            guard_ports=self.guard_ports,
            now=datetime.now(UTC),
        )

    def _look(self, action: Action) -> tuple[Project, dict[str, FileFact]]:
        """Look at everything in the file system the judgement wants to know of."""
        return self.find(action.cwd, home=self.home), self._files(action)

    def _files(self, action: Action) -> dict[str, FileFact]:
        """Look at the files a call names; each is found under its name and its absolute path."""
        files: dict[str, FileFact] = {}
        for path in paths_to_look_at(action)[: self.file_limit]:
            absolute = _absolute(path, action.cwd, self.home)
            # A bare word is a path only if there is a file of that name.
            if absolute and ("/" in path or "." in path or is_there(absolute)):
                files[path] = files[absolute] = look_at(absolute, text_limit=self.script_bytes)
        return files


@lru_cache(PATHS_KEPT)
def _absolute(path: str, cwd: str, home: str) -> str:
    """Return the absolute normal path, "" where it cannot be told."""
    if path == "~" or path.startswith("~/"):
        path = home + path[1:] if home else ""
    elif not path.startswith("/"):
        path = os.path.join(cwd, path) if cwd.startswith("/") else ""
    return os.path.normpath(path) if path.startswith("/") else ""
