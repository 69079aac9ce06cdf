"""Finds the sessions of a user's agents and judges them, on all cores.

    sessions = find_sessions(Path.home(), since_s=0.0)
    calls = judge_sessions(sessions, ReplaySetup(home="/home/dev"), jobs=2, tell=print)

Nothing is stored, sent or run, and of this machine only the session files are read, and which of
the named folders are projects.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from signoff.build.judge import build_judge, build_programs, guard_paths, warm_up
from signoff.frontends.hosts.host import HostManifest
from signoff.frontends.hosts.registry import BY_NAME, HOSTS
from signoff.frontends.hosts.transcripts import PastCall, SessionFiles
from signoff.frontends.replay.replayed_call import ReplayedCall, replayed_call
from signoff.frontends.replay.session import SessionReplay
from signoff.frontends.replay.written import SessionDisk
from signoff.redaction.redact import Redactor
from signoff.settings import load_settings
from signoff.storage.fs_probe.project import Project, find_project
from signoff.values import replace

COLLECT_AFTER = 50_000  # new objects
UNKNOWN_FOLDER = "project"  # below the home, where a host does not say where it was
KEY_BYTES = 32


class FoundSession(Struct, frozen=True, kw_only=True):
    """The files of one session, and the name of its host."""

    host: str
    files: SessionFiles


class ReplaySetup(Struct, frozen=True, kw_only=True):
    """Settings for the worker processes of a replay.

    Args:
        home: the home folder of whoever used the agents.
        since: calls before this time are not counted, ISO 8601; "" = all count.
        key: masks secrets; the same secret gets the same mask within one replay.
        cache: folder for compiled patterns where signoff has none yet.
    """

    home: str
    since: str = ""
    key: bytes = b""
    cache: str = ""


class Progress(Struct, frozen=True, kw_only=True):
    """Progress of a replay: sessions done of how many, bytes read and calls judged so far."""

    done: int
    sessions: int
    read_bytes: int
    calls: int


def find_sessions(
    home: Path, *, since_s: float = 0.0, hosts: Iterable[HostManifest] = HOSTS
) -> tuple[FoundSession, ...]:
    """Return sessions written to since a time, oldest first.

    Args:
        since_s: seconds since the epoch.
    """
    found = [
        FoundSession(host=host.name, files=files)
        for host in hosts
        if host.transcripts is not None
        for files in host.transcripts.find(folder_of(host, home))
        if files.modified_s >= since_s
    ]
    return tuple(sorted(found, key=lambda one: (one.files.modified_s, one.files.paths)))


def folder_of(host: HostManifest, home: Path) -> Path:
    """Return the folder where a host keeps its files.

    For one's own home, the folder that an environment variable may name.
    """
    moved = os.environ.get(host.moved_by, "") if host.moved_by else ""
    # The variable is one of this user: of another home it says nothing.
    is_own = str(home) == os.path.expanduser("~")
    return Path(moved) if moved and is_own else home / host.folders[0]


def judge_sessions(
    sessions: Sequence[FoundSession],
    setup: ReplaySetup,
    *,
    jobs: int,
    tell: Callable[[Progress], None] = lambda progress: None,
) -> tuple[ReplayedCall, ...]:
    """Judge every call of these sessions, in order; a call in two files counts once."""
    results: dict[int, list[ReplayedCall]] = {}
    calls = read = 0
    # A home that signoff was never used in stays as it is: no key, no cache.
    with tempfile.TemporaryDirectory(prefix="signoff-replay-") as cache:
        setup = replace(setup, key=setup.key or os.urandom(KEY_BYTES), cache=cache)
        for index, found in _judged(sessions, setup, jobs):
            results[index] = found
            calls, read = calls + len(found), read + sessions[index].files.size
            tell(
                Progress(
                    done=len(results),
                    sessions=len(sessions),
                    read_bytes=read,
                    calls=calls,
                )
            )
    return tuple(_without_copies(call for index in sorted(results) for call in results[index]))


def _judged(
    sessions: Sequence[FoundSession], setup: ReplaySetup, jobs: int
) -> Iterator[tuple[int, list[ReplayedCall]]]:
    """Yield the calls of each session as they get done; the largest sessions are begun first."""
    order = sorted(range(len(sessions)), key=lambda index: -sessions[index].files.size)
    work = [(index, sessions[index]) for index in order]
    _WORKER[:] = [TranscriptJudge(setup)]  # what is loaded before a fork is loaded once
    if jobs <= 1 or len(work) <= 1:
        yield from map(_judge, work)
        return
    # After a fork macOS's own libraries may break (Python's manual, multiprocessing).
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    with context.Pool(min(jobs, len(work)), initializer=_start, initargs=(setup,)) as pool:
        yield from pool.imap_unordered(_judge, work)


def _without_copies(calls: Iterable[ReplayedCall]) -> Iterator[ReplayedCall]:
    """Yield each call once; hosts copy the past of a session into one that goes on from it."""
    seen: set[tuple[str, str]] = set()
    for call in calls:
        key = call.host, call.id
        if not call.id or key not in seen:
            seen.add(key)
            yield call


class TranscriptJudge:
    """Judges the sessions of one user by the settings, rules and programs in force."""

    def __init__(self, setup: ReplaySetup) -> None:
        self._setup = setup
        settings = load_settings()
        is_new = not os.path.lexists(settings.key_file)
        self._settings = replace(settings, state_dir=setup.cache) if is_new else settings
        self._judge = build_judge(self._settings)
        self._programs = build_programs(self._settings)
        self._programs.current()  # bad ones are said before the first call
        self._redactor = Redactor(setup.key)
        warm_up(self._settings)

    def calls_of(self, session: FoundSession) -> Iterator[ReplayedCall]:
        """Yield the summary of each call of a session."""
        form = BY_NAME[session.host].transcripts
        if form is None:
            return
        replay: SessionReplay | None = None
        for past in form.read(session.files):
            if replay is None:
                replay = self._begin(past)
            judged = self._call(session.host, past, replay)
            # Judged all the same: later calls of the session rest on it.
            if not (past.at and past.at < self._setup.since):
                yield judged

    def _begin(self, first: PastCall) -> SessionReplay:
        home = self._setup.home
        cwd = (first.action.cwd if first.action else "") or f"{home}/{UNKNOWN_FOLDER}"
        projects = ProjectsThen(home=home, first=cwd, is_versioned=first.is_versioned)
        return SessionReplay(
            self._judge,
            SessionDisk(projects.around),
            home=home,
            guard_paths=guard_paths(self._settings),
            guard_port=self._settings.port,
            programs=self._programs.current,
        )

    def _call(self, host: str, past: PastCall, replay: SessionReplay) -> ReplayedCall:
        action = past.action
        if action is None:
            return _unread(host, past)
        if not action.cwd:
            action = replace(action, cwd=f"{self._setup.home}/{UNKNOWN_FOLDER}")
        try:
            assessment = replay.judge(action)
        except Exception as error:  # noqa: BLE001 - live, the gate's frame denies such a call
            return replace(
                _unread(host, past),
                session=action.session,
                tool=action.tool,
                verdict="deny",
                cause="cannot be judged",
                reason=f"{type(error).__name__}"[:200],
            )
        return replayed_call(assessment, id=past.id, host=host, at=past.at, redactor=self._redactor)


class ProjectsThen:
    """The projects of a session's folders, as far as this machine still tells.

    A folder that is gone is taken as part of the project the session began in.
    """

    def __init__(self, *, home: str, first: str, is_versioned: bool | None) -> None:
        self._home = home
        self._found: dict[str, Project] = {}
        # The home folder and those above it are no project.
        is_project = first.startswith("/") and not f"{home}/".startswith(f"{first.rstrip('/')}/")
        self._first = (
            Project(root=first, is_under_version_control=is_versioned is not False)
            if is_project
            else Project()
        )

    def around(self, folder: str) -> Project:
        """Return the project a folder belongs to, an empty one if it is in none."""
        found = self._found.get(folder)
        if found is None:
            found = self._found[folder] = self._around(folder)
        return found

    def _around(self, folder: str) -> Project:
        if os.path.isdir(folder):
            return find_project(folder, home=self._home)
        root = self._first.root
        is_inside = bool(root) and (folder == root or folder.startswith(f"{root.rstrip('/')}/"))
        return self._first if is_inside else Project()


def _unread(host: str, past: PastCall) -> ReplayedCall:
    return ReplayedCall(id=past.id, host=host, session="", at=past.at, tool="", verdict="")


_WORKER: list[TranscriptJudge] = []


def _start(setup: ReplaySetup) -> None:
    _WORKER[:] = [TranscriptJudge(setup)]
    # What is loaded by now stays to the end: the collector need not walk through it.
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER)


def _judge(work: tuple[int, FoundSession]) -> tuple[int, list[ReplayedCall]]:
    index, session = work
    return index, list(_WORKER[0].calls_of(session))
