"""What the store on disk keeps beyond the contract: privacy, many writers, kills, failing disks."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from signoff.effects.store import RecordDraft, RecordEntry
from signoff.errors import StoreError, TamperedRecord
from signoff.storage import sqlite
from signoff.storage.reading import content_of
from signoff.storage.sqlite import SqliteStore

ROOT = Path(__file__).parents[2]


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Name a record that is not there yet."""
    return str(tmp_path / "state" / "record.db")


@pytest.fixture
def store(path: str) -> Iterator[SqliteStore]:
    """Give an empty store."""
    made = SqliteStore(path, busy_timeout_s=20)
    yield made
    made.close()


def append(store: SqliteStore, **content: int | str) -> RecordEntry:
    """Append one entry."""
    return store.append_now(RecordDraft(content=content))


def append_many(path: str, name: str, count: int) -> None:
    """Append from a process of its own."""
    store = SqliteStore(path, busy_timeout_s=20)
    for number in range(count):
        append(store, name=name, number=number)
    store.close()


def change(path: str, statement: str, *values: object) -> None:
    """Change the file behind the store's back, with the triggers out of the way."""
    db = sqlite3.connect(path)
    db.execute("DROP TRIGGER IF EXISTS records_are_never_changed")
    db.execute("DROP TRIGGER IF EXISTS records_are_never_deleted")
    db.execute("DROP TRIGGER IF EXISTS records_only_grow")
    db.execute(statement, values)
    db.commit()
    db.close()


def test_folder_and_files_are_the_owners_alone(store: SqliteStore, path: str) -> None:
    """Folder 0700; record, log and index 0600."""
    append(store, n=1)
    folder = Path(path).parent

    modes = {stat.S_IMODE(file.stat().st_mode) for file in folder.glob("record.db*")}

    assert (stat.S_IMODE(folder.stat().st_mode), modes) == (0o700, {0o600})


def test_an_open_file_is_closed_to_others(path: str) -> None:
    """A record that others could read is theirs no more once it is used."""
    store = SqliteStore(path)
    append(store, n=1)
    store.close()
    os.chmod(path, 0o644)

    append(store, n=2)
    store.close()

    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


def test_a_link_is_no_record(path: str, tmp_path: Path) -> None:
    """Nothing is written through a link somebody has laid."""
    Path(path).parent.mkdir()
    os.symlink(tmp_path / "elsewhere.db", path)

    with pytest.raises(StoreError, match="no ordinary file"):
        append(SqliteStore(path), n=1)


def test_every_commit_is_flushed_to_the_disk(store: SqliteStore) -> None:
    """WAL with full synchronisation, and no mapped memory."""
    with store._connection() as db:
        found = [
            db.execute(f"PRAGMA {name}").fetchone()
            for name in ("journal_mode", "synchronous", "mmap_size")
        ]

    assert found == [("wal",), (2,), (0,)]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE records SET body = x'00'",
        "DELETE FROM records",
        "INSERT OR REPLACE INTO records SELECT seq, x'00', prev, hash, leaf FROM records",
        "INSERT INTO records SELECT seq + 1, body, prev, hash, leaf FROM records",
    ],
)
def test_the_file_itself_refuses_changes_and_forks(
    store: SqliteStore, path: str, statement: str
) -> None:
    """No row is changed or deleted, and no two follow the same one."""
    append(store, n=1)
    db = sqlite3.connect(path)

    with pytest.raises(sqlite3.IntegrityError):
        db.execute(statement)
    db.close()

    assert store.verify().ok


def test_several_processes_append_to_one_chain(path: str) -> None:
    """Four writers, every entry there once, no fork."""
    spawn = multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=append_many, args=(path, f"w{n}", 50)) for n in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    store = SqliteStore(path)
    names = [json.loads(entry.body)["name"] for entry in store.entries()]
    result = store.verify()
    store.close()

    assert (result.ok, result.count) == (True, 200)
    assert {name: names.count(name) for name in set(names)} == dict.fromkeys(
        ["w0", "w1", "w2", "w3"], 50
    )


