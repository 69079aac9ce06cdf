"""Races for requests: two processes answer each one at the same moment, one yes, one no.

Counts how many were decided twice (it must be none), and shows with `--read-then-write` that the
count would be seen: there the two look first and write afterwards.

    python -m bench.approval_races --races 10000
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import tempfile
import time
from dataclasses import dataclass
from multiprocessing.synchronize import Barrier
from pathlib import Path

from signoff.assess.level import Challenge, Level
from signoff.challenge.card import Card
from signoff.challenge.pending import (
    Given,
    NewRequest,
    RequestState,
    Settlement,
    WaitingLimits,
)
from signoff.challenge.terms.step import ProofKind, ProofStep
from signoff.storage.approvals.database import Database
from signoff.storage.approvals.requests import SqliteRequests

BATCH = 50  # requests the two race through without waiting for each other
ROUND = 400  # requests that are open at once: a store has a limit
CARD = Card(headline="x", level=Level.MEDIUM, challenge=Challenge.CONFIRM, why="a race")


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What came of the races."""

    races: int
    won: int
    decided_twice: int
    undecided: int
    seconds: float


def race(races: int, *, is_safe: bool = True) -> Result:
    """Run races between two processes; return what came of them."""
    rounds = [
        _race_round(min(ROUND, races - first), is_safe=is_safe) for first in range(0, races, ROUND)
    ]
    return Result(
        races=races,
        won=sum(one.won for one in rounds),
        decided_twice=sum(one.decided_twice for one in rounds),
        undecided=sum(one.undecided for one in rounds),
        seconds=sum(one.seconds for one in rounds),
    )


def _race_round(races: int, *, is_safe: bool) -> Result:
    """Run as many races as may be open at once."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "approvals.db")
        asyncio.run(_open_all(path, races))
        context = multiprocessing.get_context("spawn")
        barrier, results = context.Barrier(2), context.SimpleQueue()
        processes = [
            context.Process(target=_answer_all, args=(path, races, to, barrier, results, is_safe))
            for to in (RequestState.APPROVED, RequestState.DENIED)
        ]
        started = time.perf_counter()
        for process in processes:
            process.start()
        wins = [set(results.get()) for _ in processes]
        for process in processes:
            process.join()
        seconds = time.perf_counter() - started
        settled = asyncio.run(_count_settled(path, races))
    return Result(
        races=races,
        won=len(wins[0]) + len(wins[1]),
        decided_twice=len(wins[0] & wins[1]),
        undecided=races - settled,
        seconds=seconds,
    )


async def _open_all(path: str, races: int) -> None:
    """Keep the requests: opening is not what is raced for."""
    room = WaitingLimits(per_session=ROUND)
    store = SqliteRequests(Database(path), room=room)
    for number in range(races):
        await store.open(race_request(number))
    store.database.close()


def race_request(number: int) -> NewRequest:
    """Return a request to race for."""
    return NewRequest(
        id=f"r{number}",
        nonce=f"n{number}",
        digest=f"d{number}",
        action=b"{}",
        card=CARD,
        level=Level.MEDIUM,
        challenge=Challenge.CONFIRM,
        steps=(ProofStep(kind=ProofKind.CONFIRM),),
        ttl_s=36_000,
    )


def _answer_all(
    path: str,
    races: int,
    to: RequestState,
    barrier: Barrier,
    results: multiprocessing.SimpleQueue[list[int]],
    is_safe: bool,  # noqa: FBT001 - passed on by multiprocessing, by position
) -> None:
    """Answer every request one way; tell which answers were taken."""
    store = SqliteRequests(Database(path))
    won = []
    for number in range(races):
        if number % BATCH == 0:
            barrier.wait()
        answer = _settle if is_safe else _read_then_write
        if asyncio.run(answer(store, number, to)):
            won.append(number)
    results.put(won)


async def _settle(store: SqliteRequests, number: int, to: RequestState) -> bool:
    """Answer as the desk does."""
    given = Given(
        step=0,
        approver=to.value,
        channel="race",
        verdict="allow" if to is RequestState.APPROVED else "deny",
    )
    return await store.settle(
        f"r{number}", Settlement(given=given, to=to, use_s=36_000), digest=f"d{number}"
    )


async def _read_then_write(store: SqliteRequests, number: int, to: RequestState) -> bool:
    """Answer as one must not: look first, write afterwards."""
    found = await store.get(f"r{number}")
    if found is None or found.state is not RequestState.PENDING:
        return False
    with store.database.writing() as db:
        db.execute("DROP TRIGGER IF EXISTS states_follow_the_arrows")
        db.execute("UPDATE requests SET state = ? WHERE id = ?", (to.value, found.id))
    return True


async def _count_settled(path: str, races: int) -> int:
    listed = await SqliteRequests(Database(path)).listed(
        RequestState.APPROVED, RequestState.DENIED, limit=races + 1
    )
    return len(listed)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--races", type=int, default=10_000)
    parser.add_argument("--read-then-write", action="store_true")
    said = parser.parse_args()
    result = race(said.races, is_safe=not said.read_then_write)
    print(result)
    raise SystemExit(bool(result.decided_twice) != said.read_then_write)


if __name__ == "__main__":
    main()
