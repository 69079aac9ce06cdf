"""How far a path reaches: absolute components in, `Reach` out.

What is lenient (project, temporary) is compared exactly, what is strict (home, system, guard)
case-blind, because some disks are. A folder is inside another only by whole components:
`/home/dev/project2` is not inside `/home/dev/project`.

    folders_of(place).reach(("etc", "passwd")) is Reach.SYSTEM
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from signoff.actions.known.file_kinds import look
from signoff.actions.operation import FileKind, Reach
from signoff.actions.place import Place
from signoff.actions.vocabulary import words

Parts = tuple[str, ...]

_TOP: Mapping[str, Reach] = {
    **dict.fromkeys(
        words(
            "etc usr bin sbin lib lib32 lib64 libx32 boot efi var opt sys proc dev root "
            "run snap nix lost+found initrd.img vmlinuz system library applications cores "
            "network private ostree sysroot"
        ),
        Reach.SYSTEM,
    ),
    "tmp": Reach.TEMP,
    "home": Reach.HOME,
    "users": Reach.HOME,
}
_SECOND: Mapping[Parts, Reach] = {
    ("var", "tmp"): Reach.TEMP,
    ("var", "folders"): Reach.TEMP,
    ("dev", "shm"): Reach.TEMP,
    ("private", "tmp"): Reach.TEMP,  # what `/tmp` of macOS leads to
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
_TEMP_IN_HOME = ("appdata", "local", "temp")
_HARMLESS = words("null zero full random urandom stdin stdout stderr tty ptmx console fd")
# A project may lie in /opt, /usr/src or /var/www, never in one of these.
_NO_PROJECT = frozenset({"etc", "bin", "sbin", "lib", "lib64", "boot", "proc", "sys", "dev"})
_NO_PROJECT_KINDS = frozenset(
    {FileKind.CREDENTIALS, FileKind.GUARD, FileKind.AGENT_CONFIG, FileKind.GIT_INTERNAL}
)
# Folders of a home that hold a broad part of it.
_HOME_PARTS = words(
    "documents desktop downloads pictures music videos movies public library .config .local .ssh "
    ".gnupg .aws .kube .mozilla onedrive dropbox projects code src work repos workspace dev git "
    "go appdata .thunderbird .vscode .claude"
)
# System folders one level down whose loss is as bad as that of their parents.
_SYSTEM_TREES = frozenset({"usr", "var", "system", "library", "proc", "sys", "run", "c:"})
_MOUNTS = frozenset({"mnt", "media", "volumes", "net"})


class KnownFolders(Struct, frozen=True, kw_only=True, eq=False):
    """The folders of a place, split into components for comparison.

    Args:
        trees: linked work trees of the project's repository that this session made in the home,
            as they are and in lower case.
    """

    home: Parts
    project: Parts
    guards: frozenset[Parts]
    guard_depths: tuple[int, ...]
    has_project: bool
    project_depth: int
    trees: tuple[tuple[Parts, Parts], ...] = ()

    def reach(self, parts: Parts, folded: Parts) -> Reach:
        """Return how far a path reaches.

        Args:
            parts: its components.
            folded: the same in lower case.
        """
        # First: a guard's folder inside the project or the home stays the guard's.
        for depth in self.guard_depths:
            if folded[:depth] in self.guards:
                return Reach.GUARD
        if self.has_project and parts[: self.project_depth] == self.project:
            return Reach.PROJECT
        if not parts:
            return Reach.SYSTEM
        if folded[: len(self.home)] == self.home:
            if _is_drive(folded[0]) and folded[len(self.home) :][:3] == _TEMP_IN_HOME:
                return Reach.TEMP
            is_linked = any([parts[: len(tree)] == tree for tree, _ in self.trees])
            return Reach.PROJECT if is_linked else Reach.HOME
        return _common_reach(parts, folded)

    def local_from(self, folded: Parts, reach: Reach) -> int:
        """Return the index of the first component below the folder that gives `reach`."""
        if reach is Reach.PROJECT:
            depths = [len(tree) for _, tree in self.trees if folded[: len(tree)] == tree]
            return max(depths, default=self.project_depth)
        if reach is Reach.HOME:
            is_own = folded[: len(self.home)] == self.home
            return len(self.home) if is_own else min(2, len(folded))
        if reach is Reach.TEMP:
            if folded[:1] == ("tmp",):
                return 1
            in_home = 3 + len(_TEMP_IN_HOME)  # behind `C:/Users/ada`
            is_in_home = _is_drive(folded[0]) and folded[3:in_home] == _TEMP_IN_HOME
            return in_home if is_in_home else min(2, len(folded))
        return 0

    def is_root(self, parts: Parts, folded: Parts, reach: Reach) -> bool:
        """Return whether a path is a whole reach, a broad part, or a parent of the project."""
        depth = len(parts)
        if reach is Reach.PROJECT:
            return depth == self.local_from(folded, reach)
        if depth <= 1 or self.project[:depth] == parts or self.home[:depth] == folded:
            return reach is not Reach.NONE
        return _is_broad(folded, reach, folded[self.local_from(folded, reach) :])


def _common_reach(parts: Parts, folded: Parts) -> Reach:
    """Reach by the layout all machines share."""
    if _is_drive(folded[0]):
        return _windows_reach(folded)
    top = _TOP.get(folded[0], Reach.ELSEWHERE)
    if top is Reach.SYSTEM:
        return _SECOND.get(folded[:2]) or _system_reach(folded)
    if top is Reach.TEMP:
        # `/TMP` is another folder on most disks, and what is lenient is compared exactly.
        return top if parts[0] == folded[0] else Reach.ELSEWHERE
    return Reach.SYSTEM if top is Reach.HOME and len(folded) == 1 else top


def _is_broad(folded: Parts, reach: Reach, below: Parts) -> bool:
    match reach:
        case Reach.HOME:
            return not below or (len(below) == 1 and below[0] in _HOME_PARTS)
        case Reach.TEMP:
            return not below
        case Reach.SYSTEM:
            return len(folded) == 2 and folded[0] in _SYSTEM_TREES
        case Reach.ELSEWHERE:
            return len(folded) == 2 and (folded[0] in _MOUNTS or _is_drive(folded[0]))
        case _:
            return False


def _system_reach(folded: Parts) -> Reach:
    if folded[0] != "dev" or len(folded) < 2:
        return Reach.SYSTEM
    if folded[1] in _HARMLESS:
        return Reach.NONE
    # bash opens connections by these paths (Bash manual, Redirections); there are no such files.
    return Reach.REMOTE if folded[1] in ("tcp", "udp") else Reach.SYSTEM


def _is_drive(part: str) -> bool:
    return part[1:] == ":"


def _is_of_windows(folded: Parts) -> bool:
    """Tell whether a folder is a drive, all homes, or a part of the system on one."""
    if not _is_drive(folded[0]):
        return False
    return (
        len(folded) == 1
        or folded == (folded[0], "users")
        or (_WINDOWS.get(folded[1]) is Reach.SYSTEM)
    )


def _windows_reach(folded: Parts) -> Reach:
    if len(folded) < 2:
        return Reach.SYSTEM
    if folded[3:6] == _TEMP_IN_HOME:
        return Reach.TEMP
    return _WINDOWS.get(folded[1], Reach.ELSEWHERE)


def parts_of(path: str) -> Parts:
    """Return the components of an absolute normalised path; () for the root."""
    return tuple(filter(None, path.split("/")))


@lru_cache(maxsize=256)
def _folders(
    home: str, project: str, guard_paths: tuple[str, ...], trees: tuple[str, ...]
) -> KnownFolders:
    home_parts = tuple(part.lower() for part in parts_of(home))
    project_parts = parts_of(project)
    folded = tuple(part.lower() for part in project_parts)
    # The root has no components, so every path would begin with it.
    guards = frozenset(parts_of(path.lower()) for path in guard_paths if path != "/")
    return KnownFolders(
        home=home_parts,
        project=project_parts,
        project_depth=len(project_parts),
        guards=guards,
        guard_depths=tuple(sorted({len(guard) for guard in guards})),
        trees=tuple((parts_of(tree), parts_of(tree.lower())) for tree in trees),
        has_project=(
            len(folded) > 0
            # A home, or a folder above it, is no project: everything in it would count as near.
            and home_parts[: len(folded)] != folded
            and not (len(folded) == 1 and folded[0] in _TOP)
            and folded[0] not in _NO_PROJECT
            and not _is_of_windows(folded)
            and look(folded).kind not in _NO_PROJECT_KINDS
        ),
    )


def folders_of(place: Place) -> KnownFolders:
    """Return the folders of a place, split into components for comparison."""
    created = place.facts.created
    trees = linked_trees(created, place.home, place.project) if created else ()
    return _folders(place.home, place.project, place.guard_paths, trees)


@lru_cache(maxsize=256)
def linked_trees(created: frozenset[str], home: str, project: str) -> tuple[str, ...]:
    """Return the linked work trees that the session created in the home folder."""
    return tuple(
        sorted(
            path
            for path in created
            if path.startswith(f"{home.rstrip('/')}/")
            and not path.startswith(f"{project.rstrip('/')}/")
            and look(parts_of(path.lower())).kind not in _NO_PROJECT_KINDS
        )
    )
