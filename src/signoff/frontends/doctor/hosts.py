"""Which hosts are here, which of them are guarded and how well, and whether each really is.

A host is here if its program is on the PATH or its folder in the home. It is guarded if a file
of its user or of this project runs our command, to the letter as this environment installs it.

A call nobody ever wants is put through the installed command exactly as the host would run it. It
must come back refused, and refused by a judgement: a guard that refuses because it cannot judge is
no success. Only commands that are ours to the letter are run.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from signoff.actions.action import Json
from signoff.errors import BadSettings, SignoffError
from signoff.frontends.doctor.asking import QuestionRouting, asking_of
from signoff.frontends.doctor.check import DoctorCheck
from signoff.frontends.hosts.host import HostManifest, elsewhere, version_warning
from signoff.frontends.hosts.installing.targets import Target
from signoff.frontends.hosts.launch import decides, is_ours
from signoff.frontends.hosts.registry import BY_NAME, HOSTS
from signoff.frontends.hosts.waits import answer_within_s
from signoff.frontends.hosts.wording import UNJUDGED

HOST_NAMES = tuple(host.name for host in HOSTS)

REFUSED = 2
TIMEOUT_S = 60  # nobody is asked about the canary
# Of hosts that take a refusal in words, under exit status 0.
DENIALS = ('"deny"', '"cancel": true', '"permission": "deny"')
WORDS_LIMIT = 300


class HostFolders(Struct, frozen=True, kw_only=True):
    """The folders in which hosts' settings are looked for."""

    home: Path
    project: Path


def check_hosts(folders: HostFolders, only: Sequence[str] = ()) -> Iterator[DoctorCheck]:
    """Yield checks of every host found here, or of the named ones."""
    names = only or [name for name in HOST_NAMES if is_here(name, folders)]
    if not names:
        said = f"no agent that signoff knows is here ({', '.join(HOST_NAMES)}): no hook guards any"
        fix = (
            "install an agent, then run `signoff init`; Python programs, MCP servers and web"
            " applications need no hook: they call signoff themselves"
        )
        yield DoctorCheck(about="hosts", is_good=False, said=said, fix=fix)
    for name in names:
        try:
            yield from _host(BY_NAME[name], folders)
        except SignoffError as error:
            fix = f"fix what it names, then run `signoff install {name}`"
            yield DoctorCheck(about=name, is_good=False, said=str(error), fix=fix)


def guarded_here(
    folders: HostFolders, channels: Collection[str], *, answer_s: float
) -> tuple[QuestionRouting, ...]:
    """Return how people are asked, for each agent that calls signoff here; sends no test call."""
    found: list[QuestionRouting] = []
    for host in HOSTS:
        # A host whose files cannot be read is reported by `check_hosts`; the others are still
        # listed.
        with contextlib.suppress(SignoffError, OSError, UnicodeError):
            has_daemon = _asks_daemon(host, folders)
            if has_daemon is not None:
                found.append(
                    asking_of(host.name, channels, answer_s=answer_s, has_daemon=has_daemon)
                )
    return tuple(found)


def _asks_daemon(host: HostManifest, folders: HostFolders) -> bool | None:
    """Tell whether a host puts calls to the daemon; None = it does not call signoff here."""
    if host.checkup is not None:
        return host.checkup.asks_daemon(folders.home, folders.project)
    targets = _targets(host, folders)
    return True if any(target.commands(_text(target.path)) for target in targets) else None


def is_here(name: str, folders: HostFolders) -> bool:
    """Return whether a host is installed or used here."""
    host = BY_NAME[name]
    if host.checkup is not None and host.checkup.is_used(folders.home, folders.project):
        return True
    return any((folders.home / place).is_dir() for place in host.folders) or any(
        map(shutil.which, host.programs)
    )


def _host(host: HostManifest, folders: HostFolders) -> Iterator[DoctorCheck]:
    """Look at one host in its own way, else at its files."""
    if host.checkup is None:
        yield from _files(host, folders)
        return
    if host.checkup.asks_daemon(folders.home, folders.project) is not None:
        yield DoctorCheck(about=host.name, is_good=True, said=_waits(host))
    for check in host.checkup.check_up(folders.home, folders.project):
        fix = check.fix or f"run `signoff install {host.name}`, or fix what it names"
        fix = "" if check.is_good else fix
        yield DoctorCheck(about=host.name, is_good=check.is_good, said=check.said, fix=fix)
    yield from _problems(host, folders)


