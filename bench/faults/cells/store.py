"""The record under every fault of its disk and file: nothing runs that is not written down.

Each call is judged by a hook in a process of its own. A call that ran, or was handed on to be
asked about, must stand on the record afterwards; without that entry it may only be refused.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from bench.faults.calls import BENIGN, CALLS, DANGER, Call, Observation, Seen, Trial
from bench.faults.cell import Cell, Kind, Probe
from bench.faults.stage import Stage, in_namespace

NAME = "record, in-process hook"
ENTRY = {Seen.RUNS: "allow", Seen.ASKED: "ask"}
SIZE = "24m"
# What strace makes fail, and how; the first such call on the record's files and all after it.
INJECTED = {
    "fdatasync fails (EIO)": ("fdatasync:error=EIO", Kind.READ_ONLY),
    "the first fdatasync fails (EIO)": ("fdatasync:error=EIO:when=1", Kind.READ_ONLY),
    "writes fail (ENOSPC)": ("pwrite64:error=ENOSPC", Kind.FULL),
    "writes fail (EIO)": ("pwrite64:error=EIO", Kind.CORRUPT),
    "the third write fails (EDQUOT)": ("pwrite64:error=EDQUOT:when=3", Kind.FULL),
    "reads fail (EIO)": ("pread64:error=EIO", Kind.CORRUPT),
    "opening fails (EACCES)": ("openat:error=EACCES", Kind.READ_ONLY),
    "opening fails (EROFS)": ("openat:error=EROFS", Kind.READ_ONLY),
    "locking fails (ENOLCK)": ("fcntl:error=ENOLCK", Kind.LOCKED),
    "mapping fails (ENOMEM)": ("mmap:error=ENOMEM", Kind.FULL),
}


def entries(stage: Stage) -> Counter[str]:
    """Count what is on the record by verdict; nothing if it cannot be read."""
    path = stage.state / "record.db"
    with contextlib.suppress(sqlite3.Error, ValueError, OSError):
        if not path.is_file():
            return Counter()
        with contextlib.closing(sqlite3.connect(path, timeout=1)) as db:
            bodies = db.execute("SELECT body FROM records").fetchall()
        return Counter(json.loads(body)["verdict"] for (body,) in bodies)
    return Counter()


def kept(stage: Stage, judged: Callable[[Call], Trial], *calls: Call) -> tuple[Trial, ...]:
    """Put calls to a judge; what got on without an entry of its own must not have."""
    trials = []
    for call in calls or CALLS:
        before = entries(stage)
        found = judged(call)
        word = ENTRY.get(found.seen, "")
        is_kept = not word or entries(stage)[word] > before[word]
        trials.append(found if is_kept else Trial(
            call=call.must_not_run(), seen=found.seen, words=f"not on record: {found.words}"
        ))  # fmt: skip
    return tuple(trials)


def spoiled(spoil: Callable[[Path], object], evidence: str) -> Probe:
    """Return the probe of a record that was made, used, and then spoiled."""

    def probe(stage: Stage) -> Observation:
        before = stage.hook(BENIGN)
        is_sound = before.seen is Seen.RUNS and entries(stage)["allow"] == 1
        spoil(stage.state / "record.db")
        trials = kept(stage, stage.hook)
        return Observation(trials=trials, evidence=evidence if is_sound else "")

    return probe


def mounted(setup: str, evidence: str) -> Probe:
    """Return the probe of a state folder in mounts of its own; nothing there is kept."""

    def probe(stage: Stage) -> Observation:
        stage.hook(BENIGN)
        folder = shlex.quote(str(stage.state))
        copy = shlex.quote(str(stage.folder / "copy"))
        within = in_namespace(setup.format(folder=folder, copy=copy, size=SIZE))
        trials = tuple(stage.hook(call.must_not_run(), within=within) for call in CALLS)
        return Observation(trials=trials, evidence=evidence)

    return probe


FULL = (
    "cp -a {folder} {copy}; mount -t tmpfs -o size={size} none {folder};"
    " cp -a {copy}/. {folder}; rm -rf {copy};"
    " dd if=/dev/zero of={folder}/filler bs=4k 2>/dev/null && exit 9"
    " || true"
)
FULL_AT_FIRST = FULL.replace("dd if", "rm -f {folder}/record.db*; dd if")
READ_ONLY = "mount --bind {folder} {folder}; mount -o remount,ro,bind {folder}"


def injected(fault: str) -> Probe:
    """Return the probe of system calls on the record's files that fail."""

    def probe(stage: Stage) -> Observation:
        stage.hook(BENIGN)
        record = str(stage.state / "record.db")
        files = (part for end in ("", "-wal", "-shm") for part in ("-P", record + end))
        log = stage.folder / "strace.log"
        name = fault.partition(":")[0]
        within = ["strace", "-f", "-qq", "-A", "-o", str(log), *files]
        within += ["-e", f"trace={name}", "-e", f"inject={fault}"]

        def judged(call: Call) -> Trial:
            return stage.hook(call, within=within)

        trials = kept(stage, judged, BENIGN, DANGER)
        count = log.read_text(errors="replace").count("(INJECTED)")
        said = f"{count} calls of {name} were made to fail" if count else ""
        return Observation(trials=trials, evidence=said)

    return probe


