"""Races for requests of a shared store: four nodes answer, then use each one at the same moment.

Every node is a process with connections of its own, on a PostgreSQL of this machine. Two say yes
and two say no, each by somebody else; then all four try to use what was approved. Each request
must get one answer and at most one use. `--read-then-write` looks first and writes afterwards, and
must be seen to do both twice: else the zeros would say nothing.

    .venv/bin/python -m bench.fleet.races --races 10000
    .venv/bin/python -m bench.fleet.races --races 1000 --read-then-write
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from multiprocessing.queues import SimpleQueue
from multiprocessing.synchronize import Barrier

from bench.approval_races import race_request
from postgres_server import PostgresServer
from signoff.challenge.pending import Given, RequestState, Settlement, WaitingLimits
from signoff.storage.postgresql.address import StoreAddress
from signoff.storage.postgresql.approvals.requests import PostgresRequests
from signoff.storage.postgresql.approvals.tables import RequestTables
from signoff.storage.postgresql.link import StoreLink
from signoff.storage.postgresql.migrating import prepare

NODES = "abcd"
SIDES = (RequestState.APPROVED, RequestState.DENIED)
ROUND = 500  # requests that are open at once
BATCH = 8  # as many as a node has connections
DATABASE = "races"
LONG_S = 36_000.0
ONE_ANSWER = """
    SELECT count(*) FROM signoff.requests AS one WHERE state = 'pending' OR
        (SELECT count(*) FROM signoff.answers WHERE request_id = one.id) <> 1
    """
# The database would refuse the control as well.
WITHOUT_GUARDS = """
    DROP TRIGGER states_follow_the_arrows ON signoff.requests;
    DROP TRIGGER tell_of_request ON signoff.requests
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeWins:
    """What one node was told it had done: numbers of requests."""

    node: str
    answered: tuple[int, ...]
    used: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetResult:
    """What came of the races.

    Args:
        unlike: requests that the database shows open, or with another number of answers than one.
    """

    races: int
    answered: int
    answered_twice: int
    used: int
    used_twice: int
    unlike: int
    seconds: float

    @property
    def is_safe(self) -> bool:
        """Whether each request got one answer and at most one use."""
        doubles = self.answered_twice + self.used_twice + self.unlike
        return self.answered == self.races and self.used > 0 and not doubles


def race(races: int, *, is_safe: bool = True) -> FleetResult:
    """Run races between four nodes; return what came of them."""
    server = PostgresServer()
    try:
        server.make()
        server.start()
        server.sql("postgres", f"CREATE DATABASE {DATABASE}")
        address = server.address(database=DATABASE)
        StoreLink(address, prepare=prepare).run(_nothing)
        if not is_safe:
            server.sql(DATABASE, WITHOUT_GUARDS)
        began = time.perf_counter()
        wins = _wins(address, races, is_safe=is_safe)
        return FleetResult(
            races=races,
            **_counted("answered", [one.answered for one in wins]),
            **_counted("used", [one.used for one in wins]),
            unlike=int(server.sql(DATABASE, ONE_ANSWER)),
            seconds=time.perf_counter() - began,
        )
    finally:
        server.remove()


async def _nothing(_: object) -> None:
    """Connect, so that the tables are made."""


def _counted(name: str, wins: list[tuple[int, ...]]) -> dict[str, int]:
    found = Counter(number for one in wins for number in one)
    return {name: len(found), f"{name}_twice": sum(count > 1 for count in found.values())}


def _wins(address: StoreAddress, races: int, *, is_safe: bool) -> list[NodeWins]:
    context = multiprocessing.get_context("spawn")
    barrier, results = context.Barrier(len(NODES)), context.SimpleQueue()
    nodes = [
        context.Process(target=_run_node, args=(address, index, races, barrier, results, is_safe))
        for index in range(len(NODES))
    ]
    for node in nodes:
        node.start()
    wins = [results.get() for _ in nodes]
    for node in nodes:
        node.join()
    return wins


