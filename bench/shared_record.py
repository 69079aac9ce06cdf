"""How many entries a second nodes store in one PostgreSQL, and how long each waits.

Each node is a process with callers that store one entry after another, as a daemon does: by group
commit. The database is yours: an empty one that may be filled.

    python -m bench.shared_record postgresql://signoff@127.0.0.1/bench --nodes 2 --callers 64
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import statistics
import time

from signoff.effects.store import RecordDraft, SessionKey, SessionUpdate
from signoff.storage.postgresql.address import StoreAddress, StoreSection, address_of
from signoff.storage.postgresql.commit import FleetCommit
from signoff.storage.postgresql.link import StoreLink
from signoff.storage.postgresql.migrating import prepare
from signoff.storage.postgresql.record import PostgresRecord
from signoff.values import replace

CONTENT = {"verdict": "allow", "tool": "Bash", "action_redacted": "x" * 700}


def run_node(
    address: StoreAddress, callers: int, seconds: float, queue: multiprocessing.Queue[list[float]]
) -> None:
    """Store entries for a while; tell how long each took."""
    queue.put(
        asyncio.run(
            _stored(
                FleetCommit(PostgresRecord(StoreLink(address, prepare=prepare))), callers, seconds
            )
        )
    )


async def _stored(store: FleetCommit, callers: int, seconds: float) -> list[float]:
    took: list[float] = []
    await store.append(RecordDraft(content=CONTENT))  # connected, tables made
    until = time.perf_counter() + seconds

    async def call(number: int) -> None:
        key = SessionKey(agent="bench", session=f"{store.record.node}-{number}")
        while (began := time.perf_counter()) < until:
            await store.remembered(key, "Bash")
            update = SessionUpdate(key=key, function="Bash", written=("/srv/app/a.py",))
            await store.append(RecordDraft(content=CONTENT, session_update=update))
            took.append(time.perf_counter() - began)

    await asyncio.gather(*(call(number) for number in range(callers)))
    store.close()
    return took


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--nodes", type=int, default=2)
    parser.add_argument("--callers", type=int, default=64, help="of all nodes together")
    parser.add_argument("--seconds", type=float, default=10.0)
    said = parser.parse_args()
    address = address_of(StoreSection(url=said.url), "")
    context = multiprocessing.get_context("spawn")
    queue: multiprocessing.Queue[list[float]] = context.Queue()
    nodes = [
        context.Process(
            target=run_node,
            args=(
                replace(address, node=f"bench-{number}"),
                said.callers // said.nodes,
                said.seconds,
                queue,
            ),
        )
        for number in range(said.nodes)
    ]
    for node in nodes:
        node.start()
    took = sorted(one for _ in nodes for one in queue.get())
    for node in nodes:
        node.join()
    cuts = statistics.quantiles(took, n=100)
    print(
        f"{len(took)} entries, {len(took) / said.seconds:,.0f} a second;"
        f" p50 {cuts[49] * 1e3:.1f} ms, p99 {cuts[98] * 1e3:.1f} ms"
    )


if __name__ == "__main__":
    main()
