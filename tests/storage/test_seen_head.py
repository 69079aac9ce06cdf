"""A record that lost entries is refused by what was seen of it outside its database."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from signoff.effects.store import RecordDraft
from signoff.errors import StoreError, TamperedRecord
from signoff.storage.chain import Head
from signoff.storage.commits.seen_head import SeenHead
from signoff.storage.sqlite import SqliteStore

KILLED = """
import os, sys
from signoff.effects.store import RecordDraft
from signoff.storage.sqlite import SqliteStore
store = SqliteStore(sys.argv[1])
for n in range(11):
    store.append_now(RecordDraft(content={"n": n}))
os.kill(os.getpid(), 9)
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Return the path of a record of five entries; a copy with two stands beside it."""
    found = str(tmp_path / "state" / "record.db")
    fill(found, 2)
    with closing(sqlite3.connect(found)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(found, f"{found}.old")
    fill(found, 3)
    return found


def fill(path: str, count: int) -> None:
    """Append entries and close the record."""
    store = SqliteStore(path)
    for n in range(count):
        store.append_now(RecordDraft(content={"n": n}))
    store.close()


def without_log(path: str) -> None:
    """Remove what SQLite keeps beside the file."""
    for ending in ("-wal", "-shm"):
        Path(path + ending).unlink(missing_ok=True)


def emptied(path: str) -> None:
    """Leave a file of no bytes."""
    without_log(path)
    os.truncate(path, 0)


def removed(path: str) -> None:
    """Leave no file."""
    without_log(path)
    os.unlink(path)


def rolled_back(path: str) -> None:
    """Put an older copy in place."""
    without_log(path)
    shutil.copy(f"{path}.old", path)


def of_another(path: str) -> None:
    """Put another installation's record in place, which is longer."""
    removed(path)
    other = str(Path(path).with_name("elsewhere") / "record.db")
    fill(other, 9)
    shutil.copy(other, path)


def cut(path: str) -> None:
    """Remove the newest entry and rewrite the head."""
    with closing(sqlite3.connect(path)) as db, db:
        for name in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name[0]}")
        db.execute("DELETE FROM records WHERE seq = 5")
        db.execute("UPDATE head SET (seq, hash) = (SELECT seq, hash FROM records WHERE seq = 4)")


@pytest.mark.parametrize("tamper", [emptied, removed, rolled_back, of_another, cut])
def test_a_record_that_lost_entries_is_refused(path: str, tamper: Callable[[str], None]) -> None:
    """Nothing is appended, and the check says so."""
    tamper(path)
    store = SqliteStore(path)

    with pytest.raises(TamperedRecord, match="entry 5 was seen in it before"):
        store.append_now(RecordDraft(content={"n": 9}))
    assert "entry 5 was seen" in store.loss()
    assert not store.verify().ok
    store.close()


def test_a_log_that_was_removed_after_a_kill_is_noticed(tmp_path: Path) -> None:
    """Eleven entries were acknowledged; without the write-ahead log fewer are left."""
    path = str(tmp_path / "record.db")
    subprocess.run([sys.executable, "-c", KILLED, path], check=False, timeout=60)
    whole = SqliteStore(path)
    assert whole.loss() == ""
    whole.close()
    fill(path, 0)
    subprocess.run([sys.executable, "-c", KILLED, path], check=False, timeout=60)
    without_log(path)

    with pytest.raises(TamperedRecord, match="entry 22 was seen"):
        SqliteStore(path).append_now(RecordDraft(content={"n": 9}))


def test_a_running_process_remembers_without_the_file(path: str) -> None:
    """Who removes the file and cuts the record while a store is open is noticed."""
    store = SqliteStore(path)
    store.append_now(RecordDraft(content={"n": 5}))
    shutil.rmtree(Path(SeenHead(path).path).parent)
    with closing(sqlite3.connect(path)) as db, db:
        for name in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name[0]}")
        db.execute("DELETE FROM records WHERE seq > 4")
        db.execute("UPDATE head SET (seq, hash) = (SELECT seq, hash FROM records WHERE seq = 4)")

    with pytest.raises(TamperedRecord, match="entry 6 was seen"):
        store.append_now(RecordDraft(content={"n": 6}))
    store.close()


def test_what_only_grew_is_fine(path: str) -> None:
    """Other processes append, and a process that is killed leaves the file behind the record."""
    kept = Path(SeenHead(path).path)
    before = kept.read_bytes()
    store = SqliteStore(path)
    fill(path, 2)
    store.append_now(RecordDraft(content={"n": 9}))
    fill(path, 2)
    kept.write_bytes(before)
    store.append_now(RecordDraft(content={"n": 10}))

    assert (store.loss(), store.verify().count) == ("", 11)
    store.close()


def test_a_record_from_before_the_file_is_taken_as_it_is(path: str) -> None:
    """Without the file nothing was seen; a removed one accepts what a person restored."""
    rolled_back(path)
    os.unlink(SeenHead(path).path)
    store = SqliteStore(path)

    assert store.append_now(RecordDraft(content={"n": 9})).seq == 3
    store.close()


@pytest.mark.parametrize("text", [b"", b"garbage", b"1 2\n", b"x" * 86])
def test_a_damaged_file_is_an_error(path: str, text: bytes) -> None:
    """It is no reason to take the record for whole."""
    Path(SeenHead(path).path).write_bytes(text)
    store = SqliteStore(path)

    with pytest.raises(StoreError, match="is damaged"):
        store.append_now(RecordDraft(content={"n": 9}))
    store.close()


def test_folder_and_file_are_the_owners_alone(path: str) -> None:
    """Whatever the umask was."""
    file = Path(SeenHead(path).path)
    modes = [stat.S_IMODE(found.stat().st_mode) for found in (file, file.parent)]

    assert modes == [0o600, 0o700]


def test_a_new_file_is_there_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut must not leave it empty: that would refuse every call."""
    flushed: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda handle: flushed.append(os.fstat(handle).st_size))
    seen = SeenHead(str(tmp_path / "record.db"))
    for number in (1, 2, 3):
        seen.note(Head(seq=number, hash=bytes(32)))

    assert [86] == flushed
    assert 3 == seen.read().seq
    assert ["record.db.head"] == os.listdir(tmp_path / "seen")
