"""How far a path reaches: absolute components in, `Reach` out.

What is lenient (project, temporary) is compared exactly, what is strict (home, system, guard)
case-blind, because some disks are. A folder is inside another only by whole components:
`/home/dev/project2` is not inside `/home/dev/project`.

    folders_of(place).reach(("etc", "passwd")) is Reach.SYSTEM
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from signoff.actions.file_kinds import kind_of
from signoff.actions.operation import FileKind, Reach
from signoff.actions.place import Place

Parts = tuple[str, ...]

_TOP: Mapping[str, Reach] = {
    **dict.fromkeys(
        "etc usr bin sbin lib lib32 lib64 libx32 boot efi var opt sys proc dev root run snap nix "
        "lost+found initrd.img vmlinuz system library applications cores network private "
        "ostree sysroot".split(),
        Reach.SYSTEM,
    ),
    "tmp": Reach.TEMP,
    "home": Reach.HOME,
    "users": Reach.HOME,
}
_SECOND: Mapping[tuple[str, str], Reach] = {
    ("var", "tmp"): Reach.TEMP,
    ("var", "folders"): Reach.TEMP,
    ("dev", "shm"): Reach.TEMP,
    ("run", "user"): Reach.HOME,
    ("var", "home"): Reach.HOME,
}
_WINDOWS: Mapping[str, Reach] = {
    **dict.fromkeys(
        ("windows", "program files", "program files (x86)", "programdata", "recovery", "boot"),
        Reach.SYSTEM,
    ),
    "users": Reach.HOME,
    "temp": Reach.TEMP,
    "tmp": Reach.TEMP,
}
_HARMLESS = frozenset(
    "null zero full random urandom stdin stdout stderr tty ptmx console".split()
)
# A project may lie in /opt, /usr/src or /var/www, never in one of these.
_NO_PROJECT = frozenset({"etc", "bin", "sbin", "lib", "lib64", "boot", "proc", "sys", "dev"})
_NO_PROJECT_KINDS = frozenset(
    {FileKind.CREDENTIALS, FileKind.GUARD, FileKind.AGENT_CONFIG, FileKind.GIT_INTERNAL}
)
# Folders of a home that hold a broad part of it.
_HOME_PARTS = frozenset(
    "documents desktop downloads pictures music videos movies public library .config .local .ssh "
    ".gnupg .aws .kube .mozilla onedrive dropbox projects code src work repos workspace dev git "
    "go appdata .local/share .thunderbird .vscode .claude".split()
)
# System folders one level down whose loss is as bad as that of their parents.
_SYSTEM_TREES = frozenset({"usr", "var", "system", "library", "proc", "sys", "run", "c:"})
_MOUNTS = frozenset({"mnt", "media", "volumes", "net"})


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders of a place as components, ready to compare."""

    home: Parts
    project: Parts
    guards: tuple[Parts, ...]
    has_project: bool

    def reach(self, parts: Parts) -> Reach:
        """How far the path of these absolute components reaches."""
        if self.guards and self._is_guard(parts):
            return Reach.GUARD
        if self.has_project and parts[: len(self.project)] == self.project:
            return Reach.PROJECT
        if not parts:
            return Reach.SYSTEM
        first = parts[0].lower()
        if first.endswith(":"):
            return _windows_reach(parts, self.home)
        top = _TOP.get(first, Reach.ELSEWHERE)
        if top is Reach.TEMP and parts[0] == first:
            return top
        return self._beyond(tuple(part.lower() for part in parts), top)

    def _beyond(self, folded: Parts, top: Reach) -> Reach:
        home = self.home
        if folded[: len(home)] == home:
            return Reach.HOME
        if top is Reach.SYSTEM:
            second = _SECOND.get(folded[:2]) if len(folded) > 1 else None  # type: ignore[call-overload]  # two long
            if second is not None:
                return second
            return _device_reach(folded) if folded[0] == "dev" else top
        return Reach.SYSTEM if top is Reach.HOME and len(folded) == 1 else top

    def _is_guard(self, parts: Parts) -> bool:
        folded = tuple(part.lower() for part in parts)
        return any(folded[: len(guard)] == guard for guard in self.guards)

    def local_from(self, parts: Parts, reach: Reach) -> int:
        """Index of the first component below the folder that gives `reach`."""
        match reach:
            case Reach.PROJECT:
                return len(self.project)
            case Reach.HOME:
                if tuple(part.lower() for part in parts[: len(self.home)]) == self.home:
                    return len(self.home)
                return min(2, len(parts))
            case Reach.TEMP:
                return 1 if parts[:1] == ("tmp",) else min(2, len(parts))
            case _:
                return 0

    def is_root(self, parts: Parts, reach: Reach) -> bool:
        """Whether the path is a whole reach, a broad part of one, or a parent of the project."""
        if len(parts) <= 1 or self.project[: len(parts)] == parts:
            return reach is not Reach.NONE
        folded = tuple(part.lower() for part in parts)
        if self.home[: len(folded)] == folded:
            return True
        below = folded[self.local_from(parts, reach) :]
        match reach:
            case Reach.HOME:
                return not below or (len(below) == 1 and below[0] in _HOME_PARTS)
            case Reach.TEMP | Reach.PROJECT:
                return not below
            case Reach.SYSTEM:
                return len(parts) == 2 and folded[0] in _SYSTEM_TREES
            case Reach.ELSEWHERE:
                return len(parts) == 2 and folded[0] in _MOUNTS
            case _:
                return False


def _device_reach(folded: Parts) -> Reach:
    if len(folded) < 2:
        return Reach.SYSTEM
    if folded[1] in _HARMLESS or folded[1] in ("fd", "pts"):
        return Reach.NONE
    return Reach.REMOTE if folded[1] in ("tcp", "udp") else Reach.SYSTEM


def _windows_reach(parts: Parts, home: Parts) -> Reach:
    folded = tuple(part.lower() for part in parts)
    if len(folded) < 2:
        return Reach.SYSTEM
    if folded[3:6] == ("appdata", "local", "temp"):
        return Reach.TEMP
    if folded[: len(home)] == home:
        return Reach.HOME
    return _WINDOWS.get(folded[1], Reach.ELSEWHERE)


def parts_of(path: str) -> Parts:
    """The components of an absolute normal path; the root has none."""
    return tuple(part for part in path.split("/") if part)


@lru_cache(maxsize=256)
def _folders(home: str, project: str, guard_paths: tuple[str, ...]) -> Folders:
    home_parts = tuple(part.lower() for part in parts_of(home))
    project_parts = parts_of(project)
    folded = tuple(part.lower() for part in project_parts)
    return Folders(
        home=home_parts,
        project=project_parts,
        guards=tuple(
            tuple(part.lower() for part in parts_of(path)) for path in guard_paths if path != "/"
        ),
        has_project=(
            len(folded) > 0
            and home_parts[: len(folded)] != folded
            and not (len(folded) == 1 and folded[0] in _TOP)
            and folded[0] not in _NO_PROJECT
            and kind_of(project_parts) not in _NO_PROJECT_KINDS
        ),
    )


def folders_of(place: Place) -> Folders:
    """The folders of `place`, ready to compare."""
    return _folders(place.home, place.project, place.guard_paths)
