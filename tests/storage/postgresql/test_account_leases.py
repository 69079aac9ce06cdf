"""The lease for an account: one node has it, and another one as soon as that one is gone."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

import pytest

from made_tables import made_address
from postgres_server import shared_server
from signoff.storage.postgresql.approvals.account_leases import PostgresLease
from signoff.storage.postgresql.link import StoreLink
from signoff.storage.postgresql.migrating import prepare
from signoff.values import replace


class TwoNodes:
    """Two nodes of one store, and the leases they asked for."""

    def __init__(self) -> None:
        address = made_address()
        self.links = (
            StoreLink(address, prepare=prepare),
            StoreLink(replace(address, node="b"), prepare=prepare),
        )
        self.links[0].run(lambda db: db.fetchval("SELECT 1"))
        self._turns: list[PostgresLease] = []

    def lease(self, node: int, account: str = "telegram:1") -> PostgresLease:
        """Return a lease of a node."""
        self._turns.append(PostgresLease(self.links[node], account))
        return self._turns[-1]

    def close(self) -> None:
        """Let go of all connections."""
        for lease in self._turns:
            asyncio.run(lease.end())
        for link in self.links:
            link.close()


@pytest.fixture
def nodes() -> Iterator[TwoNodes]:
    """Give two nodes of one store."""
    made = TwoNodes()
    yield made
    made.close()


def has(lease: PostgresLease) -> bool:
    """Ask for a lease."""
    return asyncio.run(lease.has())


def test_one_node_has_it(nodes: TwoNodes) -> None:
    """And keeps it as long as it wants; other accounts have leases of their own."""
    first, second = nodes.lease(0), nodes.lease(1)

    assert [True, False, True] == [has(one) for one in (first, second, first)]
    assert has(nodes.lease(1, "telegram:2"))


def test_who_ends_it_hands_it_on(nodes: TwoNodes) -> None:
    """At once."""
    first, second = nodes.lease(0), nodes.lease(1)
    assert has(first)
    asyncio.run(first.end())

    assert _in_time(second)
    assert not has(first)


def test_a_connection_that_is_lost_takes_it_along(nodes: TwoNodes) -> None:
    """Whoever had it hears that, and takes it back only if nobody has it."""
    first, second = nodes.lease(0), nodes.lease(1)
    assert has(first)
    shared_server().sql(
        nodes.links[0].address.database,
        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
        " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
    )

    assert _in_time(second)
    assert [False, False] == [has(first), has(first)]


def test_a_lock_that_is_taken_away_is_a_turn_no_more(nodes: TwoNodes) -> None:
    """A pooler that hands the connection to others does that."""
    first, second = nodes.lease(0), nodes.lease(1)
    assert has(first)
    nodes.links[0].hand_over(first._db.execute("SELECT pg_advisory_unlock_all()")).result(5)

    assert not has(first)
    assert has(second)


def _in_time(lease: PostgresLease) -> bool:
    until_s = time.monotonic() + 5
    while not has(lease):
        assert time.monotonic() < until_s
        time.sleep(0.05)
    return True
