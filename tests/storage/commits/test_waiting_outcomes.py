"""Outcomes of calls on their way into the audit log: none is lost, and none told twice."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path

from signoff.effects.store import RecordDraft
from signoff.errors import StoreError
from signoff.storage.commits.waiting_outcomes import (
    ENTRY_LIMIT,
    WAITING_LIMIT,
    OutcomeResult,
    RecordedOutcome,
    WaitingOutcomes,
    outcomes_of,
    result_of,
)
from signoff.storage.group_commit import GroupCommit
from signoff.storage.sqlite import SqliteStore


def filled(n: int) -> WaitingOutcomes:
    """Return so many outcomes that wait."""
    waiting = WaitingOutcomes()
    for number in range(n):
        waiting.add(RecordedOutcome(of=f"d{number}", at="", result=OutcomeResult.RAN))
    return waiting


def test_the_next_entries_take_them_in(tmp_path: Path) -> None:
    """As many as an entry has room for, each once."""
    store = SqliteStore(str(tmp_path / "record.db"))
    commit = GroupCommit(store, outcomes=filled(ENTRY_LIMIT + 3))

    async def day() -> None:
        for n in range(3):
            await commit.append(RecordDraft(content={"n": n}))

    asyncio.run(day())
    contents = [json.loads(entry.body) for entry in store.entries()]
    store.close()

    assert [ENTRY_LIMIT, 3, 0] == [len(one.get("outcomes", ())) for one in contents]
    assert ENTRY_LIMIT + 3 == len(outcomes_of(contents))


def test_what_could_not_be_written_goes_on_waiting(tmp_path: Path) -> None:
    """The record is locked by somebody else: the outcome stands in the entry after that."""
    path = str(tmp_path / "record.db")
    store = SqliteStore(path, busy_timeout_s=0.05)
    commit = GroupCommit(store, outcomes=filled(1))

    async def append() -> bool:
        try:
            await commit.append(RecordDraft(content={}))
        except StoreError:
            return False
        return True

    store.head()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert not asyncio.run(append())
    assert asyncio.run(append())
    (content,) = [json.loads(entry.body) for entry in store.entries()]
    store.close()

    assert {"d0": "ran"} == outcomes_of((content,))


def test_they_are_bounded_and_survive_a_process() -> None:
    """The oldest are dropped, also while an entry with them is written."""
    waiting = filled(WAITING_LIMIT)
    under_way = waiting.next()
    waiting.add(RecordedOutcome(of="new", at="", result=OutcomeResult.FAILED))
    waiting.written(under_way)
    other = WaitingOutcomes()
    other.load(waiting.encode())

    assert f"d{ENTRY_LIMIT}" == waiting.next()[0].of
    assert waiting.next() == other.next()


def test_a_call_without_an_outcome_was_not_seen() -> None:
    """A denied call has none."""
    known = {"d1": "ran"}

    assert "ran" == result_of({"verdict": "allow", "id": "d1"}, known)
    assert "not seen" == result_of({"verdict": "ask", "id": "d2"}, known)
    assert "" == result_of({"verdict": "deny", "id": "d1"}, known)
