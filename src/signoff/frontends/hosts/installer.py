"""What an installer of a host says: which files it changes, how, and what a person should know.

The files are named for a user's own folder or for a project's. Putting in and taking out are
pure, text in and text out; `files.py` does the rest.

    Installer(name="codex", title="Codex", programs=("codex",), targets=targets)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from signoff.frontends.hosts.files import Change, changed


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One file: how ours comes into it and out of it again, and which commands of ours it runs.

    Args:
        adapters: the adapters of this host that the file calls.
    """

    path: Path
    put: Callable[[str], str]
    take: Callable[[str], str]
    commands: Callable[[str], tuple[str, ...]]
    mode: int = 0o600


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """The first version that does what the hook needs; what an older one does instead."""

    first: tuple[int, ...]
    older: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Canary:
    """A call that must be refused, as the host would tell it to one of its adapters."""

    adapter: str
    event: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Installer:
    """One host.

    Args:
        programs: names on the PATH by which the host is found.
        folders: folders of a home that show the host was here.
        targets: the files, for a home or a project.
        notes: what the user must do or know that no file can do.
        guards: how well it is guarded, in one line.
    """

    name: str
    title: str
    programs: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    targets: Callable[[Path, bool], tuple[Target, ...]]
    canaries: tuple[Canary, ...] = ()
    version: Version | None = None
    notes: tuple[str, ...] = ()
    guards: str = ""


def install(
    installer: Installer, folder: Path, *, is_user: bool, is_dry: bool = False
) -> tuple[Change, ...]:
    """Put signoff in front of a host.

    Raises:
        BadSettings: a file cannot be read or written; it is then as it was.
    """
    targets = installer.targets(folder, is_user)
    for target in targets:  # whatever cannot be read is found before anything is written
        changed(target.path, target.put, is_dry=True)
    return tuple(
        changed(target.path, target.put, mode=target.mode, is_dry=is_dry) for target in targets
    )


def uninstall(
    installer: Installer, folder: Path, *, is_user: bool, is_dry: bool = False
) -> tuple[Change, ...]:
    """Take signoff away from a host; nobody else's hooks are touched.

    Raises:
        BadSettings: a file cannot be read or written; it is then as it was.
    """
    targets = installer.targets(folder, is_user)
    for target in targets:
        changed(target.path, target.take, is_dry=True)
    return tuple(changed(target.path, target.take, is_dry=is_dry) for target in targets)
