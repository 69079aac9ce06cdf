"""Table changes of the shared store: forward only, once, and two versions side by side."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from postgres_server import shared_server
from signoff.effects.store import RecordDraft
from signoff.errors import StoreError
from signoff.storage.postgresql.address import StoreAddress
from signoff.storage.postgresql.link import StoreLink
from signoff.storage.postgresql.migrating import migrations, prepare
from signoff.storage.postgresql.record import PostgresRecord


@pytest.fixture
def address() -> StoreAddress:
    """Give a new database."""
    return shared_server().address()


def open_store(address: StoreAddress) -> int:
    """Open the store and write to it; return the number of the entry."""
    record = PostgresRecord(StoreLink(address, prepare=prepare))
    return record.append_now(RecordDraft(content={})).seq


def sql(address: StoreAddress, text: str) -> str:
    """Run SQL as the owner."""
    return shared_server().sql(address.database, f"SET search_path = signoff; {text}")


def test_the_files_are_numbered_without_gaps() -> None:
    """A number is never used twice."""
    assert [*range(1, len(migrations()) + 1)] == [one.number for one in migrations()]


def test_nodes_that_start_at_once_make_the_tables_once(address: StoreAddress) -> None:
    """The others wait for the first."""
    with ThreadPoolExecutor(4) as pool:
        found = sorted(pool.map(open_store, [address] * 4))

    assert [1, 2, 3, 4] == found
    assert str(len(migrations())) == sql(address, "SELECT count(*) FROM migrations")


def test_a_newer_version_beside_this_one_is_no_problem(address: StoreAddress) -> None:
    """It only adds; and says itself when an older one cannot go on."""
    open_store(address)
    newer = len(migrations()) + 1
    added = "INSERT INTO migrations (number, name, digest, least) VALUES"
    sql(address, f"{added} ({newer}, 'later', 'x', 1); ALTER TABLE records ADD later text")
    assert 2 == open_store(address)

    sql(address, f"{added} ({newer + 1}, 'much later', 'x', {newer + 1})")
    with pytest.raises(StoreError, match="upgrade this machine"):
        open_store(address)


def test_a_file_that_was_changed_after_it_was_applied_is_found(address: StoreAddress) -> None:
    """Two machines would believe in different tables."""
    open_store(address)
    sql(address, "UPDATE migrations SET digest = 'another' WHERE number = 1")

    with pytest.raises(StoreError, match="0001_record was another one"):
        open_store(address)
