"""Kill the daemon with SIGKILL under load; count what it answered and what of that is lost.

Each cycle starts the daemon, asks on many connections at once, kills it at a random moment, and
then checks that every decision that was answered is in the record and that the record adds up.
`--control` runs a daemon that answers before its decisions are durable: it must lose some, or this
harness shows nothing.

    .venv/bin/python -m bench.kill_daemon --cycles 100
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from bench.ports import free_port
from bench.server import Caller, Target, requests
from signoff.storage.sqlite import SqliteStore

CONNECTIONS = 32
TOO_EARLY = """
import asyncio, sys
from signoff.storage.group_commit import GroupCommit
durable = GroupCommit.append
kept = set()
async def append(self, draft):
    kept.add(asyncio.get_running_loop().create_task(durable(self, draft)))
GroupCommit.append = append
from signoff.__main__ import main
main()
"""


@dataclass(slots=True, kw_only=True)
class Asker(Caller):
    """Asks again as soon as it is answered, and keeps what it was told."""

    told: set[str]
    over: asyncio.Event = field(default_factory=asyncio.Event)

    def answered(self, head: bytes, body: bytes) -> None:
        """Keep the decision; an answer that is cut was not given."""
        said = json.loads(body)
        if said["status"] == "decided":
            self.told.add(said["decision_id"])
        self.ask()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self.over.set()


async def ask_until_killed(target: Target) -> set[str]:
    """Ask on all connections until the daemon is killed; return the decisions it answered."""
    loop, answered = asyncio.get_running_loop(), set[str]()
    askers = [
        Asker(request=requests(target, number, is_different=True), told=answered)
        for number in range(CONNECTIONS)
    ]
    for asker in askers:
        await loop.create_connection(lambda asker=asker: asker, "127.0.0.1", target.port)  # type: ignore[misc]  # a default binds the loop's variable
    await asyncio.sleep(0.05 + random.random() * 0.3)
    os.kill(target.pid, 9)
    await asyncio.gather(*(asker.over.wait() for asker in askers))
    return answered


def start(home: Path, *, is_control: bool) -> tuple[subprocess.Popen[bytes], Target]:
    """Start a daemon and wait until it listens."""
    port = free_port()
    program = ["-c", TOO_EARLY] if is_control else ["-m", "signoff"]
    process = subprocess.Popen(
        [sys.executable, "-I", *program, "serve", "--port", str(port)],
        env={"PATH": os.environ["PATH"], "HOME": str(home)},
        stdout=subprocess.DEVNULL,
    )
    until = time.monotonic() + 30
    while time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.02)
    token = (home / ".local/state/signoff/token").read_text(encoding="ascii").strip()
    return process, Target(
        name="signoff", pid=process.pid, port=port, token=token, project=str(home / "project")
    )


def run_cycles(cycles: int, *, is_control: bool) -> int:
    """Run the cycles; return the exit status."""
    answered_in_all = lost = 0
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "project" / ".git").mkdir(parents=True)
        path, first = str(home / ".local/state/signoff/record.db"), 1
        for _ in range(cycles):
            process, target = start(home, is_control=is_control)
            answered = asyncio.run(ask_until_killed(target))
            process.wait(10)
            store = SqliteStore(path)
            kept = {json.loads(entry.body)["id"] for entry in store.entries(first=first)}
            first = store.head().seq + 1
            store.close()
            answered_in_all += len(answered)
            lost += len(answered - kept)
        store = SqliteStore(path)
        result = store.verify()
        store.close()
    print(f"{cycles} cycles, {answered_in_all} answered, {lost} lost, {result.count} verified")
    return 1 if lost or not result.ok or answered_in_all < cycles else 0


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cycles", type=int, default=100)
    parser.add_argument("--control", action="store_true", help="a daemon that answers too early")
    chosen = parser.parse_args()
    return run_cycles(chosen.cycles, is_control=chosen.control)


if __name__ == "__main__":
    sys.exit(main())
