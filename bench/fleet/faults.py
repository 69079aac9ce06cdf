"""Break the database, the network and the nodes under load; count what was answered and is lost.

Callers ask two nodes on many connections. Meanwhile something fails, and later works again. Then
every call that was allowed must be in the record, exactly once, every chain must verify, and the
nodes must decide again by themselves. `--control` runs daemons that answer before an entry is
durable: each cell must then find lost entries, or it would find none in a broken signoff either.

    .venv/bin/python -m bench.fleet.faults --rounds 5
    .venv/bin/python -m bench.fleet.faults --rounds 2 --control
    .venv/bin/python -m bench.fleet.faults --only failover
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import uvloop

from bench.fleet.cut import CuttableLink, LinkMode
from bench.fleet.nodes import Fleet, FleetNode, kill_all, nodes
from bench.fleet.storage_faults import Replica, small_disk
from bench.server import Caller, requests
from signoff.storage.postgresql.fleet_record import FleetRecord
from signoff.storage.postgresql.link import StoreLink

CALLERS = 24  # of each node
AGAIN_S = 0.02  # after a refusal
LATE_S = 15.0  # an answer may come after time is up
TOO_EARLY = """
import asyncio, sys
from signoff.storage.postgresql.commit import FleetCommit
durable = FleetCommit.append
kept = set()
async def append(self, draft):
    kept.add(asyncio.get_running_loop().create_task(durable(self, draft)))
    from signoff.effects.store import RecordEntry
    return RecordEntry(seq=1, body=b"", prev=b"", hash=b"", leaf=b"")
FleetCommit.append = append
FleetCommit.problem = lambda self: ""
from signoff.__main__ import main
main()
"""


@dataclass(slots=True, kw_only=True)
class CallerAnswers:
    """What callers were answered."""

    allowed: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    until: float = 0.0


@dataclass(slots=True, kw_only=True)
class FaultCaller(Caller):
    """Asks again and again; keeps which calls were allowed."""

    told: CallerAnswers
    over: asyncio.Event = field(default_factory=asyncio.Event)

    def answered(self, head: bytes, body: bytes) -> None:
        """Keep the answer; after a refusal wait a little."""
        said = json.loads(body)
        is_allowed = b" 200 " in head[:20] and said.get("verdict") == "allow"
        if is_allowed:
            self.told.allowed[said["decision_id"]] += 1
        else:
            self.told.refused += 1
        if time.monotonic() > self.told.until:
            self.over.set()
            return
        loop = asyncio.get_running_loop()
        loop.call_later(0 if is_allowed else AGAIN_S, self.ask_if_open)

    def ask_if_open(self) -> None:
        """Ask, unless the connection ended meanwhile."""
        if self.transport is not None and not self.transport.is_closing():
            self.ask()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self.over.set()


async def _keep_asking(node: FleetNode, number: int, told: CallerAnswers) -> None:
    """Ask on one connection after another until time is up."""
    loop = asyncio.get_running_loop()
    while time.monotonic() < told.until:
        try:
            caller = FaultCaller(
                request=requests(node.target, number, is_different=True), told=told
            )
            await loop.create_connection(lambda caller=caller: caller, "127.0.0.1", node.port)  # type: ignore[misc]  # a default binds the loop's variable
        except (OSError, AssertionError):  # the node is not there just now
            await asyncio.sleep(0.05)
            continue
        left_s = max(0.1, told.until - time.monotonic()) + LATE_S
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(caller.over.wait(), left_s)
        if caller.transport is not None:
            caller.transport.abort()
    await asyncio.sleep(0.1)  # connections close in a later turn


async def _ask_all(fleet: Fleet, told: CallerAnswers) -> None:
    tasks = [
        _keep_asking(node, number, told) for node in fleet.daemons for number in range(CALLERS)
    ]
    await asyncio.gather(*tasks)


@contextlib.contextmanager
def callers(fleet: Fleet, seconds: float) -> Iterator[CallerAnswers]:
    """Ask while the block runs, and until time is up."""
    told = CallerAnswers(until=time.monotonic() + seconds)
    thread = threading.Thread(target=lambda: uvloop.run(_ask_all(fleet, told)))
    thread.start()
    try:
        yield told
    finally:
        thread.join(120)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """What a cell breaks."""

    fleet: Fleet
    link: CuttableLink
    replica: Replica | None = None


Break = Callable[[Stage], None]


def kill_node(stage: Stage) -> None:
    """Kill a daemon, and start it again."""
    node = random.choice(stage.fleet.daemons)
    node.stop(signal.SIGKILL)
    node.start()


def kill_database(stage: Stage) -> None:
    """Kill PostgreSQL with all its processes, and start it again."""
    kill_all(stage.fleet.server)
    time.sleep(random.random())
    stage.fleet.server.start()


def kill_backends(stage: Stage) -> None:
    """End the nodes' connections within the database."""
    for _ in range(5):
        stage.fleet.server.sql(
            "postgres",
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'signoff'",
        )
        time.sleep(0.2)


