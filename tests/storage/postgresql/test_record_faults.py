"""The record in PostgreSQL when something goes wrong: refused, never lost, and back by itself."""

from __future__ import annotations

import asyncio
import json
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from made_tables import made_address
from postgres_server import PostgresServer, binaries, shared_server
from signoff.effects.store import RecordDraft, SessionKey, SessionUpdate
from signoff.errors import StoreError, TamperedRecord
from signoff.storage.commits.seen_head import SeenHead
from signoff.storage.postgresql.address import StoreAddress
from signoff.storage.postgresql.commit import FleetCommit
from signoff.storage.postgresql.fleet_record import FleetRecord
from signoff.storage.postgresql.link import StoreLink
from signoff.storage.postgresql.migrating import prepare
from signoff.storage.postgresql.record import PostgresRecord
from signoff.values import replace

KEY = SessionKey(agent="claude", session="s1")


@pytest.fixture
def address() -> StoreAddress:
    """Give a new database."""
    return made_address()


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    """Give a server of its own, to be killed."""
    if not binaries():
        pytest.skip("no PostgreSQL (apt-get install postgresql)")
    made = PostgresServer()
    made.make()
    made.start()
    yield made
    made.remove()


def record_at(
    address: StoreAddress, *, node: str = "a", seen: Path | None = None
) -> PostgresRecord:
    """Open the record of a node with connections of its own."""
    link = StoreLink(replace(address, node=node), prepare=prepare, timeout_s=5.0)
    return PostgresRecord(link, seen=SeenHead(str(seen)) if seen else None)


def sql(address: StoreAddress, text: str) -> str:
    """Run SQL as somebody who owns the database."""
    return shared_server().sql(address.database, f"SET search_path = signoff; {text}")


def test_each_node_has_its_own_chain_and_all_are_read_as_one(address: StoreAddress) -> None:
    """Numbers of two nodes are the same; their order is that of the store."""
    first, second = record_at(address), record_at(address, node="b")
    for number in range(3):
        first.append_now(RecordDraft(content={"by": "a", "n": number}))
        second.append_now(RecordDraft(content={"by": "b", "n": number}))
    fleet = FleetRecord(first.link)

    assert [1, 1, 2, 2, 3, 3] == [entry.seq for entry in fleet.entries()]
    assert ["a", "b"] * 3 == [json.loads(entry.body)["by"] for entry in fleet.entries()]
    assert {"a": (True, 3), "b": (True, 3)} == {
        one.node: (result.ok, result.count) for one in fleet.chains() for result in [one.verify()]
    }


def test_writers_of_one_node_make_one_chain(address: StoreAddress) -> None:
    """Four processes' worth of connections, one chain: no entry is lost, none follows another's."""
    records = [record_at(address) for _ in range(4)]

    def write(record: PostgresRecord) -> list[int]:
        return [record.append_now(RecordDraft(content={"n": n})).seq for n in range(25)]

    with ThreadPoolExecutor(4) as pool:
        numbers = sorted(seq for found in pool.map(write, records) for seq in found)

    assert [*range(1, 101)] == numbers
    assert (True, 100) == (records[0].verify().ok, records[0].verify().count)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE records SET body = '{}' WHERE seq = 1",
        "DELETE FROM records WHERE seq = 3",
        "TRUNCATE records",
    ],
)
def test_the_database_refuses_to_change_entries(address: StoreAddress, change: str) -> None:
    """Whoever wants to must take the trigger away first, and is found then."""
    record = record_at(address)
    for number in range(3):
        record.append_now(RecordDraft(content={"n": number}))

    with pytest.raises(AssertionError, match="never changed or deleted"):
        sql(address, change)
    trigger = "EMPTIED" if change.startswith("TRUNC") else "CHANGED"
    sql(address, f"DROP TRIGGER records_are_never_{trigger.lower()} ON records; {change}")

    assert not record_at(address).verify().ok


