"""The guard itself on this machine: daemon, rules, record, clock, files, versions."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from importlib import metadata
from itertools import pairwise

import signoff
from signoff.build.judge import build_programs, build_rules, reader_problem
from signoff.errors import BadProgram, BadRules, StoreError
from signoff.frontends.client.found import service_here
from signoff.frontends.doctor.check import DoctorCheck
from signoff.frontends.doctor.daemon import check_daemon, daemon_rules
from signoff.frontends.doctor.service import check_service
from signoff.frontends.doctor.shared_store import check_store
from signoff.frontends.server.people.channel_order import not_set_up, set_up
from signoff.settings import Settings
from signoff.storage.postgresql.address import StoreAddress
from signoff.storage.sqlite import SqliteStore
from signoff.system.files import CLOEXEC, NOFOLLOW, is_own, own_uid, rights_of_others
from signoff.values import count_of

NEWEST = 100  # entries of the record that are looked at; `signoff audit verify` looks at all
CLOCK_SLACK = timedelta(minutes=1)
EARLIEST = datetime(2026, 1, 1, tzinfo=UTC)
FILES_LIMIT = 1_000  # of one folder
SECRET_ENDS = (".key", ".token", ".secret", "-token")  # of files in the configuration folder
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
OTHERS_AT_ALL = stat.S_IRWXG | stat.S_IRWXO


def check_machine(settings: Settings) -> Iterator[DoctorCheck]:
    """Yield checks of this machine, without hosts and without what the service checks itself."""
    yield from check_service(is_for_agents=True)
    # Its rules, record and settings are closed to this user; `check_service` asks it instead.
    if service_here() is not None:
        yield _readers()
        yield _versions()
        return
    yield from check_daemon(settings)
    yield from _channels(settings)
    yield _rules(settings)
    yield _programs(settings)
    yield from _record(settings) if settings.store is None else _shared(settings, settings.store)
    yield from _files(settings)
    yield _readers()
    yield _versions()


def _channels(settings: Settings) -> Iterator[DoctorCheck]:
    """Look for channels that are to ask people and are not set up."""
    fix = "set it up, or take it out of `channels` in signoff.yaml"
    for name, problem in not_set_up(settings.channels, there=set_up(settings)).items():
        yield DoctorCheck(about="channels", is_good=False, said=f"{name}: {problem}", fix=fix)


def _rules(settings: Settings) -> DoctorCheck:
    try:
        rules = build_rules(settings).current()
    except BadRules as error:
        fix = "fix the line it names; `signoff rules lint` checks it"
        return DoctorCheck(about="rules", is_good=False, said=str(error), fix=fix)
    daemon = daemon_rules(settings)
    if daemon is None:
        return DoctorCheck(
            about="rules", is_good=True, said=f"{count_of(len(rules.rules), 'rule')} in force"
        )
    said = f"{count_of(daemon.rules, 'rule')} in force"
    if daemon.digest != rules.digest:
        said += f", as the daemon read them; the files on disk now hold {len(rules.rules)}"
    return DoctorCheck(about="rules", is_good=True, said=said)


def _programs(settings: Settings) -> DoctorCheck:
    """Read the user's own program descriptions."""
    try:
        own = build_programs(settings).current()
    except BadProgram as error:
        fix = "fix the line it names; `signoff programs lint` checks it"
        return DoctorCheck(about="programs", is_good=False, said=str(error), fix=fix)
    said = f"{len(own.names)} described in {settings.programs_dir}" if own else "none of your own"
    return DoctorCheck(about="programs", is_good=True, said=said)


def _shared(settings: Settings, store: StoreAddress) -> Iterator[DoctorCheck]:
    """Look at the store that several machines share."""
    yield from check_store(settings, store)
    yield check_clock("", now=datetime.now(UTC))


def _record(settings: Settings) -> Iterator[DoctorCheck]:
    """Look at the newest entries: do they hang together, and is the clock not before them?"""
    path = settings.record_file
    newest = ""
    if not os.path.exists(path):
        yield DoctorCheck(about="record", is_good=True, said=f"none yet in {path}")
    else:
        try:
            newest = _newest(SqliteStore(path, busy_timeout_s=settings.limits.busy_timeout_s))
        except StoreError as error:
            yield DoctorCheck(about="record", is_good=False, said=str(error), fix=_record_fix(path))
        else:
            said = f"audit log OK: hash chain verified (newest entries) ({path})"
            yield DoctorCheck(about="record", is_good=True, said=said)
    yield check_clock(newest, now=datetime.now(UTC))


