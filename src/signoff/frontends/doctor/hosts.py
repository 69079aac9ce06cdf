"""Which hosts are here, which of them are guarded and how well, and whether each really is.

A host is here if its program is on the PATH or its folder in the home. It is guarded if a file
of its user or of this project runs our command, to the letter as this environment installs it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from signoff.errors import BadSettings, SignoffError
from signoff.frontends.doctor.asking import QuestionRouting, asking_of
from signoff.frontends.doctor.canary import fire
from signoff.frontends.doctor.check import DoctorCheck
from signoff.frontends.hosts.claude_code import checkup as claude_code
from signoff.frontends.hosts.installers import INSTALLERS
from signoff.frontends.hosts.installing.installer import Installer, Target, elsewhere
from signoff.frontends.hosts.installing.versions import version_warning
from signoff.frontends.hosts.launch import decides, is_ours
from signoff.frontends.hosts.waits import WAITS, answer_within_s

CLAUDE_CODE = "claude-code"
HOST_NAMES = (CLAUDE_CODE, *INSTALLERS)
CLAUDE_CODE_PROGRAMS: tuple[str, ...] = ("claude",)
CLAUDE_CODE_FOLDERS: tuple[str, ...] = (".claude",)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostFolders:
    """Where settings of hosts are looked for."""

    home: Path
    project: Path


def check_hosts(folders: HostFolders, only: Sequence[str] = ()) -> Iterator[DoctorCheck]:
    """Look at every host that is here, or at the named ones."""
    names = only or [name for name in HOST_NAMES if is_here(name, folders)]
    if not names:
        said = f"no agent that signoff knows is here ({', '.join(HOST_NAMES)})"
        yield DoctorCheck(
            about="hosts", is_good=False, said=said, fix="install one, then signoff for it"
        )
    for name in names:
        try:
            yield from _claude_code(folders) if name == CLAUDE_CODE else _host(name, folders)
        except SignoffError as error:
            fix = f"fix what it names, then run `signoff install {name}`"
            yield DoctorCheck(about=name, is_good=False, said=str(error), fix=fix)


def guarded_here(
    folders: HostFolders, channels: Collection[str], *, answer_s: float
) -> tuple[QuestionRouting, ...]:
    """Return how people are asked for the agents that call signoff here; no canary is sent."""
    found: list[QuestionRouting] = []
    for name in HOST_NAMES:
        with contextlib.suppress(SignoffError, OSError, UnicodeError):
            if name == CLAUDE_CODE:
                has_daemon = claude_code.asks_daemon(folders.home, folders.project)
                if has_daemon is not None:
                    found.append(
                        asking_of(name, channels, answer_s=answer_s, has_daemon=has_daemon)
                    )
            elif any(target.commands(_text(target.path)) for target in _targets(name, folders)):
                found.append(asking_of(name, channels, answer_s=answer_s))
    return tuple(found)


def is_here(name: str, folders: HostFolders) -> bool:
    """Tell whether a host is installed or used here."""
    if name == CLAUDE_CODE:
        if claude_code.settings_files(folders.home, folders.project):
            return True
        programs, places = CLAUDE_CODE_PROGRAMS, CLAUDE_CODE_FOLDERS
    else:
        programs, places = INSTALLERS[name].programs, INSTALLERS[name].folders
    return any((folders.home / place).is_dir() for place in places) or any(
        map(shutil.which, programs)
    )


def _claude_code(folders: HostFolders) -> Iterator[DoctorCheck]:
    yield DoctorCheck(about=CLAUDE_CODE, is_good=True, said=_waits(CLAUDE_CODE))
    for check in claude_code.check_up(folders.home, folders.project):
        fix = "" if check.is_good else check.fix
        yield DoctorCheck(about=CLAUDE_CODE, is_good=check.is_good, said=check.said, fix=fix)


def _host(name: str, folders: HostFolders) -> Iterator[DoctorCheck]:
    """Look at the files of one host and fire its canaries once."""
    installer = INSTALLERS[name]
    commands: list[str] = []
    for target in _targets(name, folders):
        for check in _target(installer, target):
            yield check
            if check.is_good:
                commands += target.commands(_text(target.path))
    if not commands:
        fix = f"run `signoff install {name}`"
        yield DoctorCheck(about=name, is_good=False, said="not guarded from here", fix=fix)
        return
    yield DoctorCheck(about=name, is_good=True, said=f"guarded: {installer.guards}")
    yield from (DoctorCheck(about=name, is_good=True, said=f"note: {n}") for n in installer.notes)
    yield DoctorCheck(about=name, is_good=True, said=_waits(name))
    for adapter, event in installer.canaries.items():
        if command := next((c for c in commands if decides(c) and is_ours(c, adapter)), ""):
            yield fire(name, command, event, folder=folders.project)
    moved = elsewhere(installer, os.environ)
    for problem in (*installer.problems(folders.home), *filter(None, [moved])):
        fix = f"run `signoff install {name}`, and do what it notes"
        yield DoctorCheck(about=name, is_good=False, said=problem, fix=fix)
    yield from _version(installer)


def _targets(name: str, folders: HostFolders) -> Iterable[Target]:
    """Return the files of a host, of its user and of this project."""
    installer = INSTALLERS[name]
    users = installer.targets(folders.home, is_user=True)
    projects = installer.targets(folders.project, is_user=False)
    return {target.path: target for target in (*users, *projects)}.values()


def _waits(name: str) -> str:
    """Say how long a call waits for people."""
    wait = WAITS[name]
    return (
        f"a call waits up to {answer_within_s('', name):g} s where people are asked on a channel,"
        f" the hook ends itself after {wait.deadline_s} s, the host gives up after {wait.host_s} s"
    )


def _target(installer: Installer, target: Target) -> Iterator[DoctorCheck]:
    """Say what stands in one file; nothing if nothing of ours does."""
    text = _text(target.path)
    if not text or not target.commands(text):
        return
    if target.put(text) == text:
        said = f"the hook is in {target.path}"
        yield DoctorCheck(about=installer.name, is_good=True, said=said)
        return
    said = f"the hook in {target.path} is not as this environment installs it"
    fix = f"run `signoff install {installer.name}`"
    yield DoctorCheck(about=installer.name, is_good=False, said=said, fix=fix)


def _version(installer: Installer) -> Iterator[DoctorCheck]:
    program = next(filter(None, map(shutil.which, installer.programs[:1])), None)
    if program is None or not installer.tried:
        return
    if warning := version_warning(installer, program):
        fix = f"update {installer.title}"
        yield DoctorCheck(about=installer.name, is_good=False, said=warning, fix=fix)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeError) as error:
        raise BadSettings(f"{path} cannot be read: {error}") from error
