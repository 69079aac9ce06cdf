"""What an installer of a host says: which files it changes, how, and what a person should know.

The files are named for a user's own folder or for a project's. Putting in and taking out are
pure, text in and text out; `files.py` does the rest.

    Installer(name="codex", title="Codex", programs=("codex",), targets=targets)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from signoff.actions.action import Json
from signoff.errors import BadSettings
from signoff.frontends.hosts.installing.files import FileChange, changed
from signoff.frontends.hosts.installing.hook_lists import commands_in, put_in, take_out
from signoff.frontends.hosts.launch import is_ours


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One file: how ours comes into it and out of it again, and which commands of ours it runs."""

    path: Path
    put: Callable[[str], str]
    take: Callable[[str], str]
    commands: Callable[[str], tuple[str, ...]]
    mode: int = 0o600


class Targets(Protocol):
    """Names the files of a host."""

    def __call__(self, folder: Path, *, is_user: bool) -> tuple[Target, ...]:
        """Return the files in a user's home, or in a project."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Installer:
    """One host.

    Args:
        programs: names on the PATH by which the host is found.
        folders: folders of a home that show the host is used.
        targets: the files, for a home or a project.
        canaries: by adapter, a call that must be refused, as the host tells it.
        tried: the version all of this was tried with, () where only its documents were read.
        older: what is to be said of a version before that.
        notes: what a user must do or know that no file can do.
        guards: how well the host is guarded, in one line.
        moved_by: the variable that makes the host read another folder of the user.
        problems: what in a user's home keeps the installed hook from guarding.
    """

    name: str
    title: str
    programs: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    targets: Targets
    canaries: Mapping[str, Mapping[str, Json]]
    tried: tuple[int, ...] = ()
    older: str = ""
    notes: tuple[str, ...] = ()
    guards: str = ""
    moved_by: str = ""
    problems: Callable[[Path], tuple[str, ...]] = lambda home: ()


def elsewhere(installer: Installer, variables: Mapping[str, str]) -> str:
    """Say that the host reads another folder than the one that is written, "" if it does not."""
    folder = variables.get(installer.moved_by, "") if installer.moved_by else ""
    if not folder:
        return ""
    return (
        f"{installer.moved_by} is `{folder}`: {installer.title} reads its settings there, and"
        " signoff is installed in the usual folder only"
    )


def hooks_file(
    path: Path,
    hooks: Mapping[str, Json],
    *,
    adapters: tuple[str, ...],
    first: Mapping[str, Json] | None = None,
) -> Target:
    """Return the target of a settings file that lists hooks by event."""

    def ours(command: str) -> bool:
        return is_ours(command, *adapters)

    return Target(
        path=path,
        put=lambda text: put_in(text, hooks, is_ours=ours, first=first),
        take=lambda text: take_out(text, is_ours=ours, first=first),
        commands=lambda text: commands_in(text, ours),
    )


def own_file(
    path: Path,
    content: str,
    *,
    mark: str,
    commands: Callable[[str], tuple[str, ...]] = lambda text: (),
    mode: int = 0o600,
) -> Target:
    """Return the target of a file that is ours alone, known by a mark in it."""

    def put(text: str) -> str:
        if text.strip() and mark not in text:
            raise BadSettings("there is a file of somebody else's already, so it is left as it is")
        return content

    return Target(
        path=path,
        put=put,
        take=lambda text: "" if mark in text else text,
        commands=commands,
        mode=mode,
    )


def install(
    installer: Installer, folder: Path, *, is_user: bool, is_dry: bool = False
) -> tuple[FileChange, ...]:
    """Put signoff in front of a host.

    Raises:
        BadSettings: a file cannot be read or written; it is then as it was.
    """
    targets = installer.targets(folder, is_user=is_user)
    for target in targets:  # whatever cannot be read is found before anything is written
        changed(target.path, target.put, is_dry=True)
    return tuple(
        changed(target.path, target.put, mode=target.mode, is_dry=is_dry) for target in targets
    )


def uninstall(
    installer: Installer, folder: Path, *, is_user: bool, is_dry: bool = False
) -> tuple[FileChange, ...]:
    """Take signoff away from a host; nobody else's hooks are touched.

    Raises:
        BadSettings: a file cannot be read or written; it is then as it was.
    """
    targets = installer.targets(folder, is_user=is_user)
    for target in targets:
        changed(target.path, target.take, is_dry=True)
    return tuple(changed(target.path, target.take, is_dry=is_dry) for target in targets)
