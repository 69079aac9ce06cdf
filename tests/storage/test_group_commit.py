"""Group commit: everybody's own entry is durable, and failures stay with those they belong to."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from signoff.effects.store import RecordDraft, RecordEntry
from signoff.errors import StoreError
from signoff.storage.commits.batches import BATCH_LIMIT
from signoff.storage.group_commit import GroupCommit
from signoff.storage.sqlite import SqliteStore


class Counting(SqliteStore):
    """A store that counts transactions, and fails the first ones if it is told to."""

    def __init__(self, path: str, *, failures: int = 0) -> None:
        super().__init__(path)
        self.sizes: list[int] = []
        self.failures = failures

    def append_batch(self, drafts: Sequence[RecordDraft]) -> list[RecordEntry | StoreError]:
        """Count, then store or fail."""
        self.sizes.append(len(drafts))
        if self.failures:
            self.failures -= 1
            raise OSError("unplugged")
        return super().append_batch(drafts)


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Name a record."""
    return str(tmp_path / "state" / "record.db")


def append_together(
    store: GroupCommit, drafts: Sequence[RecordDraft]
) -> list[RecordEntry | BaseException]:
    """Append from many callers at the same moment."""

    async def run() -> list[RecordEntry | BaseException]:
        return await asyncio.gather(*map(store.append, drafts), return_exceptions=True)

    return asyncio.run(run())


def test_callers_that_wait_together_share_a_commit(path: str) -> None:
    """Far fewer transactions than entries, and all entries there."""
    store = Counting(path)
    stored = append_together(
        GroupCommit(store), [RecordDraft(content={"n": n}) for n in range(600)]
    )

    numbers = [json.loads(entry.body)["n"] for entry in store.entries()]
    result = store.verify()
    store.close()
    assert (len(stored), sorted(numbers), result.ok) == (600, list(range(600)), True)
    assert (max(store.sizes), len(store.sizes)) == (BATCH_LIMIT, 3)


def test_everybody_gets_the_entry_that_is_theirs(path: str) -> None:
    """Not somebody else's of the same batch."""
    store = Counting(path)
    stored = append_together(GroupCommit(store), [RecordDraft(content={"n": n}) for n in range(20)])
    store.close()

    assert [json.loads(e.body)["n"] for e in stored if isinstance(e, RecordEntry)] == list(
        range(20)
    )


def test_a_draft_that_cannot_be_stored_fails_alone(path: str) -> None:
    """Its neighbours are stored."""
    store = Counting(path)
    drafts = [RecordDraft(content={"n": value}) for value in (1, float("nan"), 3)]
    first, second, third = append_together(GroupCommit(store), drafts)

    assert isinstance(second, StoreError)
    assert [e.seq for e in (first, third) if isinstance(e, RecordEntry)] == [1, 2]
    assert store.verify().ok
    store.close()


def test_a_failure_of_the_disk_is_heard_by_all_who_waited_and_nobody_else(path: str) -> None:
    """Those who come later are stored."""
    store = Counting(path, failures=1)
    group = GroupCommit(store)

    failed = append_together(group, [RecordDraft(content={"n": n}) for n in range(3)])
    (stored,) = append_together(group, [RecordDraft(content={"n": 4})])
    store.close()

    assert [type(error) for error in failed] == [StoreError] * 3
    assert isinstance(stored, RecordEntry)


def test_a_caller_that_goes_away_leaves_the_others_waiting_well(path: str) -> None:
    """Its entry may be stored; theirs are."""
    store = Counting(path)
    group = GroupCommit(store)

    async def run() -> RecordEntry:
        gone = asyncio.ensure_future(group.append(RecordDraft(content={"n": 1})))
        stays = asyncio.ensure_future(group.append(RecordDraft(content={"n": 2})))
        await asyncio.sleep(0)
        gone.cancel()
        return await stays

    entry = asyncio.run(run())
    store.close()

    assert json.loads(entry.body)["n"] == 2


def test_what_keeps_decisions_from_being_recorded_is_told_until_it_is_over(path: str) -> None:
    """A record that lost entries, and a commit that failed; the next good one ends it."""

    async def commit(store: GroupCommit) -> None:
        await store.append(RecordDraft(content={"n": 1}))

    store = GroupCommit(SqliteStore(path, busy_timeout_s=0.1), reader=SqliteStore(path))
    asyncio.run(commit(store))
    assert store.problem() == ""

    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError):
        asyncio.run(commit(store))
    assert "locked" in store.problem()
    other.execute("ROLLBACK")
    other.close()
    asyncio.run(commit(store))
    assert store.problem() == ""

    store.store.close()
    assert store.reader is not None
    store.reader.close()
    os.truncate(path, 0)
    assert "was seen in it before" in store.problem()
