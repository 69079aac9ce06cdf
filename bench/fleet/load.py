"""Daemons on one PostgreSQL under load: durable decisions a second, and how long each took.

Everything runs on this machine: database, nodes and callers share its cores. Every decision is in
the record, flushed, before it is answered; that is checked at the end.

    .venv/bin/python -m bench.fleet.load --nodes 2 --callers 64 --seconds 10
"""

from __future__ import annotations

import argparse
import asyncio
import os
import time

import uvloop

from bench.fleet.nodes import Fleet, nodes
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
    said = parser.parse_args()
    with nodes(said.nodes, database={"shared_buffers": "256MB", "max_wal_size": "4GB"}) as fleet:
        answered = measure(fleet, said.callers, 3.0, is_different=False)  # warm
        for is_different in (False, True, False, True):
            answered += measure(fleet, said.callers, said.seconds, is_different=is_different)
        check(fleet, answered)


if __name__ == "__main__":
    main()
