"""Kill writers of the record with SIGKILL at random moments; count what was promised and lost.

Each cycle starts two processes that append to one record and say each number only after `append`
returned, kills both, and then checks that every number said is in the record and that the record
adds up. `--control` runs writers that say a number before they append: it must lose some, or this
harness shows nothing.

    .venv/bin/python bench/kill_loop.py --cycles 10000
"""

from __future__ import annotations

import argparse
import json
import os
import random
import select
import signal
import sys
import tempfile
import time
from pathlib import Path

from signoff.effects.store import RecordDraft, SessionKey, SessionUpdate
from signoff.storage.sqlite import SqliteStore

WRITERS = 2
KILL_WITHIN_S = 0.05
TELL_EVERY = 500  # cycles
BUSY_S = 60.0  # both writers, a killed one's log, and a machine that does other things


def write_until_killed(path: str, name: str, *, is_control: bool) -> None:
    """Append for ever, saying each entry's name once it is durable (in a control: before)."""
    store = SqliteStore(path, busy_timeout_s=BUSY_S)
    key = SessionKey(agent="kill-loop", session="s")
    for count in range(10_000_000):
        mark = f"{name}-{count}"
        if is_control:
            os.write(1, f"{mark}\n".encode())
        session_update = SessionUpdate(key=key, function="f", written=(f"/{count % 50}",))
        store.append_now(RecordDraft(content={"mark": mark}, session_update=session_update))
        if not is_control:
            os.write(1, f"{mark}\n".encode())


def started(path: str, name: str, *, is_control: bool) -> tuple[int, int]:
    """Fork a writer; return its process id and the pipe it speaks on."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(reading)
            os.dup2(writing, 1)
            write_until_killed(path, name, is_control=is_control)
        finally:
            os._exit(1)
    os.close(writing)
    return pid, reading


def run_cycle(path: str, cycle: int, *, is_control: bool) -> set[str]:
    """Start the writers, kill them at a random moment, return what they said was durable."""
    writers = [
        started(path, f"{cycle}.{number}", is_control=is_control) for number in range(WRITERS)
    ]
    select.select([pipe for _, pipe in writers], [], [])  # one has begun; the other may wait for it
    time.sleep(random.random() * KILL_WITHIN_S)
    said: set[str] = set()
    for pid, _ in writers:
        os.kill(pid, signal.SIGKILL)
    for pid, pipe in writers:
        os.waitpid(pid, 0)
        with open(pipe, "rb") as rest:
            # A line cut by the kill was not said: only whole ones count.
            said.update(rest.read().decode().split("\n")[:-1])
    return said


def lost_marks(path: str, said: set[str], *, first: int) -> set[str]:
    """Return what was said to be durable and is not among the entries from `first` on."""
    store = SqliteStore(path, busy_timeout_s=BUSY_S)
    kept = {json.loads(entry.body)["mark"] for entry in store.entries(first=first)}
    store.close()
    return said - kept


def run_cycles(cycles: int, *, is_control: bool) -> int:
    """Run the cycles; return the exit status."""
    said_in_all = lost = 0
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "state" / "record.db")
        for cycle in range(cycles):
            store = SqliteStore(path, busy_timeout_s=BUSY_S)
            first = store.head().seq + 1
            store.close()
            said = run_cycle(path, cycle, is_control=is_control)
            said_in_all += len(said)
            lost += len(lost_marks(path, said, first=first))
            if cycle and not cycle % TELL_EVERY:
                so_far = f"{cycle} cycles, {said_in_all} acknowledged, {lost} lost so far"
                print(so_far, file=sys.stderr, flush=True)
        store = SqliteStore(path, busy_timeout_s=BUSY_S)
        result = store.verify()
        store.close()
    print(f"{cycles} cycles, {said_in_all} acknowledged, {lost} lost, {result.count} verified")
    return 1 if lost or not result.ok or said_in_all < cycles else 0


def run(*, is_control: bool, count: int = 10_000) -> int:
    """Run so many cycles; return the exit status."""
    return run_cycles(count, is_control=is_control)


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cycles", type=int, default=1000)
    parser.add_argument("--control", action="store_true", help="writers that promise too early")
    chosen = parser.parse_args()
    return run_cycles(chosen.cycles, is_control=chosen.control)


if __name__ == "__main__":
    sys.exit(main())
