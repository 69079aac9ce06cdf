"""The Python gate: a decorated function runs only after its call was allowed and recorded."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from bench.faults.calls import BENIGN, CALLS, DANGER, DOUBT, Call, Observation, Seen, Trial
from bench.faults.cell import Cell, Kind, Probe
from bench.faults.cells.store import SPOILED, entries, kept
from bench.faults.host_rules import Ended
from bench.faults.stage import Stage

NAME = "Python gate"
RUN = """
import sys
from signoff import gate

@gate(name="Bash")
def run(command):
    print("RAN", flush=True)

{before}
run(sys.argv[1])
"""
ASYNC = """
import asyncio, sys
from signoff import gate

@gate(name="Bash")
async def run(command):
    print("RAN", flush=True)

async def main():
    task = asyncio.create_task(run(sys.argv[1]))
    await asyncio.sleep(0)
    {before}
    await task

asyncio.run(main())
"""
FAILS = """
import signoff.{module} as module
def fail(*args, **kwargs):
    raise {error}
module.{name} = fail
"""


def gated(
    stage: Stage,
    call: Call,
    *,
    before: str = "pass",
    code: str = RUN,
    within: Sequence[str] = (),
    **more: str,
) -> Trial:
    """Call the function; whether it ran is seen by what it printed."""
    words = [*within, *stage.build.python(code.replace("{before}", before)), call.command]
    return read(call, stage.run(words, more=more))


def read(call: Call, ended: Ended) -> Trial:
    """Tell whether the function has run."""
    if ended.status is None:
        return Trial(call=call, seen=Seen.HANGS)
    seen = Seen.RUNS if "RAN" in ended.stdout else Seen.REFUSED
    return Trial(call=call, seen=seen, words=ended.stderr.strip().rpartition("\n")[2])


def failing(module: str, name: str, error: str, *, code: str = RUN) -> Probe:
    """Return the probe of a part that raises; the error itself is what makes it happen."""

    def probe(stage: Stage) -> Observation:
        before = FAILS.format(module=module, name=name, error=error)
        if code is ASYNC:
            before = before.replace("\n", "\n    ")
        calls = [call.must_not_run() for call in CALLS]
        trials = tuple(gated(stage, call, before=before, code=code) for call in calls)
        raised = error.partition("(")[0]
        was_hit = any(raised in found.words for found in trials) or raised == "SystemExit"
        return Observation(trials=trials, evidence=f"`{name}` raised {error}" if was_hit else "")

    return probe


def under(*within: str, evidence: str, **more: str) -> Probe:
    """Return the probe of every call under a limit or variable."""

    def probe(stage: Stage) -> Observation:
        calls = (DANGER, DOUBT.must_not_run(), BENIGN)
        trials = tuple(gated(stage, call, within=within, **more) for call in calls)
        return Observation(trials=trials, evidence=evidence)

    return probe


def spoiled_record(spoil: Callable[[Path], object]) -> Probe:
    """Return the probe of a record that was good and was spoiled."""

    def probe(stage: Stage) -> Observation:
        gated(stage, BENIGN)
        is_sound = entries(stage)["allow"] == 1
        spoil(stage.state / "record.db")
        trials = kept(stage, lambda call: gated(stage, call))
        return Observation(trials=trials, evidence="it was spoiled" if is_sound else "")

    return probe


def spoiled_approvals(spoil: Callable[[Path], object]) -> Probe:
    """Return the probe of a file of approvals that was good and was spoiled."""

    def probe(stage: Stage) -> Observation:
        gated(stage, DOUBT)
        path = stage.state / "approvals.db"
        is_sound = path.exists()
        spoil(path)
        trials = tuple(gated(stage, call) for call in (DANGER, DOUBT.must_not_run(), BENIGN))
        return Observation(trials=trials, evidence="it was spoiled" if is_sound else "")

    return probe


def held_approvals(stage: Stage) -> Observation:
    """Hold the file of approvals as another process would that writes and writes."""
    stage.write("signoff.yaml", "limits: {busy_timeout_s: 0.2}\n")
    gated(stage, DOUBT)
    with contextlib.closing(sqlite3.connect(stage.state / "approvals.db")) as db:
        db.execute("BEGIN EXCLUSIVE")
        trials = tuple(gated(stage, call) for call in (DANGER, DOUBT.must_not_run(), BENIGN))
        db.execute("ROLLBACK")
    return Observation(trials=trials, evidence="another connection held the write lock")


def spoiled_approvers(stage: Stage) -> Observation:
    """Put garbage where it says who may answer."""
    gated(stage, DOUBT)
    file = stage.config / "approvers.json"
    file.write_text("{", encoding="utf-8")
    trials = tuple(gated(stage, call) for call in (DANGER, DOUBT.must_not_run(), BENIGN))
    return Observation(trials=trials, evidence="nobody may answer" if file.exists() else "")


FAILURES: Mapping[str, tuple[str, str, str]] = {
    "its memory fails": ("storage.recall", "Recall.recall", "RuntimeError('boom')"),
    "its judge fails": ("assess.assessment", "Judge.__call__", "RecursionError('deep')"),
    "its judge runs out of memory": ("assess.assessment", "Judge.__call__", "MemoryError()"),
    "its ladder fails": ("challenge.ladder", "Ladder.escalate", "KeyError('x')"),
    "its locks fail": ("storage.locks.lock_file", "LockFile.reason", "OSError(5, 'EIO')"),
    "its record fails": ("storage.sqlite", "SqliteStore.append", "OSError(28, 'ENOSPC')"),
    "its redaction fails": ("redaction.redact", "Redactor.value", "ValueError('x')"),
    "it is interrupted": ("storage.recall", "Recall.recall", "KeyboardInterrupt()"),
    "it is told to exit": ("assess.assessment", "Judge.__call__", "SystemExit(0)"),
}
RECORDS = ("its header is garbage", "it is a folder", "it is of another version", "it is a pipe")
APPROVALS = (
    "its header is garbage", "its pages are garbage", "it is text", "it is a folder",
    "it is a pipe", "it is of another version", "it is a link to nowhere",
)  # fmt: skip


def cells() -> Iterator[Cell]:
    """Yield every cell."""
    for fault, (module, name, error) in FAILURES.items():
        is_killed = "interrupted" in fault or "exit" in fault
        kind = Kind.KILLED if is_killed else Kind.MISSING
        yield Cell(component=NAME, fault=fault, kind=kind, probe=failing(module, name, error))
    cancelled = "task.cancel()"
    yield Cell(component=NAME, fault="its task is cancelled", kind=Kind.KILLED,
               probe=_cancelled(cancelled))  # fmt: skip
    for fault in RECORDS:
        kind, spoil = SPOILED[fault]
        yield Cell(
            component="record, Python gate", fault=fault, kind=kind, probe=spoiled_record(spoil)
        )
    for fault in APPROVALS:
        kind, spoil = SPOILED[fault]
        yield Cell(
            component="approvals, Python gate", fault=fault, kind=kind,
            probe=spoiled_approvals(spoil), is_quick="garbage" in fault or "pipe" in fault,
        )  # fmt: skip
    yield Cell(component="approvals, Python gate", fault="another process holds it",
               kind=Kind.LOCKED, probe=held_approvals)  # fmt: skip
    yield Cell(component="approvals, Python gate", fault="nobody can tell who may answer",
               kind=Kind.PEOPLE, probe=spoiled_approvers)  # fmt: skip
    memory = ("sh", "-c", 'ulimit -v 90000; exec "$@"', "sh")
    for fault, kind, probe in (
        ("little memory", Kind.OVERLOAD, under(*memory, evidence="90 MB")),
        ("a variable that is none of ours", Kind.VERSION,
         under(evidence="SIGNOFF_OFF=1", SIGNOFF_OFF="1")),
        ("its home cannot be made", Kind.MISSING,
         under(evidence="HOME=/proc/no/home", HOME="/proc/no/home")),
    ):  # fmt: skip
        yield Cell(component=NAME, fault=fault, kind=kind, probe=probe)


def _cancelled(before: str) -> Probe:
    def probe(stage: Stage) -> Observation:
        found = gated(stage, DOUBT.must_not_run(), before=before, code=ASYNC)
        is_cancelled = "CancelledError" in found.words
        return Observation(trials=(found,), evidence="cancelled" if is_cancelled else "")

    return probe