def test_several_threads_append_to_one_chain(store: SqliteStore) -> None:
    """One store may be shared by threads."""
    threads = [
        threading.Thread(target=lambda: [append(store, n=n) for n in range(20)]) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert store.verify().count == 80


def test_a_fork_opens_the_record_anew(store: SqliteStore, path: str) -> None:
    """A child does not write through its parent's connection."""
    code = (
        "import os, sys\n"
        "from signoff.effects.store import RecordDraft\n"
        "from signoff.storage.sqlite import SqliteStore\n"
        "store = SqliteStore(sys.argv[1])\n"
        "store.append_now(RecordDraft(content={'by': 'parent'}))\n"
        "child = os.fork()\n"
        "store.append_now(RecordDraft(content={'by': 'child' if child == 0 else 'parent'}))\n"
        "os._exit(0) if child == 0 else os.waitpid(child, 0)\n"
        "store.append_now(RecordDraft(content={'by': 'parent'}))\n"
    )
    subprocess.run([sys.executable, "-c", code, path], check=True)

    assert (store.verify().ok, store.verify().count) == (True, 4)


def test_no_acknowledged_entry_is_lost_by_kill() -> None:
    """Thirty times two writers are killed at random; what they promised is there."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "kill_loop.py"), "--cycles", "30"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("30 cycles, ")
    assert ", 0 lost, " in done.stdout


def test_the_kill_loop_notices_a_promise_made_too_early() -> None:
    """Positive control: writers that promise before they append are caught."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "kill_loop.py"), "--cycles", "10", "--control"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, ", 0 lost, " in done.stdout) == (1, False)


def test_a_locked_record_is_an_error_within_the_time_limit(path: str) -> None:
    """Somebody else holds the write lock: refused, and fine again afterwards."""
    store = SqliteStore(path, busy_timeout_s=0.1)
    append(store, n=1)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(StoreError, match="locked"):
        append(store, n=2)
    other.execute("ROLLBACK")
    other.close()

    assert append(store, n=3).seq == 2
    store.close()


def test_a_damaged_schema_is_an_error_of_ours(path: str) -> None:
    """SQLite quotes the damaged bytes, which are no UTF-8."""
    store = SqliteStore(path)
    append(store, n=1)
    store.close()
    whole = Path(path).read_bytes()
    assert whole.count(b"tablecallscalls") == 1
    whole = whole.replace(b"tablecallscalls", b"table\xe5allscalls")
    Path(path).write_bytes(whole.replace(b"CREATE TABLE calls", b"CREATE FABLE calls"))

    with pytest.raises(StoreError):
        SqliteStore(path).head()


@pytest.mark.parametrize("column", ["body", "leaf", "hash"])
def test_a_damaged_row_is_seen(path: str, column: str) -> None:
    """A single bit of a row's head can turn a column into another type."""
    store = SqliteStore(path)
    append(store, n=1)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '')")
        db.execute("DELETE FROM sqlite_schema WHERE type = 'trigger'")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"UPDATE records SET {column} = NULL")

    result = store.verify()
    assert (False, 1) == (result.ok, result.bad_seq)
    if column == "body":
        with pytest.raises(TamperedRecord):
            content_of(next(store.entries()))
    if column == "leaf":
        with pytest.raises(StoreError, match="damaged"):
            next(store.leaves())
    store.close()


def test_a_file_that_is_no_record_is_an_error_for_good(path: str) -> None:
    """Nothing is written over it, now or later."""
    Path(path).parent.mkdir()
    Path(path).write_text("this is no database at all, but long enough to be looked at" * 100)
    store = SqliteStore(path)

    for _ in range(2):
        with pytest.raises(StoreError):
            append(store, n=1)

    assert Path(path).read_text().startswith("this is no database")


def test_after_a_failing_disk_the_file_is_read_afresh(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not at once: a later commit that succeeds would prove nothing about the failed one."""
    monkeypatch.setattr(sqlite, "RECOVER_AFTER_S", 0.2)
    append(store, n=1)
    fail(store, sqlite3.SQLITE_IOERR_FSYNC)
    before = store._own.opened()

    with pytest.raises(StoreError, match="failed before"):
        append(store, n=2)
    time.sleep(0.2)
    append(store, n=3)

    assert before is not store._own.opened()
    assert store.verify().ok


@pytest.mark.parametrize("code", [sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB])
def test_a_damaged_file_takes_a_restart(
    store: SqliteStore, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not mend by itself."""
    monkeypatch.setattr(sqlite, "RECOVER_AFTER_S", 0.0)
    append(store, n=1)
    fail(store, code)

    with pytest.raises(StoreError, match="restart"):
        append(store, n=2)


def test_what_lost_entries_meanwhile_stays_refused(
    store: SqliteStore, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-62: a disk that came back without what was acknowledged is not written on."""
    monkeypatch.setattr(sqlite, "RECOVER_AFTER_S", 0.0)
    append(store, n=1)
    head = store.head()
    append(store, n=2)
    fail(store, sqlite3.SQLITE_IOERR_WRITE)
    change(path, "DELETE FROM records WHERE seq = 2")
    change(path, "UPDATE head SET seq = ?, hash = ?", head.seq, head.hash)

    for _ in range(2):
        with pytest.raises(StoreError, match="entries were removed"):
            append(store, n=3)


def fail(store: SqliteStore, code: int) -> None:
    """Let the disk fail under a store."""
    failure = sqlite3.OperationalError("disk I/O error")
    failure.sqlite_errorcode = code
    with pytest.raises(StoreError, match="disk I/O error"), store._connection():
        raise failure


def test_a_file_of_the_first_version_is_written_on(path: str) -> None:
    """It has an index more and is as good."""
    old = SqliteStore(path)
    first = old.append_now(RecordDraft(content={"n": 1}))
    old.close()
    change(path, "PRAGMA user_version = 1")
    change(path, "CREATE UNIQUE INDEX by_prev ON records (prev)")

    store = SqliteStore(path)
    second = store.append_now(RecordDraft(content={"n": 2}))

    assert (second.prev, store.verify().ok) == (first.hash, True)
    store.close()


def test_a_record_of_another_version_is_left_alone(store: SqliteStore, path: str) -> None:
    """A newer signoff's file is not guessed at."""
    append(store, n=1)
    store.close()
    change(path, "PRAGMA user_version = 99")

    with pytest.raises(StoreError, match="version 99"):
        append(store, n=2)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM records WHERE seq = 3",
        "UPDATE head SET seq = 2",
        "UPDATE head SET hash = zeroblob(32)",
        "UPDATE records SET hash = zeroblob(32) WHERE seq = 3",
        "DELETE FROM head",
    ],
)
def test_nothing_is_appended_to_an_end_that_does_not_add_up(
    store: SqliteStore, path: str, statement: str
) -> None:
    """Whoever cut the record off or moved its head gets no new entries on top."""
    for n in range(3):
        append(store, n=n)
    change(path, statement)

    with pytest.raises(TamperedRecord):
        asyncio.run(store.append(RecordDraft(content={"n": 4})))