def _files(host: HostManifest, folders: HostFolders) -> Iterator[DoctorCheck]:
    """Look at the files of one host and fire its canaries once."""
    name, commands = host.name, list[str]()
    for target in _targets(host, folders):
        for check in _target(host, target):
            yield check
            if check.is_good:
                commands += target.commands(_text(target.path))
    if not commands:
        fix = f"run `signoff install {name}`"
        yield DoctorCheck(about=name, is_good=False, said="not guarded from here", fix=fix)
        return
    yield DoctorCheck(about=name, is_good=True, said=f"guarded: {host.guards}")
    yield from (DoctorCheck(about=name, is_good=True, said=f"note: {n}") for n in host.notes)
    yield DoctorCheck(about=name, is_good=True, said=_waits(host))
    for adapter in host.adapters:
        if command := next((c for c in commands if decides(c) and is_ours(c, adapter.name)), ""):
            yield fire(name, command, adapter.canary, folder=folders.project)
    yield from _problems(host, folders)


def _problems(host: HostManifest, folders: HostFolders) -> Iterator[DoctorCheck]:
    """Say what keeps an installed hook from guarding."""
    moved = elsewhere(host, os.environ)
    for problem in (*host.problems(folders.home), *filter(None, [moved])):
        fix = f"run `signoff install {host.name}`, and do what it notes"
        yield DoctorCheck(about=host.name, is_good=False, said=problem, fix=fix)
    # A check-up of its own looks at the version, too.
    if host.checkup is None and host.tried and (warning := version_warning(host)):
        yield DoctorCheck(about=host.name, is_good=False, said=warning, fix=f"update {host.title}")


def _targets(host: HostManifest, folders: HostFolders) -> Iterable[Target]:
    """Return the files of a host, of its user and of this project."""
    users = host.targets(folders.home, is_user=True)
    projects = host.targets(folders.project, is_user=False)
    return {target.path: target for target in (*users, *projects)}.values()


def _waits(host: HostManifest) -> str:
    """Say how long the host leaves for an answer; `answer_timeout_s` may end it earlier."""
    wait = host.adapters[0].wait
    return (
        f"time limits fit: {host.title} leaves an answer {answer_within_s('', wait):g} s at most;"
        f" the hook ends after {wait.deadline_s} s, the host gives up after {wait.host_s} s"
    )


def _target(host: HostManifest, target: Target) -> Iterator[DoctorCheck]:
    """Say what is in one file; nothing if nothing of ours does."""
    text = _text(target.path)
    if not text or not target.commands(text):
        return
    if target.put(text) == text:
        said = f"the hook is in {target.path}"
        yield DoctorCheck(about=host.name, is_good=True, said=said)
        return
    said = f"the hook in {target.path} is not as this environment installs it"
    fix = f"run `signoff install {host.name}`"
    yield DoctorCheck(about=host.name, is_good=False, said=said, fix=fix)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeError) as error:
        raise BadSettings(f"{path} cannot be read: {error}") from error


def fire(host: str, command: str, event: Mapping[str, Json], *, folder: Path) -> DoctorCheck:
    """Send a test call through a hook command; report whether it was denied, and how fast.

    Args:
        event: the payload of the call.
    """
    started = time.perf_counter()
    try:
        done = subprocess.run(  # noqa: S603 - our own command, to the letter
            ["/bin/sh", "-c", command],
            input=json.dumps(event).encode(),
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
            cwd=folder,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return _bad(host, f"the hook does not answer: {error}")
    took_ms = (time.perf_counter() - started) * 1000
    stdout, stderr = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    if done.returncode != REFUSED and not any(denial in stdout for denial in DENIALS):
        return _bad(host, f"the hook let a call through that must be refused: {_short(stdout)}")
    words = stdout + stderr
    if "signoff: " not in words or UNJUDGED in words:
        return _bad(host, f"the hook refuses because it cannot judge: {_short(words)}")
    said = f"the hook denied the test call, in {took_ms:.0f} ms"
    return DoctorCheck(about=host, is_good=True, said=said)


def _bad(host: str, said: str) -> DoctorCheck:
    fix = f"run `signoff install {host}`, and look at what `signoff status` says"
    return DoctorCheck(about=host, is_good=False, said=said, fix=fix)


def _short(words: str) -> str:
    return words.strip()[:WORDS_LIMIT] or "it said nothing"
