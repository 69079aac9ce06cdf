"""Recall: everything the judgement wants to know beforehand, gathered at the edge.

The session's past from the store, the project's root and the named files from the file system.
Every look is bounded: so many files, and `fs_probe/files.py` bounds each of them. What one call
saw holds for the others of the same moment (`fs_probe/offloaded.py`): each of them had been sent
before, and might as well have been the first.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Protocol, TypeAlias

from msgspec import Struct, field

from signoff.actions.action import Action
from signoff.actions.contents.settings.started_jobs import starts_job
from signoff.actions.facts import GUARD_PORT, Facts, FileFact, ProgramDescriptions
from signoff.actions.known.test_runs import runs_code, to_look_at
from signoff.actions.lookups import may_make_folders, paths_in_script, paths_to_look_at
from signoff.actions.windows.forms import plain_path
from signoff.effects.store import SessionKey, SessionMemory
from signoff.storage.fs_probe.files import look_at, look_for
from signoff.storage.fs_probe.probe import HERE, FileProbe, TickCache
from signoff.storage.fs_probe.project import Project, find_project

PATHS_KEPT = 2_048
FOLDERS_KEPT = 256
NAMES_HELD = 2_048  # in one moment; texts are not held, as they are large

_Named: TypeAlias = tuple[str, FileFact | None]  # the absolute path, and what is there


class RemembersSessions(Protocol):
    """Port: the part of a store that recalling facts needs."""

    async def remembered(self, key: SessionKey, function: str) -> SessionMemory:
        """Return the history of a session, and how often it called `function`."""


class FsSnapshot(Struct):
    """What was read of the file system at one moment: projects and files."""

    projects: dict[str, Project] = field(default_factory=dict)
    files: dict[tuple[str, str], _Named] = field(default_factory=dict)


class Recall(Struct, frozen=True, kw_only=True):
    """Gathers the facts about a call, for one machine and one store.

    Args:
        guard_paths: signoff's own files and folders, absolute.
        guard_ports: ports the daemon listens on.
        guard_install: the virtual environment signoff runs in; "" = none.
        guard_tree: the working tree signoff is imported from; "" = installed.
        file_limit: most files read for one call.
        script_bytes: largest script that is read.
        looking: runs reads of the file system.
        seen: cached reads of this moment.
        programs: gives the users' descriptions of programs.
        trust: gives the trust in an agent by domain; None = off.
    """

    store: RemembersSessions
    home: str = ""
    guard_paths: tuple[str, ...] = ()
    guard_ports: frozenset[int] = frozenset({GUARD_PORT})
    guard_install: str = ""
    guard_tree: str = ""
    file_limit: int = 64
    script_bytes: int = 65_536
    looking: FileProbe = HERE
    seen: TickCache[FsSnapshot] = field(default_factory=lambda: TickCache(FsSnapshot))
    programs: Callable[[], ProgramDescriptions | None] = lambda: None
    trust: Callable[[str], Mapping[str, float] | None] = lambda _: None

    async def recall(self, action: Action) -> Facts:
        """Return what is known about an action before it is judged.

        Raises:
            StoreError: the session's past cannot be read, or the files not in time.
            BadProgram: there are no good descriptions of programs yet.
        """
        key = SessionKey(agent=action.agent, session=action.session)
        known = await self.store.remembered(key, action.tool)
        # Only a line that runs code can run what it does not name: others are spared the looks.
        # After a download it may be any tool that settings tell to start what was fetched.
        is_read = known.written and (known.downloaded or _runs_code(action))
        written = known.written if is_read else frozenset[str]()
        own = known.written
        project, files = await self.looking.taken(lambda: self._look(action, written, own))
        return Facts(
            home=self.home,
            project=project.root,
            under_version_control=project.is_under_version_control,
            prior_calls=known.prior_calls,
            acts=known.acts,
            files=files,
            written=known.written,
            downloaded=known.downloaded,
            built=known.built,
            created=known.created,
            moved=known.moved,
            secrets_read=known.secrets_read,
            denials=known.denials,
            guard_paths=self.guard_paths,
            guard_ports=self.guard_ports,
            guard_install=self.guard_install,
            guard_tree=self.guard_tree,
            guard_processes=frozenset({os.getpid()}),
            programs=self.programs(),
            trust=self.trust(action.source),
            now=datetime.now(UTC),
        )

    def _look(
        self, action: Action, written: frozenset[str], own: frozenset[str]
    ) -> tuple[Project, dict[str, FileFact]]:
        """Look at everything in the file system the judgement wants to know of.

        Args:
            written: what the session wrote, where the call may run files it does not name.
            own: what the session wrote; of what the call names, this is read whatever it is.
        """
        seen, folder = self.seen.now(), action.cwd
        project = seen.projects.get(folder)
        if project is None:
            project = seen.projects[folder] = find_project(folder, home=self.home)
        files = self._files(action, seen.files)
        named = [path for path in files if path in own] if own else []
        for path in (*named, *(to_look_at(written, project.root or folder) if written else ())):
            # A file of the session's own is read whatever it is called: it may be run by another
            # program.
            if path not in files or files[path].text is None:
                files[path] = look_at(path, text_limit=self.script_bytes, is_read=True)
        return project, files

    def _files(self, action: Action, seen: dict[tuple[str, str], _Named]) -> dict[str, FileFact]:
        """Look at the files a call names; each is found under its name and its absolute path."""
        files: dict[str, FileFact] = {}
        folder, are_made = action.cwd, may_make_folders(action)
        for path in paths_to_look_at(action)[: self.file_limit]:
            named = seen.get((path, folder))
            if named is None:
                named = self._named(path, folder)
                if len(seen) < NAMES_HELD and (named[1] is None or named[1].text is None):
                    seen[path, folder] = named
            absolute, fact = named
            if fact is not None:
                files[path] = files[absolute] = fact
            # A line that makes folders judges by whether they are there: "not there" must be said
            # as well.
            elif absolute and are_made:
                files[absolute] = FileFact(real_path=absolute, exists=False)
        for path in _paths_of_scripts(action, files):
            absolute = absolute_path(path, folder, self.home)
            if absolute and absolute not in files:
                # Where it leads is enough: the script itself was read, what it deletes is not
                # run.
                files[absolute] = look_at(absolute, text_limit=0)
        return files

    def _named(self, path: str, folder: str) -> _Named:
        """Return facts about one file a call names."""
        if "/" in path or "." in path:
            absolute = absolute_path(path, folder, self.home)
            return absolute, look_at(absolute, text_limit=self.script_bytes) if absolute else None
        # A bare word is a path only if there is a file of that name.
        absolute = _name_in(folder, path, self.home)
        return absolute, look_for(absolute, text_limit=self.script_bytes) if absolute else None


def _paths_of_scripts(action: Action, files: Mapping[str, FileFact]) -> list[str]:
    """Return the paths that the scripts a call runs delete or make as folders."""
    texts = {fact.text for fact in files.values() if fact.text}
    if not texts or not _runs_code(action):
        return []
    return [path for text in texts for path in paths_in_script(text)]


def _runs_code(action: Action) -> bool:
    """Tell whether a call may run code, and so what this session wrote."""
    return runs_code(action.text("command")) or starts_job(action)


def _name_in(folder: str, name: str, home: str) -> str:
    """Return the absolute path of a bare word, "" where it is unknown."""
    start = _start_of_names(folder)
    return start + name if start and name != "~" else absolute_path(name, folder, home)


@lru_cache(FOLDERS_KEPT)
def _start_of_names(folder: str) -> str:
    """Return what precedes the names in a folder, "" where it is unknown."""
    if not os.path.isabs(folder):
        return ""
    normal = os.path.normpath(folder)
    return normal if normal.endswith(os.sep) else f"{normal}{os.sep}"


@lru_cache(PATHS_KEPT)
def absolute_path(path: str, cwd: str, home: str) -> str:
    """Return the absolute normalised path, "" if it cannot be known."""
    if sys.platform == "win32":
        path = plain_path(path)  # Git Bash writes `/c/x`
    if path == "~" or path.startswith("~/"):
        path = home + path[1:] if home else ""
    elif not os.path.isabs(path):
        path = os.path.join(cwd, path) if os.path.isabs(cwd) else ""
    return os.path.normpath(path) if os.path.isabs(path) else ""
