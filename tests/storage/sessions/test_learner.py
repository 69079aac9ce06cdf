"""What sessions did is learnt by few writes, and still right whoever else writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from signoff.effects.store import RecordDraft, SessionKey, SessionUpdate
from signoff.errors import StoreError
from signoff.storage.sessions.session_history import MemoryLimits
from signoff.storage.sqlite import SqliteStore

EVERY = 8


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Name a record."""
    return str(tmp_path / "state" / "record.db")


@pytest.fixture
def store(path: str) -> Iterator[SqliteStore]:
    """Return a store that keeps two sessions."""
    made = SqliteStore(path, limits=MemoryLimits(sessions=2, prune_every=EVERY))
    yield made
    made.close()


def call(session: str) -> RecordDraft:
    """Make a draft of a call in a session."""
    return RecordDraft(
        session_update=SessionUpdate(key=SessionKey(agent="", session=session), function="f")
    )


def calls(store: SqliteStore, session: str) -> int:
    """Return how many calls are remembered."""
    return store.remembered_now(SessionKey(agent="", session=session), "f").prior_calls


def seen(path: str) -> list[int]:
    """Return at which entries sessions are said to be seen."""
    with closing(sqlite3.connect(path)) as db:
        return [row[0] for row in db.execute("SELECT last_seq FROM sessions ORDER BY id")]


def test_every_call_is_counted_and_the_session_marked_now_and_then(
    store: SqliteStore, path: str
) -> None:
    """Once in as many records as there are between two prunings."""
    marked = []
    for _ in range(2 * EVERY):
        store.append_now(call("s"))
        marked += seen(path)

    assert [1] * EVERY + [1 + EVERY] * EVERY == marked
    assert 2 * EVERY == calls(store, "s")


def test_a_session_that_another_process_pruned_begins_anew(store: SqliteStore, path: str) -> None:
    """Its row is not the one that was known here."""
    other = SqliteStore(path, limits=MemoryLimits(sessions=2, prune_every=1))
    store.append_now(call("s"))
    for name in ("a", "b", "c"):
        other.append_now(call(name))
    other.close()
    store.append_now(call("s"))

    assert (1, 1) == (calls(store, "s"), calls(store, "c"))


def test_a_session_that_is_pruned_here_begins_anew(store: SqliteStore) -> None:
    """Nothing is counted for a row that is gone."""
    store.append_now(call("s"))
    for number in range(2, EVERY + 1):
        store.append_now(call(f"s{number}"))
    gone = calls(store, "s")
    store.append_now(call("s"))

    assert (0, 1) == (gone, calls(store, "s"))


def test_a_session_of_a_failed_batch_begins_anew(store: SqliteStore, path: str) -> None:
    """Its row was rolled back with the entry."""
    store.append_now(call("other"))
    with closing(sqlite3.connect(path)) as db:
        db.execute(
            "CREATE TRIGGER full BEFORE UPDATE ON head BEGIN SELECT RAISE(ABORT, 'full'); END"
        )
        with pytest.raises(StoreError):
            store.append_now(call("s"))
        db.execute("DROP TRIGGER full")
    store.append_now(call("another"))
    store.append_now(call("s"))

    assert [1, 1] == [calls(store, "s"), calls(store, "another")]
