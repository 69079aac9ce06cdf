"""Kill writers of the record with SIGKILL at random moments; count what was promised and lost.

Each cycle starts two processes that append to one record and say each number only after `append`
returned, kills both, and then checks that every number said is in the record and that the record
adds up. `--control` runs writers that say a number before they append: it must lose some, or this
harness shows nothing.

    .venv/bin/python bench/kill_loop.py --cycles 10000
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from signoff.effects.store import RecordDraft, SessionKey, SessionUpdate
from signoff.storage.sqlite import SqliteStore

WRITERS = 2
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
        asyncio.run(
            store.append(RecordDraft(content={"mark": mark}, session_update=session_update))
        )
        if not is_control:
            os.write(1, f"{mark}\n".encode())


def run_cycle(path: str, cycle: int, *, is_control: bool) -> set[str]:
    """Start the writers, kill them at a random moment, return what they said was durable."""
    command = [sys.executable, __file__, "--writer", path, *(["--control"] if is_control else [])]
    writers = [
        subprocess.Popen([*command, "--name", f"{cycle}.{number}"], stdout=subprocess.PIPE)
        for number in range(WRITERS)
    ]
    said: set[str] = set()
    for writer in writers:
        first = writer.stdout.readline() if writer.stdout else b""
        said.add(first.decode().strip())
    time.sleep(random.random() * 0.02)
    for writer in writers:
        writer.kill()
    for writer in writers:
        rest = writer.communicate()[0].decode()
        # A line cut by the kill was not said: only whole ones count.
        said.update(rest.split("\n")[:-1])
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
        store = SqliteStore(path, busy_timeout_s=BUSY_S)
        result = store.verify()
        store.close()
    print(f"{cycles} cycles, {said_in_all} acknowledged, {lost} lost, {result.count} verified")
    return 1 if lost or not result.ok or said_in_all < cycles * WRITERS else 0


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cycles", type=int, default=1000)
    parser.add_argument("--control", action="store_true", help="writers that promise too early")
    parser.add_argument("--writer", default="", help=argparse.SUPPRESS)
    parser.add_argument("--name", default="", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.writer:
        write_until_killed(chosen.writer, chosen.name, is_control=chosen.control)
        return 0
    return run_cycles(chosen.cycles, is_control=chosen.control)


if __name__ == "__main__":
    sys.exit(main())