def test_a_store_that_was_set_back_is_refused(address: StoreAddress, tmp_path: Path) -> None:
    """A restored copy, or a failover that lost entries: this machine has seen more."""
    record = record_at(address, seen=tmp_path / "store")
    for number in range(3):
        record.append_now(RecordDraft(content={"n": number}))
    sql(
        address,
        "DROP TRIGGER records_are_never_changed ON records; DELETE FROM records WHERE seq = 3;"
        " UPDATE nodes SET seq = 2, hash = (SELECT hash FROM records WHERE seq = 2)",
    )

    for one in (record, record_at(address, seen=tmp_path / "store")):
        with pytest.raises(TamperedRecord, match="was set back"):
            one.append_now(RecordDraft(content={"n": 3}))
    assert record_at(address).append_now(RecordDraft(content={})).seq == 3, "else nothing was seen"


def test_two_nodes_write_the_same_sessions_without_a_deadlock(address: StoreAddress) -> None:
    """Both learn the same facts in another order, many times at once."""
    records = [record_at(address, node=node) for node in ("a", "b")]
    paths = tuple(f"/p/{number}" for number in range(20))

    def write(record: PostgresRecord) -> None:
        order = paths if record.node == "a" else paths[::-1]
        for _ in range(30):
            update = SessionUpdate(key=KEY, function="f", written=order)
            record.append_now(RecordDraft(session_update=update))

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write, records))

    memory = asyncio.run(records[0].remembered(KEY, "f"))
    assert (60, frozenset(paths)) == (memory.prior_calls, memory.written)


def test_what_one_node_learned_the_other_knows(address: StoreAddress) -> None:
    """At once where nothing was read before, else when what was read is no longer fresh."""
    now = [0.0]
    first, second = (
        FleetCommit(record_at(address, node=node), clock=lambda: now[0]) for node in ("a", "b")
    )

    async def session() -> list[int]:
        update = SessionUpdate(key=KEY, function="f", written=("/x",))
        found = [(await second.remembered(KEY, "f")).prior_calls]
        await first.append(RecordDraft(session_update=update))
        found.append((await first.remembered(KEY, "f")).prior_calls)
        now[0] += 0.6
        found.append((await second.remembered(KEY, "f")).prior_calls)
        await second.append(RecordDraft(session_update=update))
        found.append((await second.remembered(KEY, "f")).prior_calls)
        return found

    assert [0, 1, 1, 2] == asyncio.run(session())


def test_a_killed_server_loses_nothing_that_was_confirmed(server: PostgresServer) -> None:
    """Calls are refused while it is gone, and stored again as soon as it is back."""
    record = record_at(server.address())
    confirmed, refused, is_over = [], [], threading.Event()

    def write() -> None:
        number = 0
        while not is_over.is_set():
            number += 1
            try:
                record.append_now(RecordDraft(content={"n": number}))
                confirmed.append(number)
            except StoreError as error:
                refused.append(str(error))
                is_over.wait(0.02)

    writer = threading.Thread(target=write)
    writer.start()
    for _ in range(3):
        _until(confirmed, len(confirmed) + 5)
        server.stop(signal.SIGKILL)
        _until(refused, len(refused) + 1)
        server.start()
    _until(confirmed, len(confirmed) + 5)
    is_over.set()
    writer.join()

    stored = {json.loads(entry.body)["n"] for entry in record.entries()}
    assert set() == set(confirmed) - stored
    assert record.verify().ok
    assert any("cannot" in one for one in refused)


def test_a_statement_that_never_ends_is_given_up(address: StoreAddress) -> None:
    """A lock somebody else holds, or a disk that hangs: refused in time."""
    record = record_at(address)
    record.append_now(RecordDraft(content={}))
    slow = PostgresRecord(StoreLink(address, timeout_s=0.5))

    with pytest.raises(StoreError, match="did not answer in time"):
        slow.link.run(lambda db: db.execute("SELECT pg_sleep(60)"))
    assert slow.append_now(RecordDraft(content={})).seq == 2


def test_a_server_that_loses_what_it_confirms_is_refused(server: PostgresServer) -> None:
    """`fsync = off` breaks what the record promises."""
    address = server.address()
    server.stop()
    server.settings = {"fsync": "off"}
    server.start()

    with pytest.raises(StoreError, match="fsync = off"):
        record_at(address).append_now(RecordDraft(content={}))


def _until(found: list[object] | list[int] | list[str], count: int) -> None:
    """Wait until a list has so many items."""
    tick = threading.Event()
    for _ in range(1_200):
        if len(found) >= count:
            return
        tick.wait(0.05)
    raise AssertionError(f"{len(found)} of {count}")
