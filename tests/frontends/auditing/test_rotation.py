"""Old entries are moved out of the audit log: it still proves what it proved before."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from bench.record.tampering import ENTRIES, SIGNED, Log

from signoff.effects.store import RecordDraft
from signoff.errors import StoreError
from signoff.frontends.auditing.backup import RotationPlan, plan_rotation, rotate
from signoff.frontends.auditing.bundle import proof_of, write_bundle
from signoff.storage.commits import retention
from signoff.storage.commits.retention import remove_contents
from signoff.storage.proof.verifying import verify_checkpoints

MOVED = 9


@pytest.fixture
def log(tmp_path: Path) -> Log:
    """Return a log whose first entries were moved into an archive."""
    log = Log(tmp_path)
    assert MOVED == rotate(log.store, RotationPlan(first=1, last=MOVED), tmp_path / "old.jsonl")
    return log


def offline(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check a bundle by its own verifier."""
    line = [sys.executable, "-I", "-S", str(folder / "verify.py"), str(folder)]
    return subprocess.run(line, check=False, capture_output=True, text=True)


def test_the_log_proves_what_it_proved_before(log: Log, tmp_path: Path) -> None:
    """Chain, checkpoints from before, new entries, compaction, bundle, and proofs of what stays."""
    with closing(sqlite3.connect(log.path)) as db:
        db.execute("VACUUM")
    log.fill(3)
    notes = [log.kept_elsewhere, *(one.note for one in log.keeper.kept())]
    result = log.store.verify()

    assert (True, ENTRIES + 3, MOVED) == (result.ok, result.count, result.removed)
    assert () == verify_checkpoints(log.store, notes, log.public).problems
    assert ENTRIES + 3 == write_bundle(log.store, log.keeper, tmp_path / "b")
    assert 0 == offline(tmp_path / "b").returncode
    assert f"contents of {MOVED} old entries" in offline(tmp_path / "b").stdout
    assert "tlog-proof" in proof_of(log.store, log.keeper, SIGNED)
    assert [*range(MOVED + 1, ENTRIES + 4)] == [entry.seq for entry in log.store.entries()]


def test_the_archive_takes_the_place_of_what_was_moved(log: Log, tmp_path: Path) -> None:
    """Put before the rest it is the whole log again, and a changed byte in it is seen."""
    folder = tmp_path / "b"
    write_bundle(log.store, log.keeper, folder)
    entries = folder / "entries.jsonl"
    rest = entries.read_bytes().splitlines(keepends=True)[MOVED:]
    archive = (tmp_path / "old.jsonl").read_bytes()

    entries.write_bytes(archive + b"".join(rest))
    assert (0, False) == (offline(folder).returncode, "removed" in offline(folder).stdout)
    entries.write_bytes(archive.replace(b'"n":4', b'"n":5') + b"".join(rest))
    assert 1 == offline(folder).returncode


@pytest.mark.parametrize("column", ["leaf", "hash", "prev"])
def test_what_stays_of_a_moved_entry_is_checked(log: Log, tmp_path: Path, column: str) -> None:
    """Its hashes by the chain, its leaf by the signed tree."""
    with closing(sqlite3.connect(log.path)) as db, db:
        db.execute("DROP TRIGGER records_are_never_changed")
        db.execute(f"UPDATE records SET {column} = zeroblob(32) WHERE seq = 4")
    notes = [log.kept_elsewhere]

    problems = verify_checkpoints(log.store, notes, log.public).problems
    assert not log.store.verify().ok or problems


def test_contents_that_nobody_moved_are_missed(log: Log) -> None:
    """An entry emptied by hand is damage, and the newest entry is never emptied."""
    with closing(sqlite3.connect(log.path)) as db, db:
        db.execute("DROP TRIGGER records_are_never_changed")
        db.execute("UPDATE records SET body = x'' WHERE seq = 12")
    assert 12 == log.store.verify().bad_seq

    with pytest.raises(StoreError):
        remove_contents(log.path, upto=10_000)


def test_entries_stay_as_they_are_afterwards(log: Log) -> None:
    """The trigger is back."""
    with closing(sqlite3.connect(log.path)) as db, pytest.raises(sqlite3.IntegrityError):
        db.execute("UPDATE records SET body = x'' WHERE seq = 15")
    assert ENTRIES - 1 - MOVED == remove_contents(log.path, upto=10_000)
    assert ENTRIES == log.store.head().seq == next(log.store.entries()).seq
    assert log.store.verify().ok


def test_a_daemon_goes_on_writing(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its connection is older than the change, and it gets its turn between chunks."""
    monkeypatch.setattr(retention, "CHUNK", 3)
    daemon = log.store
    daemon.append_now(RecordDraft(content={"n": 1}))
    assert 11 == remove_contents(log.path, upto=20)
    daemon.append_now(RecordDraft(content={"n": 2}))
    result = daemon.verify()
    daemon.close()

    assert (True, 20, ENTRIES + 2) == (result.ok, result.removed, result.count)


def test_an_archive_is_never_overwritten(log: Log, tmp_path: Path) -> None:
    """Nothing is removed then."""
    with pytest.raises(StoreError, match="cannot write"):
        rotate(log.store, RotationPlan(first=10, last=12), tmp_path / "old.jsonl")
    assert MOVED == log.store.verify().removed


def test_what_is_older_is_found(tmp_path: Path) -> None:
    """By the time in the entries; the newest stays, whatever its time."""
    log = Log(tmp_path)

    assert 0 == plan_rotation(log.store, log.keeper, before="").count
    every = plan_rotation(log.store, log.keeper, before="9999")
    assert (1, ENTRIES - 1) == (every.first, every.last)
