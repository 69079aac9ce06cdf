"""Does the shared record slow down as it grows? p99 of a full one over that of an empty one.

Fills a database by group commit, then measures it and new, empty databases in turns on the same
server, as other work on the machine comes and goes.

    .venv/bin/python -m bench.fleet.growth --entries 1000000
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from postgres_server import PostgresServer
from signoff.effects.store import RecordDraft, SessionKey, SessionUpdate
from signoff.storage.commits.seen_head import SeenHead
from signoff.storage.postgresql.address import StoreAddress
from signoff.storage.postgresql.commit import FleetCommit
from signoff.storage.postgresql.link import StoreLink
from signoff.storage.postgresql.migrating import prepare
from signoff.storage.postgresql.record import PostgresRecord
from signoff.values import replace

CALLERS = 64
BATCH = 256
SESSIONS = 500
CONTENT = {"verdict": "allow", "tool": "Bash", "action_redacted": "x" * 700}


def draft(number: int) -> RecordDraft:
    """Return an entry of one of many sessions."""
    key = SessionKey(agent="bench", session=f"s{number % SESSIONS}")
    update = SessionUpdate(key=key, function="Bash", written=(f"/srv/app/{number % 40}.py",))
    return RecordDraft(content={**CONTENT, "n": number}, session_update=update)


@contextmanager
def record(address: StoreAddress) -> Iterator[PostgresRecord]:
    """Open the record of a node."""
    link = StoreLink(address, prepare=prepare)
    with tempfile.TemporaryDirectory() as folder:
        yield PostgresRecord(link, seen=SeenHead(str(Path(folder) / "store")))
        link.close()


def fill(address: StoreAddress, entries: int) -> None:
    """Store so many entries, by two nodes."""
    began = time.perf_counter()
    with record(replace(address, node="a")) as one, record(replace(address, node="b")) as other:
        numbers = iter(range(entries))
        for store in itertools.cycle((one, other)):
            drafts = [draft(number) for number in itertools.islice(numbers, BATCH)]
            if not drafts:
                break
            store.append_batch(drafts)
    took = time.perf_counter() - began
    print(f"{entries:,} entries in {took:.0f} s, {entries / took:,.0f} a second", flush=True)


def p99(address: StoreAddress, seconds: float) -> tuple[float, float]:
    """Return p99 in milliseconds, and entries a second, of callers that each store in turn."""
    with record(address) as store:
        took = asyncio.run(_stored(FleetCommit(store), seconds))
    return sorted(took)[int(len(took) * 0.99)] * 1e3, len(took) / seconds


async def _stored(store: FleetCommit, seconds: float) -> list[float]:
    took: list[float] = []
    await store.append(draft(0))
    until = time.perf_counter() + seconds

    async def call(first: int) -> None:
        for number in itertools.count(first, CALLERS):
            began = time.perf_counter()
            if began > until:
                return
            one = draft(number)
            assert one.session_update is not None
            await store.remembered(one.session_update.key, "Bash")
            await store.append(one)
            took.append(time.perf_counter() - began)

    await asyncio.gather(*(call(number) for number in range(CALLERS)))
    return took


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=4.0, help="of each measurement")
    said = parser.parse_args()
    server = PostgresServer(settings={"shared_buffers": "256MB", "max_wal_size": "4GB"})
    server.make()
    try:
        server.start()
        full = server.address(node="c")
        fill(full, said.entries)
        server.sql(full.database, "VACUUM ANALYZE")
        server.sql(full.database, "CHECKPOINT")
        pairs = []
        for number in range(said.rounds):
            empty = server.address(node="c")
            both = [(empty, "empty"), (full, "full")]
            found = {
                name: p99(one, said.seconds) for one, name in (both if number % 2 else both[::-1])
            }
            pairs.append((found["empty"][0], found["full"][0]))
            print(
                f"p99 empty {found['empty'][0]:.1f} ms ({found['empty'][1]:,.0f}/s),"
                f" full {found['full'][0]:.1f} ms ({found['full'][1]:,.0f}/s)",
                flush=True,
            )
        ratio = statistics.median(full_ms / empty_ms for empty_ms, full_ms in pairs)
        size = server.sql(full.database, "SELECT pg_database_size(current_database())")
        print(
            f"p99 of {said.entries:,} entries over that of none: {ratio:.2f} (median of"
            f" {said.rounds} pairs); {int(size) / 2**30:.2f} GiB;"
            f" load of the machine {os.getloadavg()[0]:.1f}"
        )
    finally:
        server.remove()


if __name__ == "__main__":
    main()
