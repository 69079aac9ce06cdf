"""What signoff knows of one host, in one value: `HOST`, exported by the host's folder.

`registry.py` lists the hosts. Everything that goes over hosts (`install`, `doctor`, the daemon,
waits, canaries, names on cards, the fault matrix, the tests) reads these values and nothing else.

    HOST = HostManifest(name="codex", title="Codex CLI", adapters=(ADAPTER,), targets=targets, ...)
    install(HOST, Path.home(), is_user=True)
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from signoff.frontends.hosts.adapter import Adapter
from signoff.frontends.hosts.installing.files import FileChange, changed, removed
from signoff.frontends.hosts.installing.targets import Targets
from signoff.frontends.hosts.installing.versions import older_than, version_of
from signoff.frontends.hosts.transcripts import TranscriptFormat


class HookCheck(Struct, frozen=True, kw_only=True):
    """The result of one check of a host's hooks.

    Args:
        fix: "" = run the installer again, or fix what it names.
    """

    is_good: bool
    said: str
    fix: str = ""


class OwnCheckup(Struct, frozen=True, kw_only=True):
    """How a host is examined that can be reached in more ways than by its targets.

    Each is given the user's home and the project's folder.

    Args:
        is_used: tells whether the host's settings are there.
        asks_daemon: tells whether calls are put to the daemon; None = signoff is not called.
        check_up: looks at the settings and sends the canary.
        has_plugin: tells whether the host calls signoff by an installed plugin.
    """

    is_used: Callable[[Path, Path], bool]
    asks_daemon: Callable[[Path, Path], bool | None]
    check_up: Callable[[Path, Path], Iterator[HookCheck]]
    has_plugin: Callable[[Path, Path], bool] = lambda home, project: False


class HostManifest(Struct, frozen=True, kw_only=True):
    """Everything signoff knows about one host: its hooks, its files, and how it is installed.

    Args:
        name: its name in `signoff install NAME`.
        title: its product name with its variants.
        adapters: its hooks; the one that every call reaches comes first.
        targets: returns the files to change, for a home or a project.
        guards: in one line: what the hooks can block, and what happens when they fail.
        programs: program names on the PATH that show it is installed, the main one first.
        folders: folders in a home that show it is used.
        prompt: how it asks its user; only used if a hook can open that prompt.
        tried: the host version tested with signoff, () if only its documents were read.
        older: a warning for versions older than `tried`.
        notes: what a user must know or do by hand.
        moved_by: environment variable that moves the host's user folder, "" if none.
        problems: returns settings in a home that keep the installed hook from working.
        kinds: alternative targets of an installation, by name; the default ones come first.
        kinds_help: what these alternatives are, in one sentence.
        write_plugin: writes a plugin package into a folder, for the host's own installer.
        warnings: returns the warnings for an installation, in place of the usual ones.
        checkup: the host's own check in `doctor`, in place of the usual one.
        transcripts: how past calls are read from its session files; None = it keeps none that
            are known.
    """

    name: str
    title: str
    adapters: tuple[Adapter, ...]
    targets: Targets
    guards: str
    programs: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    prompt: str = "its own prompt"
    tried: tuple[int, ...] = ()
    older: str = ""
    notes: tuple[str, ...] = ()
    moved_by: str = ""
    problems: Callable[[Path], tuple[str, ...]] = lambda home: ()
    kinds: Mapping[str, Targets] = field(default_factory=dict)
    kinds_help: str = ""
    write_plugin: Callable[..., tuple[FileChange, ...]] | None = None
    warnings: Callable[[Sequence[FileChange]], tuple[str, ...]] | None = None
    checkup: OwnCheckup | None = None
    transcripts: TranscriptFormat | None = None

    @property
    def called(self) -> str:
        """The host's name for people, as `Claude Code`."""
        return self.adapters[0].called

    @property
    def program(self) -> str | None:
        """Path of the host's program, None if it is not on the PATH."""
        return shutil.which(self.programs[0]) if self.programs else None


def install(
    host: HostManifest, folder: Path, *, is_user: bool, kind: str = "", is_dry: bool = False
) -> tuple[FileChange, ...]:
    """Install signoff's hooks for a host; return the changes to its files.

    Args:
        folder: the user's home, or a project.
        kind: one of the host's kinds of installation, "" for the default.
        is_dry: return the changes without writing them.

    Raises:
        BadSettings: a file cannot be read or written; it is then as it was.
        StoreError: a token cannot be made.
    """
    targets = host.kinds.get(kind, host.targets)(folder, is_user=is_user)
    for target in targets:  # whatever cannot be read is found before anything is written
        changed(target.path, target.put, is_dry=True)
    return tuple(
        changed(target.path, target.put, mode=target.mode, is_dry=is_dry) for target in targets
    )


def uninstall(
    host: HostManifest, folder: Path, *, is_user: bool, is_dry: bool = False
) -> tuple[FileChange, ...]:
    """Remove signoff's hooks from a host; hooks of others stay.

    Args:
        folder: the user's home, or a project.
        is_dry: return the changes without writing them.

    Raises:
        BadSettings: a file cannot be read or written; it is then as it was.
    """
    targets = host.targets(folder, is_user=is_user)
    for target in targets:
        changed(target.path, target.take, is_dry=True)
    return tuple(removed(one.path, one.take, one.put, is_dry=is_dry) for one in targets)


def warnings_of(
    host: HostManifest, changes: Sequence[FileChange], *, is_user: bool
) -> tuple[str, ...]:
    """Return warnings for a person about an installation."""
    moved = elsewhere(host, os.environ) if is_user else ""
    own = (version_warning(host),) if host.warnings is None else host.warnings(changes)
    return tuple(said for said in (moved, *own) if said)


def elsewhere(host: HostManifest, variables: Mapping[str, str]) -> str:
    """Return a warning that the host reads another folder than the one written, "" if not.

    Args:
        variables: the environment.
    """
    folder = variables.get(host.moved_by, "") if host.moved_by else ""
    if not folder:
        return ""
    return (
        f"{host.moved_by} is `{folder}`: {host.title} reads its settings there, and"
        " signoff is installed in the usual folder only"
    )


def version_warning(host: HostManifest) -> str:
    """Return a warning about the installed version of the host, "" if there is none."""
    if host.program is None:
        return ""
    if not host.tried:
        return f"{host.title} was not tried for real: what signoff does rests on its documents"
    found = version_of(host.program)
    if found is None:
        return f"{host.program} --version does not name a version"
    return older_than(host.title, found, host.tried, host.older)