def cut_network(stage: Stage) -> None:
    """End all connections and refuse new ones for a while."""
    stage.link.cut()
    time.sleep(1)
    stage.link.mode = LinkMode.OPEN


def silence_network(stage: Stage) -> None:
    """Let nothing through for longer than a call waits, then end the connections."""
    stage.link.mode = LinkMode.SILENT
    time.sleep(random.choice((0.5, 3.0)))
    stage.link.cut()
    stage.link.mode = LinkMode.OPEN


def lose_network(stage: Stage) -> None:
    """Leave connections half-open: no end arrives, also not when new ones work again."""
    stage.link.lose()
    time.sleep(random.choice((0.5, 3.0)))
    stage.link.mode = LinkMode.OPEN


def slow_database(stage: Stage) -> None:
    """Make each answer of the database late, some of them too late."""
    for delay_s in (0.3, 2.5):
        stage.link.delay_s = delay_s
        stage.link.mode = LinkMode.SLOW
        time.sleep(2)
    # What is on its way is lost: the nodes do not know whether it was stored.
    stage.link.cut()
    stage.link.mode = LinkMode.OPEN


def fill_disk(stage: Stage) -> None:
    """Fill the database's disk, then make room; a database that ended is started again."""
    server = stage.fleet.server
    filler = f"{server.folder}/filler"
    with contextlib.suppress(OSError), open(filler, "wb", buffering=0) as full:
        while True:
            full.write(b"x" * 65_536)
    time.sleep(3)
    os.unlink(filler)
    kill_all(server)
    server.start()


def fail_over(stage: Stage) -> None:
    """Kill the primary for good, and make its synchronous replica the primary."""
    assert stage.replica is not None
    kill_all(stage.fleet.server)
    stage.link.cut()
    stage.replica.promote()
    stage.link.to_port = stage.replica.server.port
    stage.link.mode = LinkMode.OPEN


CELLS: dict[str, Break] = {
    "kill_node": kill_node,
    "kill_database": kill_database,
    "kill_backends": kill_backends,
    "cut_network": cut_network,
    "silence_network": silence_network,
    "lose_network": lose_network,
    "slow_database": slow_database,
    "fill_disk": fill_disk,
    "failover": fail_over,
}


def run_cell(name: str, rounds: int, *, is_control: bool) -> bool:
    """Run one cell; print what came of it, and tell whether it is as it should be."""
    program = ("-c", TOO_EARLY) if is_control else ("-m", "signoff")
    allowed: Counter[str] = Counter()
    refused = 0
    # Shorter than usual, so that a cell sees calls that waited too long.
    settings = "limits: {busy_timeout_s: 2}\n"
    with (
        small_disk() if name == "fill_disk" else contextlib.nullcontext(),
        CuttableLink() as link,
        nodes(2, program=program, settings=settings, through=link) as fleet,
        Replica.of(fleet.server) if name == "failover" else contextlib.nullcontext() as replica,
    ):
        stage = Stage(fleet=fleet, link=link, replica=replica)
        for _ in range(1 if name == "failover" else rounds):
            with callers(fleet, 9.0) as told:
                time.sleep(0.5 + random.random())
                CELLS[name](stage)
            allowed += told.allowed
            refused += told.refused
        is_back = all(_decides(node) for node in fleet.daemons)
        stored, problems = _stored(stage)
    lost = [one for one in allowed if stored[one] == 0]
    twice = [one for one in allowed if stored[one] > 1]
    print(
        f"{name}{' (control)' if is_control else ''}: {len(allowed)} allowed, {refused} refused,"
        f" {len(lost)} lost, {len(twice)} twice, decides again: {'yes' if is_back else 'no'}"
        f"{''.join(f', {one}' for one in problems)}",
        flush=True,
    )
    if is_control:
        return bool(lost)
    return bool(allowed) and is_back and not (lost or twice or problems)


def _decides(node: FleetNode) -> bool:
    """Tell whether a node decides again without anybody's help."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        if b" 200 " in node.get("/readyz")[:20]:
            return True
        time.sleep(0.2)
    return False


def _stored(stage: Stage) -> tuple[Counter[str], list[str]]:
    """Return how often each decision is in the record, and what is wrong with the record."""
    server = stage.replica.server if stage.replica is not None else stage.fleet.server
    link = StoreLink(server.address(database="fleet", node="reader"))
    try:
        record = FleetRecord(link)
        found = Counter(str(json.loads(entry.body).get("id")) for entry in record.entries())
        results = [(one.node, one.verify()) for one in record.chains()]
        return found, [f"{node}: {one.problem}" for node, one in results if not one.ok]
    finally:
        link.close()


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="of each cell")
    parser.add_argument("--only", choices=sorted(CELLS), action="append")
    parser.add_argument("--control", action="store_true")
    said = parser.parse_args()
    bad = [
        name
        for name in said.only or CELLS
        if not run_cell(name, said.rounds, is_control=said.control)
    ]
    print(f"not as it should be: {', '.join(bad)}" if bad else "all as it should be")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
