"""The record under the daemon, which holds it open: lost, spoiled, held or full while it serves.

On Linux nobody but root looks into the daemon's process; what needs that says so.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import sqlite3
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from bench.faults.calls import BENIGN, CALLS, Observation, Seen
from bench.faults.cell import Cell, Kind, Probe
from bench.faults.cells.store import INJECTED, SIZE, kept
from bench.faults.stage import Daemon, Stage, in_namespace, wait_until

NAME = "record, daemon"
FILES = ("record.db", "record.db-wal", "record.db-shm")


def spoiled(spoil: Callable[[Path], object], evidence: str) -> Probe:
    """Return the probe of a record that is spoiled while the daemon holds it."""

    def probe(stage: Stage) -> Observation:
        with stage.served():
            is_sound = stage.client(BENIGN).seen is Seen.RUNS
            spoil(stage.state)
            trials = kept(stage, stage.client)
        return Observation(trials=trials, evidence=evidence if is_sound else "")

    return probe


def _removed(state: Path) -> None:
    for name in FILES:
        (state / name).unlink(missing_ok=True)


def _replaced(state: Path) -> None:
    (state / "record.db").rename(state / "kept.db")
    (state / "record.db").write_bytes((state / "kept.db").read_bytes())


def _overwritten(state: Path) -> None:
    for name in FILES[:2]:
        with open(state / name, "r+b") as file:
            file.write(os.urandom(os.fstat(file.fileno()).st_size))


def _truncated(state: Path) -> None:
    for name in FILES[:2]:
        os.truncate(state / name, 0)


SPOILED: Mapping[str, Callable[[Path], object]] = {
    "it is removed": _removed,
    "another file takes its place": _replaced,
    "it is overwritten with garbage": _overwritten,
    "it is cut to nothing": _truncated,
}


def locked(stage: Stage) -> Observation:
    """Hold it as another process would that writes and writes; then let go."""
    stage.write("signoff.yaml", "limits: {busy_timeout_s: 0.2}\n")
    with stage.served():
        stage.client(BENIGN)
        path = stage.state / "record.db"
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("BEGIN IMMEDIATE")
            trials = tuple(stage.client(call.must_not_run()) for call in CALLS)
            db.execute("ROLLBACK")
        after = kept(stage, stage.client)
    return Observation(trials=trials + after, evidence="another connection held the write lock")


def full(stage: Stage) -> Observation:
    """Fill its disk while it serves; what is on a disk of its own is not kept."""
    folder = shlex.quote(str(stage.state))
    copy = shlex.quote(str(stage.folder / "copy"))
    setup = (
        f"cp -a {folder} {copy}; mount -t tmpfs -o size={SIZE} none {folder};"
        f" cp -a {copy}/. {folder}"
    )
    with stage.served(within=in_namespace(setup)) as daemon:
        inside = Path(f"/proc/{daemon.process.pid}/root{stage.state}")
        # Its socket is on its own disk, too: a link leads there.
        stage.socket.symlink_to(inside / "daemon.sock")
        is_sound = stage.client(BENIGN).seen is Seen.RUNS
        with contextlib.suppress(OSError), open(inside / "filler", "wb", buffering=0) as filler:
            while True:
                filler.write(b"x" * 4_096)
        trials = tuple(stage.client(call.must_not_run()) for call in CALLS)
    return Observation(trials=trials, evidence="its disk was filled" if is_sound else "")


def injected(fault: str) -> Probe:
    """Return the probe of system calls of the running daemon that fail from now on."""

    def probe(stage: Stage) -> Observation:
        log = stage.folder / "strace.log"
        with stage.served() as daemon:
            is_sound = stage.client(BENIGN).seen is Seen.RUNS
            with _traced(daemon, fault, log):
                trials = kept(stage, stage.client)
        count = log.read_text(errors="replace").count("(INJECTED)")
        said = f"{count} calls of {fault.partition(':')[0]} were made to fail" if count else ""
        return Observation(trials=trials, evidence=said if is_sound else "")

    return probe


@contextlib.contextmanager
def _traced(daemon: Daemon, fault: str, log: Path) -> Iterator[None]:
    files = (part for name in FILES for part in ("-P", str(daemon.stage.state / name)))
    words = ["strace", "-f", "-o", str(log), "-p", str(daemon.pid), *files]
    words += ["-e", f"trace={fault.partition(':')[0]}", "-e", f"inject={fault}"]
    tracer = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    status = Path(f"/proc/{daemon.pid}/status")
    wait_until(lambda: "TracerPid:\t0" not in status.read_text(encoding="ascii"), 5)
    try:
        yield
    finally:
        tracer.terminate()
        tracer.wait(timeout=10)


def cells() -> Iterator[Cell]:
    """Yield every cell."""
    for fault, spoil in SPOILED.items():
        yield Cell(
            component=NAME, fault=fault, kind=Kind.CORRUPT, probe=spoiled(spoil, fault), limit_s=40
        )
    yield Cell(component=NAME, fault="another process holds it", kind=Kind.LOCKED, probe=locked,
               limit_s=40)  # fmt: skip
    yield Cell(component=NAME, fault="its disk is full", kind=Kind.FULL, probe=full,
               needs=("unshare", "root"), is_quick=False, limit_s=40)  # fmt: skip
    for fault in ("fdatasync fails (EIO)", "writes fail (ENOSPC)", "writes fail (EIO)"):
        inject, kind = INJECTED[fault]
        yield Cell(component=NAME, fault=fault, kind=kind, probe=injected(inject),
                   needs=("strace", "root"), is_quick=False, limit_s=60)  # fmt: skip