def _record_fix(path: str) -> str:
    """Return what fixes a record that is refused: its rights, or a look at what happened to it."""
    if not os.path.isfile(path) or os.path.islink(path):
        return f"see who put it there, move it away, and put the record back: {path}"
    try:
        # Tried for real: the mode says nothing of a read-only disk.
        os.close(os.open(path, os.O_RDWR | CLOEXEC | NOFOLLOW))
    except OSError as error:
        said = (error.strerror or "it cannot be opened").lower()
        return f"make it a file that you can write again ({said}): `chmod 600 {path}`"
    return "run `signoff audit verify`; keep the file, and look who changed it"


def _newest(store: SqliteStore) -> str:
    """Return the time of the newest entry, "" if there is none.

    Raises:
        StoreError: the newest entries do not hang together, or cannot be read.
    """
    try:
        head = store.head()
        entries = list(store.entries(first=max(1, head.seq - NEWEST + 1), last=head.seq))
    finally:
        store.close()
    if not entries:
        # There is a head, so entries were taken away (T-62).
        if head.seq:
            raise StoreError(f"entry {head.seq} is missing")
        return ""
    is_chain = all(first.hash == second.prev for first, second in pairwise(entries))
    if entries[-1].hash != head.hash or not is_chain:
        raise StoreError("hash chain verification failed in the newest entries")
    said = json.loads(entries[-1].body).get("ts", "")
    return said if isinstance(said, str) else ""


def check_clock(newest: str, *, now: datetime) -> DoctorCheck:
    """Check that the clock is later than signoff's release and the newest entry.

    Args:
        newest: time of the newest audit log entry, ISO 8601; "" if there is none.
    """
    fix = "set the clock; times on the record rest on it"
    if now < EARLIEST:
        said = f"it says {now:%Y-%m-%d}, which is before signoff was made"
        return DoctorCheck(about="clock", is_good=False, said=said, fix=fix)
    try:
        last = datetime.fromisoformat(newest) if newest else now
    except ValueError:
        last = now
    # Python raises where a time without a zone is compared with one that has a zone.
    if last.tzinfo is not None and now + CLOCK_SLACK < last:
        said = f"it says {now:%Y-%m-%d %H:%M}, the newest entry was made at {newest}"
        return DoctorCheck(about="clock", is_good=False, said=said, fix=fix)
    return DoctorCheck(about="clock", is_good=True, said=f"{now:%Y-%m-%d %H:%M} UTC")


def _files(settings: Settings) -> Iterator[DoctorCheck]:
    """Look who else may change, or read, what the guard rests on."""
    code = os.path.dirname(os.path.abspath(signoff.__file__))
    state, config = settings.state_dir, settings.config_dir
    # Settings may be read by others, secrets may not.
    private = [*_inside(state), *(path for path in _inside(config) if path.endswith(SECRET_ENDS))]
    ours = (config, state, code, *_inside(config))
    bad = [check for path in private if (check := _access(path, OTHERS_AT_ALL))]
    bad += [check for path in ours if (check := _access(path, OTHERS_WRITE))]
    yield from bad
    if not bad:
        yield DoctorCheck(
            about="files", is_good=True, said="no other user can change signoff's files"
        )


def _inside(folder: str) -> list[str]:
    """Return what lies in one of our folders; a folder we cannot list is looked at itself."""
    try:
        return [os.path.join(folder, name) for name in sorted(os.listdir(folder))[:FILES_LIMIT]]
    except OSError:
        return []


def _access(path: str, unwanted: int) -> DoctorCheck | None:
    """Return what is wrong with who may use a file, None if nothing."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    rights = rights_of_others(found)
    # Root can change every file anyway.
    if not (is_own(found) or found.st_uid == 0):
        said = f"{path} belongs to another user ({found.st_uid})"
        return DoctorCheck(
            about="files", is_good=False, said=said, fix=f"run `chown {own_uid()} {path}`"
        )
    if rights & unwanted:
        all_rights = stat.S_IMODE(found.st_mode)
        act = "use" if unwanted == OTHERS_AT_ALL else "change"
        said = f"others may {act} {path} ({all_rights:o})"
        keep = all_rights & ~unwanted
        return DoctorCheck(
            about="files", is_good=False, said=said, fix=f"run `chmod {keep:o} {path}`"
        )
    return None


def _readers() -> DoctorCheck:
    """Run the self-test of the readers on this Python."""
    if problem := reader_problem():
        fix = "reinstall signoff, or install it with another Python (CPython 3.11 to 3.14)"
        return DoctorCheck(about="readers", is_good=False, said=problem, fix=fix)
    return DoctorCheck(about="readers", is_good=True, said="self-test passed")


def _versions() -> DoctorCheck:
    mine = metadata.version("signoff")
    said = f"signoff {mine}, Python {sys.version.split()[0]}, SQLite {sqlite3.sqlite_version}"
    return DoctorCheck(about="versions", is_good=True, said=said)
