"""The key that nodes share: from a file of the owner alone, and one for all nodes of a store."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from made_tables import made_address
from postgres_server import shared_server
from signoff.challenge.pending import ARROWS
from signoff.challenge.proofs.seal import CODE_ALPHABET, CODE_LENGTH, Seal
from signoff.errors import StoreError
from signoff.storage.postgresql.approvals.tables import RequestTables
from signoff.storage.postgresql.fleet_key import read_fleet_key
from signoff.storage.postgresql.link import StoreLink
from signoff.storage.postgresql.migrating import prepare

KEY = "0123456789abcdef" * 4


def written(folder: Path, text: str, *, mode: int = 0o600) -> str:
    """Write a key file."""
    path = folder / "store.key"
    path.touch(mode)
    path.chmod(mode)
    path.write_text(text, "utf-8")
    return str(path)


def test_each_purpose_has_a_key_of_its_own(tmp_path: Path) -> None:
    """What the database knows tells neither of the others; nothing is shown."""
    key = read_fleet_key(written(tmp_path, f"{KEY}\n"))

    assert 3 == len({key.seals, key.codes, bytes.fromhex(key.fingerprint)})
    assert not key.seals.hex().startswith(key.fingerprint)
    assert key.seals.hex() not in repr(key)


def test_one_file_makes_another_key_for_each_tenant(tmp_path: Path) -> None:
    """What one tenant sealed holds for no other, should its rows ever get there."""
    path = written(tmp_path, KEY)
    keys = [read_fleet_key(path, tenant=name) for name in ("", "payments", "search")]

    assert 12 == len({part for key in keys for part in msgspec.structs.astuple(key)})
    assert keys[0] == read_fleet_key(path)


@pytest.mark.parametrize("text", ["", "short", KEY[:-1], KEY + "0", "z" * 64, f"{KEY}\n{KEY}"])
def test_what_is_no_key_is_refused(tmp_path: Path, text: str) -> None:
    """An empty or cut file must not become a key everybody can guess."""
    with pytest.raises(StoreError, match="is no key"):
        read_fleet_key(written(tmp_path, text))


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    """As a password is."""
    with pytest.raises(StoreError, match="others may read"):
        read_fleet_key(written(tmp_path, KEY, mode=0o640))


def test_nodes_make_the_same_code_for_a_request() -> None:
    """And another one for each request and each key."""
    first, second, other = (Seal(b"s" * 32, codes_key=key) for key in (b"a", b"a", b"b"))

    assert first.code_for("r1") == second.code_for("r1")
    assert 3 == len({first.code_for("r1"), first.code_for("r2"), other.code_for("r1")})
    assert CODE_LENGTH == len(first.code_for("r1"))
    assert set(first.code_for("r1")) <= set(CODE_ALPHABET)


def test_the_first_node_says_which_key_it_is() -> None:
    """Every other key is refused, on every kind of work."""
    address = made_address()

    def asked(fingerprint: str) -> int:
        tables = RequestTables(StoreLink(address, prepare=prepare), fingerprint=fingerprint)
        return int(tables.run(lambda db: db.fetchval("SELECT 1")))

    assert [1, 1, 1] == [asked("one"), asked("one"), asked("")]
    with pytest.raises(StoreError, match="another one than that of the other nodes"):
        asked("two")


def test_the_database_knows_the_same_arrows() -> None:
    """Every change of state is tried; those that are no arrow are refused by the database."""
    address = made_address()
    StoreLink(address, prepare=prepare).run(lambda db: db.fetchval("SELECT 1"))
    ways = sorted((start.value, to.value) for start, ends in ARROWS.items() for to in ends)

    source = shared_server().sql(
        address.database, "SELECT prosrc FROM pg_proc WHERE proname = 'refuse_other_ways'"
    )

    found = sorted(tuple(pair.split("', '")) for pair in source.split("('")[1:])
    assert ways == [(start, to.partition("'")[0]) for start, to in found]