def _run_node(
    address: StoreAddress,
    index: int,
    races: int,
    barrier: Barrier,
    results: SimpleQueue[NodeWins],
    is_safe: bool,  # noqa: FBT001 - passed on by multiprocessing, by position
) -> None:
    """Be one node: open a share of the requests, answer all of them, use what was approved."""
    link = StoreLink(_of_node(address, NODES[index]), prepare=prepare)
    room = WaitingLimits(per_session=races + 1, overall=races + 1)
    racer = Racer(PostgresRequests(RequestTables(link), room=room), index, is_safe=is_safe)
    answered: list[int] = []
    used: list[int] = []
    for first in range(0, races, ROUND):
        numbers = range(first, min(first + ROUND, races))
        asyncio.run(racer.open(numbers[index :: len(NODES)]))
        for start in range(0, len(numbers), BATCH):
            batch = numbers[start : start + BATCH]
            for act, won in ((racer.answer, answered), (racer.use, used)):
                barrier.wait(120)
                won += asyncio.run(racer.won(batch, act))
    results.put(NodeWins(node=NODES[index], answered=tuple(answered), used=tuple(used)))
    link.close()


def _of_node(address: StoreAddress, node: str) -> StoreAddress:
    return StoreAddress(
        hosts=address.hosts,
        user=address.user,
        database=address.database,
        has_tls=address.has_tls,
        node=node,
    )


@dataclass(slots=True)
class Racer:
    """What one node does in a race."""

    store: PostgresRequests
    index: int
    is_safe: bool = True

    async def open(self, numbers: range) -> None:
        """Open requests: that is not raced for."""
        for number in numbers:
            await self.store.open(race_request(number))

    async def won(self, batch: range, act: Callable[[int], Awaitable[bool]]) -> list[int]:
        """Do something with each request of a batch, in any order; return where it was done."""
        mixed = random.sample(batch, len(batch))
        done = await asyncio.gather(*map(act, mixed))
        return [number for number, is_done in zip(mixed, done, strict=True) if is_done]

    async def answer(self, number: int) -> bool:
        """Answer: half of the nodes yes, the others no."""
        to = SIDES[self.index % 2]
        if not self.is_safe:
            return await self._read_then_write(number, RequestState.PENDING, to)
        given = Given(
            step=0,
            approver=f"person-{self.index}",
            channel="race",
            verdict="allow" if to is RequestState.APPROVED else "deny",
        )
        settlement = Settlement(given=given, to=to, use_s=LONG_S)
        return await self.store.settle(f"r{number}", settlement, digest=f"d{number}")

    async def use(self, number: int) -> bool:
        """Use what was approved, as the gate does before a call runs."""
        start, to = RequestState.APPROVED, RequestState.EXECUTING
        if not self.is_safe:
            return await self._read_then_write(number, start, to)
        found = await self.store.get(f"r{number}")
        if found is None or found.state is not start:
            return False
        return await self.store.move(f"r{number}", to, start=start, digest=f"d{number}")

    async def _read_then_write(self, number: int, start: RequestState, to: RequestState) -> bool:
        """Do it as one must not: look first, write afterwards."""
        id, tables = f"r{number}", self.store._tables
        state = "SELECT state FROM requests WHERE id = $1"
        if await tables.read(lambda db: db.fetchval(state, id)) != start.value:
            return False
        change = "UPDATE requests SET state = $2 WHERE id = $1"
        await tables.read(lambda db: db.execute(change, id, to.value))
        return True


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--races", type=int, default=10_000)
    parser.add_argument("--read-then-write", action="store_true", help="the control")
    said = parser.parse_args()
    result = race(said.races, is_safe=not said.read_then_write)
    print(result)
    is_caught = bool(result.answered_twice and result.used_twice)
    raise SystemExit(not (is_caught if said.read_then_write else result.is_safe))


if __name__ == "__main__":
    main()
