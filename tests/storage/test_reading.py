"""Reading the record back."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from signoff.effects.store import RecordDraft
from signoff.errors import TamperedRecord
from signoff.storage.memory import MemoryStore
from signoff.storage.reading import BLOCK, content_of, stats, tail
from signoff.storage.sqlite import SqliteStore
from signoff.values import replace

COUNT = BLOCK * 2 + 7


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MemoryStore | SqliteStore]:
    """Give a record of several blocks: every third entry is a refusal."""
    made = MemoryStore() if request.param == "memory" else SqliteStore(str(tmp_path / "s" / "r.db"))
    count = COUNT if request.param == "memory" else 30

    async def fill() -> None:
        for n in range(1, count + 1):
            verdict = "allow" if n % 3 else "deny"
            await made.append(RecordDraft(content={"n": n, "verdict": verdict}))

    asyncio.run(fill())
    yield made
    made.close()


def test_the_tail_is_the_newest_entries_the_newest_last(store: MemoryStore | SqliteStore) -> None:
    """As many as were asked for."""
    newest = store.head().seq

    assert [content["n"] for content in tail(store, 3)] == [newest - 2, newest - 1, newest]


def test_the_tail_can_be_of_one_kind(store: MemoryStore | SqliteStore) -> None:
    """However far back they lie."""
    newest = store.head().seq
    numbers = [content["n"] for content in tail(store, 10_000, where={"verdict": "deny"})]

    assert numbers == list(range(3, newest + 1, 3))


def test_a_record_shorter_than_the_tail_comes_whole(store: MemoryStore | SqliteStore) -> None:
    """And one that nothing matches comes empty."""
    assert len(tail(store, 10**6)) == store.head().seq
    assert tail(store, 5, where={"verdict": "maybe"}) == []


def test_entries_are_counted_by_field(store: MemoryStore | SqliteStore) -> None:
    """A field that is not there counts as empty."""
    newest = store.head().seq
    counts = stats(store, ("verdict", "agent"))

    assert counts["verdict"] == {"deny": newest // 3, "allow": newest - newest // 3}
    assert counts["agent"] == {"": newest}


@pytest.mark.parametrize("body", [b"", b"[]", b"\xff", b"[" * 100_000])
def test_what_is_no_entry_is_named(body: bytes) -> None:
    """With its number."""
    store = MemoryStore()
    entry = asyncio.run(store.append(RecordDraft(content={})))

    with pytest.raises(TamperedRecord) as tampered:
        content_of(replace(entry, body=body))

    assert tampered.value.seq == 1