def locked(stage: Stage) -> Observation:
    """Hold the record as another process would that writes and writes."""
    stage.write("signoff.yaml", "limits: {busy_timeout_s: 0.2}\n")
    stage.hook(BENIGN)
    path = stage.state / "record.db"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        trials = tuple(stage.hook(call.must_not_run()) for call in CALLS)
        db.execute("ROLLBACK")
    return Observation(trials=trials, evidence="another connection held the write lock")


def _garbage(start: int, length: int) -> Callable[[Path], object]:
    def spoil(path: Path) -> None:
        _without_log(path)
        with open(path, "r+b") as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(start)
            file.write(os.urandom(min(length, size - start)))

    return spoil


def _without_log(path: Path) -> None:
    """Bring everything into the one file, so that it alone is what is read."""
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for end in ("-wal", "-shm"):
        Path(f"{path}{end}").unlink(missing_ok=True)


def _as(make: Callable[[Path], object]) -> Callable[[Path], object]:
    def spoil(path: Path) -> None:
        _without_log(path)
        path.unlink()
        make(path)

    return spoil


def _truncated(path: Path) -> None:
    _without_log(path)
    os.truncate(path, path.stat().st_size // 2)


def _told(statement: str) -> Callable[[Path], object]:
    def spoil(path: Path) -> None:
        with contextlib.closing(sqlite3.connect(path)) as db, db:
            db.execute(statement)

    return spoil


def _without_entries(path: Path) -> None:
    """Delete the entries, and before them what forbids it."""
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        found = db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for (name,) in found:
            db.execute(f'DROP TRIGGER "{name}"')
        db.execute("DELETE FROM records")


SPOILED: Mapping[str, tuple[Kind, Callable[[Path], object]]] = {
    "its header is garbage": (Kind.CORRUPT, _garbage(0, 100)),
    "its pages are garbage": (Kind.CORRUPT, _garbage(4_096, 1 << 20)),
    "its schema page is garbage": (Kind.CORRUPT, _garbage(100, 3_996)),
    "it is cut in half": (Kind.CORRUPT, _truncated),
    "it is empty": (Kind.CORRUPT, _as(lambda path: path.touch())),
    "it is text": (Kind.CORRUPT, _as(lambda path: path.write_text("record\n" * 900))),
    "it is a folder": (Kind.CORRUPT, _as(lambda path: path.mkdir())),
    "it is a pipe": (Kind.SLOW, _as(lambda path: os.mkfifo(path))),
    "it is a link to nowhere": (Kind.CORRUPT, _as(lambda path: path.symlink_to("gone"))),
    "it is a full device": (Kind.FULL, _as(lambda path: path.symlink_to("/dev/full"))),
    "it is of another version": (Kind.VERSION, _told("PRAGMA user_version = 999")),
    "its head was changed": (Kind.CORRUPT, _told("UPDATE head SET hash = zeroblob(32)")),
    "its head was put back": (Kind.CORRUPT, _told("UPDATE head SET seq = 0")),
    "its newest entry was deleted": (Kind.CORRUPT, _without_entries),
    "its tables are gone": (Kind.CORRUPT, _told("DROP TABLE head")),
}


def cells() -> Iterator[Cell]:
    """Yield every cell."""
    for fault, (kind, spoil) in SPOILED.items():
        yield Cell(component=NAME, fault=fault, kind=kind, probe=spoiled(spoil, fault))
    for fault, kind, setup in (
        ("its disk is full", Kind.FULL, FULL),
        ("its disk is full from the start", Kind.FULL, FULL_AT_FIRST),
        ("its disk is read-only", Kind.READ_ONLY, READ_ONLY),
    ):
        yield Cell(
            component=NAME, fault=fault, kind=kind, probe=mounted(setup, fault), needs=("unshare",)
        )
    yield Cell(component=NAME, fault="another process holds it", kind=Kind.LOCKED, probe=locked)
    for fault, (inject, kind) in INJECTED.items():
        yield Cell(
            component=NAME, fault=fault, kind=kind, probe=injected(inject), needs=("strace",),
            is_quick=inject.startswith("fdatasync"), limit_s=60,
        )  # fmt: skip
