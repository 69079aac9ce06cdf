"""The agents of this machine, and what an installation would change for each of them.

for found in find_hosts(HostFolders(home=Path.home(), project=Path.cwd())):
    found.state, found.changes
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from signoff.errors import SignoffError
from signoff.frontends.doctor.hosts import HOST_NAMES, HostFolders, is_here
from signoff.frontends.hosts.host import HostManifest, install, warnings_of
from signoff.frontends.hosts.installing.files import FileChange
from signoff.frontends.hosts.registry import BY_NAME


class HostState(StrEnum):
    """Whether a host calls signoff."""

    GUARDED = "guarded"
    UNGUARDED = "not guarded"
    UNREADABLE = "unreadable"


class FoundHost(Struct, frozen=True, kw_only=True):
    """One agent found on this machine.

    Args:
        changes: the files an installation changes, made or planned; () if none.
        problem: why its files cannot be changed, "" if they can.
        warnings: what a person should know of the installation.
    """

    host: HostManifest
    state: HostState
    changes: tuple[FileChange, ...] = ()
    problem: str = ""
    warnings: tuple[str, ...] = ()


def find_hosts(folders: HostFolders, only: Sequence[str] = ()) -> tuple[FoundHost, ...]:
    """Return the hosts that are installed or used here, or the named ones; nothing is written."""
    names = only or [name for name in HOST_NAMES if is_here(name, folders)]
    return tuple(_found(BY_NAME[name], folders, is_dry=True) for name in names)


def install_hosts(found: Sequence[FoundHost], home: Path) -> Iterator[FoundHost]:
    """Install signoff for each host that is not guarded yet; yield its new state."""
    folders = HostFolders(home=home, project=home)
    for one in found:
        if one.state is HostState.UNGUARDED:
            yield _found(one.host, folders, is_dry=False)


def _found(host: HostManifest, folders: HostFolders, *, is_dry: bool) -> FoundHost:
    """Install for a host, or look at what that would change."""
    try:
        if is_dry and _is_guarded_by_plugin(host, folders):
            return FoundHost(host=host, state=HostState.GUARDED)
        made = install(host, folders.home, is_user=True, is_dry=is_dry)
        warnings = () if is_dry else warnings_of(host, made, is_user=True)
    except SignoffError as error:
        return FoundHost(host=host, state=HostState.UNREADABLE, problem=str(error))
    changes = tuple(change for change in made if change.is_needed)
    is_open = is_dry and bool(changes)
    state = HostState.UNGUARDED if is_open else HostState.GUARDED
    return FoundHost(host=host, state=state, changes=changes, warnings=warnings)


def _is_guarded_by_plugin(host: HostManifest, folders: HostFolders) -> bool:
    """Tell whether the host calls signoff by a plugin; a hook beside it would judge twice."""
    return host.checkup is not None and host.checkup.has_plugin(folders.home, folders.project)
