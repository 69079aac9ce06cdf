"""Connections that the network forgot: one silence is enough to use none of them again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from bench.fleet.cut import CuttableLink, LinkMode

from postgres_server import shared_server
from signoff.errors import StoreError
from signoff.storage.postgresql.link import CONNECTIONS, Db, StoreLink
from signoff.values import replace

TIMEOUT_S = 1.0


@pytest.fixture
def network() -> Iterator[CuttableLink]:
    """Give a network to the database."""
    with CuttableLink(shared_server().port) as link:
        yield link


@pytest.fixture
def store(network: CuttableLink) -> Iterator[StoreLink]:
    """Give connections through it."""
    address = replace(shared_server().address(), hosts=(("127.0.0.1", network.port),))
    link = StoreLink(address, timeout_s=TIMEOUT_S)
    yield link
    link.close()


async def work(db: Db) -> int:
    """Take a connection for a moment, so that others need another one."""
    await db.execute("SELECT pg_sleep(0.2)")
    return 1


def at_once(store: StoreLink) -> int:
    """Work on all connections at the same time; return how much of it was done."""
    under_way = [store.submit(work) for _ in range(CONNECTIONS)]
    return sum(one.result(30) for one in under_way)


def test_after_a_silence_no_old_connection_is_used(network: CuttableLink, store: StoreLink) -> None:
    """Else each of them would be silent for as long, one after the other."""
    assert CONNECTIONS == at_once(store)
    network.lose()
    with pytest.raises(StoreError):
        store.run(work)
    network.mode = LinkMode.OPEN
    # What is under way to nobody ends in its time.
    store.hand_over(_reached(store)).result(30)

    assert CONNECTIONS == at_once(store)


def test_one_slow_statement_is_no_silence(store: StoreLink) -> None:
    """As long as something else is done meanwhile, the others keep their connections."""
    slow = store.submit(lambda db: db.execute("SELECT pg_sleep(60)"))
    while not slow.done():
        store.run(work)

    with pytest.raises(StoreError, match="in time"):
        slow.result(30)
    assert "" == store.problem()
    assert 1 == store.run(work)


async def _reached(store: StoreLink) -> None:
    """Wait until the store can be reached."""
    while store.problem():
        await asyncio.sleep(0.02)