@pytest.mark.parametrize("column", ["body", "prev", "hash", "leaf"])
@pytest.mark.parametrize("seq", [1, 2, 3])
def test_a_changed_column_is_found_where_it_is(
    store: SqliteStore, path: str, column: str, seq: int
) -> None:
    """The first entry that is wrong is named."""
    for n in range(3):
        append(store, n=n)
    db = sqlite3.connect(path)
    (old,) = db.execute(f"SELECT {column} FROM records WHERE seq = ?", (seq,)).fetchone()
    db.close()
    change(
        path, f"UPDATE records SET {column} = ? WHERE seq = ?", old[:-1] + bytes([old[-1] ^ 1]), seq
    )

    assert (store.verify().ok, store.verify().bad_seq) == (False, seq)


@pytest.mark.parametrize(
    ("statement", "bad_seq"),
    [
        ("DELETE FROM records WHERE seq = 2", 2),
        ("DELETE FROM records WHERE seq = 3", 3),
        ("DELETE FROM records", 1),
        ("INSERT INTO records VALUES (4, x'7b7d', x'01', x'02', x'03')", 4),
        ("UPDATE records SET seq = 9 WHERE seq = 2", 2),
        ("UPDATE head SET seq = 2", 4),
        ("UPDATE head SET hash = zeroblob(32)", 4),
    ],
)
def test_rows_gone_added_or_moved_are_found(
    store: SqliteStore, path: str, statement: str, bad_seq: int
) -> None:
    """Whole rows cannot come, go or move without a trace."""
    for n in range(3):
        append(store, n=n)
    change(path, statement)

    assert (store.verify().ok, store.verify().bad_seq) == (False, bad_seq)


def test_on_a_full_disk_nothing_is_promised_and_nothing_breaks(path: str) -> None:
    """A file that may not grow: the first append that fails says so, the rest adds up."""
    code = (
        "import resource, signal, sys\n"
        "from signoff.effects.store import RecordDraft\n"
        "from signoff.errors import StoreError\n"
        "from signoff.storage.sqlite import SqliteStore\n"
        "store = SqliteStore(sys.argv[1])\n"
        "store.append_now(RecordDraft(content={'n': 0}))\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))\n"
        "done = 1\n"
        "try:\n"
        "    for done in range(1, 1000):\n"
        "        store.append_now(RecordDraft(content={'n': done, 'text': 'x' * 2000}))\n"
        "except StoreError:\n"
        "    print(done)\n"
    )
    out = subprocess.run(
        [sys.executable, "-c", code, path], capture_output=True, text=True, check=True
    )

    promised = int(out.stdout)
    result = SqliteStore(path).verify()
    assert result.ok
    assert 1 < promised <= result.count < 1000


@pytest.mark.parametrize("is_replaced", [False, True])
def test_nothing_is_written_to_a_file_that_is_gone(path: str, *, is_replaced: bool) -> None:
    """Removed or replaced under our hands: refused for good."""
    store = SqliteStore(path)
    append(store, n=1)
    os.rename(path, f"{path}.away")
    if is_replaced:
        Path(path).write_bytes(b"")

    for _ in range(2):
        with pytest.raises(StoreError):
            append(store, n=2)
    store.close()


def test_checking_the_record_does_not_hold_up_writers(store: SqliteStore) -> None:
    """A check goes through a connection of its own."""
    for n in range(3):
        append(store, n=n)

    with store._connection():
        outcome: list[bool] = []
        checking = threading.Thread(target=lambda: outcome.append(store.verify().ok))
        checking.start()
        checking.join(timeout=60)
        assert outcome == [True]
