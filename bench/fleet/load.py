"""Daemons on one PostgreSQL under load: durable decisions a second, and how long each took.

Everything runs on this machine: database, nodes and callers share its cores. Every decision is in
the record, flushed, before it is answered; that is checked at the end.

    .venv/bin/python -m bench.fleet.load --nodes 2 --callers 64 --seconds 10
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import time
from dataclasses import dataclass

import uvloop

from bench.fleet.nodes import DATABASE, Fleet, database_pids, nodes
from bench.server import cpu_s, load
from signoff.storage.postgresql.fleet_record import FleetRecord
from signoff.storage.postgresql.link import StoreLink


async def _all(fleet: Fleet, callers: int, seconds: float, *, is_different: bool) -> list[float]:
    share = callers // len(fleet.daemons)
    found = await asyncio.gather(
        *(load(one.target, share, seconds, is_different=is_different) for one in fleet.daemons)
    )
    return [taken for one in found for taken in one]


def measure(fleet: Fleet, callers: int, seconds: float, *, is_different: bool) -> int:
    """Load the nodes; print what came of it, and return how many decisions were answered."""
    used = [cpu_s(one.target.pid) for one in fleet.daemons]
    began = time.perf_counter()
    taken = sorted(uvloop.run(_all(fleet, callers, seconds, is_different=is_different)))
    wall = time.perf_counter() - began
    cpu = sum(cpu_s(one.target.pid) for one in fleet.daemons) - sum(used)
    kind = "all different" if is_different else "ten commands"
    print(
        f"{len(fleet.daemons)} nodes, {callers} callers, {kind}: {len(taken) / wall:,.0f} durable"
        f" decisions a second; p50 {taken[len(taken) // 2] * 1e3:.1f} ms,"
        f" p99 {taken[int(len(taken) * 0.99)] * 1e3:.1f} ms;"
        f" {cpu / len(taken) * 1e6:.0f} us of a node's processor each;"
        f" load of the machine {os.getloadavg()[0]:.1f}",
        flush=True,
    )
    return len(taken)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What one kind of load cost.

    Args:
        commits: for each decision.
        database_us: processor time of the database for each decision.
        node_us: of its node.
        wal_bytes: of the database's log for each decision.
    """

    commits: float
    database_us: float
    node_us: float
    wal_bytes: float


def cost(fleet: Fleet, callers: int, seconds: float) -> Cost:
    """Measure what decisions cost the database and the nodes at this load."""
    before = _spent(fleet)
    count = len(uvloop.run(_all(fleet, callers, seconds, is_different=True)))
    commits, database_s, node_s, wal = (
        after - first for after, first in zip(_spent(fleet), before, strict=True)
    )
    return Cost(
        commits=commits / count,
        database_us=database_s / count * 1e6,
        node_us=node_s / count * 1e6,
        wal_bytes=wal / count,
    )


def _spent(fleet: Fleet) -> tuple[float, float, float, float]:
    """Return commits, processor time of the database and of the nodes, bytes of the log."""
    metrics = b"".join(node.get("/metrics") for node in fleet.daemons).decode()
    commits = re.findall(r"^signoff_store_commit_seconds_count (\d+)", metrics, re.MULTILINE)
    database_s = sum(map(cpu_s, database_pids(fleet.server)))
    node_s = sum(cpu_s(one.target.pid) for one in fleet.daemons)
    wal = fleet.server.sql(DATABASE, "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')")
    return sum(map(int, commits)), database_s, node_s, float(wal)


def show_model(fleet: Fleet, seconds: float) -> None:
    """Measure two loads; print what 100 nodes would take of a database by these costs."""
    alone, many = cost(fleet, len(fleet.daemons), seconds), cost(fleet, 64, seconds)
    # Two equations: an entry costs as much in both, and so does a commit.
    commit_us = (alone.database_us - many.database_us) / (alone.commits - many.commits)
    entry_us = alone.database_us - commit_us * alone.commits
    print(
        f"database: {commit_us:.0f} us of processor a commit, {entry_us:.0f} us an entry,"
        f" log {alone.wal_bytes:,.0f} bytes a decision alone, {many.wal_bytes:,.0f} in groups;"
        f" node: {many.node_us:.0f} us a decision; {1 / many.commits:.1f} entries a commit at 64"
    )
    for count in (2, 10, 50, 100):
        for rate in (5, 50):
            cores = count * rate * (commit_us + entry_us) / 1e6
            wal = count * rate * alone.wal_bytes / 1e6
            print(f"{count:>4} nodes at {rate:>3}/s: {cores:5.2f} cores, {wal:6.2f} MB/s of log")


def check(fleet: Fleet, answered: int) -> None:
    """Compare what was answered with the record, and verify the record."""
    link = StoreLink(fleet.address)
    try:
        stored = {}
        for chain in FleetRecord(link).chains():
            result = chain.verify()
            assert result.ok, result.problem
            stored[chain.node] = result.count
    finally:
        link.close()
    assert sum(stored.values()) >= answered, (stored, answered)
    print(f"{answered} answered, {sum(stored.values())} in the record, chains verified", flush=True)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=2)
    parser.add_argument("--callers", type=int, default=64, help="of all nodes together")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument(
        "--tenant", default="", help="whose nodes; with row-level security in force"
    )
    parser.add_argument("--model", action="store_true", help="what 100 nodes would take")
    said = parser.parse_args()
    database = {"shared_buffers": "256MB", "max_wal_size": "4GB"}
    with nodes(said.nodes, database=database, tenant=said.tenant) as fleet:
        answered = measure(fleet, said.callers, 3.0, is_different=False)  # warm
        for is_different in (False, True, False, True):
            answered += measure(fleet, said.callers, said.seconds, is_different=is_different)
        check(fleet, answered)
        if said.model:
            show_model(fleet, said.seconds)


if __name__ == "__main__":
    main()
