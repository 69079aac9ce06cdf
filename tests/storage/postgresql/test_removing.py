"""Contents of old entries go, what proves them stays; nothing else can be changed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from made_tables import made_address
from postgres_server import shared_server
from signoff.effects.store import RecordDraft
from signoff.errors import StoreError
from signoff.frontends.auditing.backup import plan_rotation, rotate
from signoff.frontends.auditing.bundle import write_bundle
from signoff.storage.postgresql.address import StoreAddress
from signoff.storage.postgresql.fleet_record import FleetRecord
from signoff.storage.postgresql.link import StoreLink
from signoff.storage.postgresql.migrating import _migrate, migrations, prepare
from signoff.storage.postgresql.record import PostgresRecord
from signoff.storage.postgresql.removing import CHUNK, TABLES
from signoff.storage.proof.checkpoints import CheckpointKeeper
from signoff.storage.proof.note import open_signer
from signoff.values import replace
from store_version_before import version_before

MORE = CHUNK + 5


@pytest.fixture
def record() -> PostgresRecord:
    """Give a record with entries of two nodes."""
    address = made_address()
    made, other = record_at(address), record_at(replace(address, node="b"))
    made.append_batch([RecordDraft(content={"n": number}) for number in range(MORE)])
    other.append_batch([RecordDraft(content={"n": number}) for number in range(4)])
    return made


def record_at(address: StoreAddress) -> PostgresRecord:
    """Open the record of a node."""
    return PostgresRecord(StoreLink(address, prepare=prepare))


def sql(record: PostgresRecord, text: str) -> str:
    """Run SQL as the owner of everything."""
    database = record.link.address.database
    return shared_server().sql(database, f"SET search_path = signoff; {text}")


def test_contents_go_and_the_chain_verifies(record: PostgresRecord) -> None:
    """Those of this node alone, and never the newest entry's."""
    leaves = list(record.leaves())

    assert MORE - 2 == record.remove_contents(upto=MORE - 2)
    assert 1 == record.remove_contents(upto=10 * MORE)
    assert 0 == record.remove_contents(upto=10 * MORE)

    result = record.verify()
    assert (True, MORE, MORE - 1) == (result.ok, result.count, result.removed)
    assert [MORE] == [entry.seq for entry in record.entries()]
    assert MORE - 1 == sum(1 for _ in record.removed_entries())
    assert leaves == list(record.leaves())
    fleet = FleetRecord(record.link)
    assert [MORE, 1, 2, 3, 4] == [entry.seq for entry in fleet.entries()]
    assert all(one.verify().ok for one in fleet.chains())
    assert MORE + 1 == record.append_now(RecordDraft(content={})).seq


def test_an_entry_that_was_emptied_in_another_way_is_found(record: PostgresRecord) -> None:
    """Only up to the noted number, only the body, only to nothing."""
    record.remove_contents(upto=5)
    for change in (
        "body = '' WHERE node = 'a' AND seq = 6",
        "body = 'x' WHERE node = 'a' AND seq = 3",
        "body = '', hash = '' WHERE node = 'a' AND seq = 3",
        "body = '' WHERE node = 'b' AND seq = 1",
    ):
        with pytest.raises(AssertionError, match="never changed"):
            sql(record, f"UPDATE records SET {change}")
    with pytest.raises(AssertionError, match="never changed"):
        sql(record, "DELETE FROM records WHERE seq = 1")
    with pytest.raises(AssertionError, match="never changed"):
        sql(record, "TRUNCATE records CASCADE")
    # Who owns the tables can do it all the same: then the verifier tells.
    sql(record, "ALTER TABLE records DISABLE TRIGGER ALL; UPDATE records SET body = ''")

    assert (False, 6) == (record.verify().ok, record.verify().bad_seq)


def test_a_store_of_the_version_before_goes_on_beside_it() -> None:
    """Its statement adds to the new tables; two entries never follow one."""
    address = shared_server().address()
    old, new = migrations()[:1], migrations()

    before = PostgresRecord(
        StoreLink(replace(address, node="old"), prepare=lambda db: _migrate(db, old))
    )
    with version_before():
        before.append_now(RecordDraft(content={"by": "old"}))
    after = record_at(address)
    after.append_now(RecordDraft(content={"by": "new"}))

    assert str(len(new)) == sql(after, "SELECT count(*) FROM migrations")
    with version_before():
        assert 2 == before.append_now(RecordDraft(content={"by": "old"})).seq
    assert ["old", "new", "old"] == [
        json.loads(entry.body)["by"] for entry in FleetRecord(after.link).entries()
    ]
    assert all(one.verify().ok for one in FleetRecord(after.link).chains())


def test_old_entries_are_archived_and_the_export_still_proves_them(
    record: PostgresRecord, tmp_path: Path
) -> None:
    """As `signoff audit rotate` and `export --format bundle` do it."""
    signer = open_signer(str(tmp_path / "key"))
    keeper = CheckpointKeeper(record, signer, folder=str(tmp_path / "checkpoints"))
    record.append_now(RecordDraft(content={"ts": "2999-01-01T00:00:00"}))

    plan = plan_rotation(record, keeper, before="2998-01-01T00:00:00")
    count = rotate(record, plan, tmp_path / "archive.jsonl")
    bundled = write_bundle(record, keeper, tmp_path / "bundle")

    assert (MORE, MORE) == (count, len((tmp_path / "archive.jsonl").read_bytes().splitlines()))
    assert MORE + 1 == bundled
    verifier = tmp_path / "bundle" / "verify.py"
    assert verifier.exists()
    done = subprocess.run(
        [sys.executable, "-I", str(verifier), str(verifier.parent)],
        cwd=verifier.parent,
        capture_output=True,
        check=False,
    )
    assert 0 == done.returncode, done.stdout + done.stderr


def test_older_nodes_refuse_a_store_with_removed_contents(record: PostgresRecord) -> None:
    """They would call the record damaged; now they say that they are too old, and no sooner."""

    def joined() -> None:
        known = migrations()[: TABLES - 1]
        record.link.run(lambda db: _migrate(db, known))

    joined()
    record.remove_contents(upto=2)

    with pytest.raises(StoreError, match="upgrade this machine"):
        joined()
