"""Sessions kept in memory: what any process recorded is seen by the next call."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from signoff.actions.facts import Denial
from signoff.effects.store import RecordDraft, SessionKey, SessionMemory, SessionUpdate
from signoff.errors import StoreError
from signoff.storage.chain import Head
from signoff.storage.group_commit import GroupCommit
from signoff.storage.sessions.session_cache import SIZE_LIMIT, SessionCache, SessionTransaction
from signoff.storage.sessions.session_history import MemoryLimits, SessionHistory
from signoff.storage.sqlite import SqliteStore

KEY = SessionKey(agent="", session="s1")
LIMITS = MemoryLimits()


class Counting(SqliteStore):
    """A store that counts the sessions read from it."""

    read = 0

    def past_now(self, key: SessionKey) -> tuple[Head, SessionHistory]:
        """Count and read."""
        self.read += 1
        return super().past_now(key)


class Two:
    """Group commit with a reader, and another process's store on the same file."""

    def __init__(self, path: str) -> None:
        self.writer, self.reader = SqliteStore(path), Counting(path)
        self.group = GroupCommit(self.writer, reader=self.reader)
        self.other = SqliteStore(path)


def learned(*, written: str = "", denied: str = "") -> RecordDraft:
    """Make a draft that teaches something of the session."""
    denials = (Denial(tool="Edit", target=denied, category="c"),) if denied else ()
    paths = (written,) if written else ()
    return RecordDraft(
        content={"n": 1},
        session_update=SessionUpdate(key=KEY, function="f", written=paths, denials=denials),
    )


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Two]:
    """Give both."""
    made = Two(str(tmp_path / "state" / "record.db"))
    yield made
    for store in (made.writer, made.reader, made.other):
        store.close()


def test_what_another_process_recorded_is_seen(two: Two) -> None:
    """Before, between and after entries of our own."""

    async def run() -> list[SessionMemory]:
        seen = []
        for written in ("/ours", "/theirs", "/ours again", "/theirs again"):
            store = two.other if "theirs" in written else two.group
            await store.append(learned(written=written))
            await asyncio.sleep(0)  # the next call comes by a socket
            seen.append(await two.group.remembered(KEY, "f"))
        return seen

    seen = asyncio.run(run())

    assert [known.prior_calls for known in seen] == [1, 2, 3, 4]
    assert seen[-1].written == {"/ours", "/theirs", "/ours again", "/theirs again"}


def test_what_was_recorded_here_is_read_once(two: Two) -> None:
    """Our own entries are followed in memory."""

    async def run() -> SessionMemory:
        for n in range(20):
            await two.group.remembered(KEY, "f")
            await two.group.append(learned(written=f"/{n}", denied=f"/{n}"))
        return await two.group.remembered(KEY, "f")

    known = asyncio.run(run())

    assert (two.reader.read, known) == (1, two.other.remembered_now(KEY, "f"))


def test_a_session_read_while_its_entry_is_stored_learns_it_once(two: Two) -> None:
    """Whether the look came before or after the commit."""

    async def run() -> list[int]:
        counts = []
        for n in range(1, 30):
            stored = asyncio.ensure_future(two.group.append(learned()))
            while not stored.done():
                two.group._cache.forget()  # as if somebody else had written
                await two.group.remembered(KEY, "f")
                await asyncio.sleep(0)
            counts.append((await two.group.remembered(KEY, "f")).prior_calls - n)
        return counts

    assert asyncio.run(run()) == [0] * 29


def test_callers_of_one_moment_share_a_look_and_the_next_ones_do_not(two: Two) -> None:
    """What is recorded while nobody asks is seen by whoever asks then."""

    async def run() -> list[int]:
        before = await asyncio.gather(*(two.group.remembered(KEY, "f") for _ in range(5)))
        two.other.append_now(learned())
        after = await asyncio.gather(*(two.group.remembered(KEY, "f") for _ in range(5)))
        return [known.prior_calls for known in (*before, *after)]

    assert asyncio.run(run()) == [0] * 5 + [1] * 5


def test_a_failed_batch_makes_all_be_read_anew(two: Two) -> None:
    """Whether it is in the record or not."""

    async def run() -> int:
        await two.group.remembered(KEY, "f")
        two.group.store.close()
        with pytest.raises(StoreError):
            await two.group.append(RecordDraft(content={"n": float("nan")}))
        two.other.append_now(learned())
        return (await two.group.remembered(KEY, "f")).prior_calls

    assert asyncio.run(run()) == 1


def test_a_mirror_that_is_full_drops_who_was_not_seen_for_longest() -> None:
    """It is bounded by what is kept, not only by how many."""
    mirror, keys = SessionCache(LIMITS), [SessionKey(agent="", session=str(n)) for n in range(3)]
    for key in keys:
        mirror.keep(key, SessionHistory(written={"x" * (SIZE_LIMIT // 3): None}), Head())

    assert [mirror.find(key) is not None for key in keys] == [False, True, True]


def test_a_step_from_a_head_that_is_not_ours_forgets_all() -> None:
    """Somebody wrote between two transactions of ours."""
    mirror, ours = SessionCache(LIMITS), Head()
    mirror.see(ours, None)
    mirror.keep(KEY, SessionHistory(), ours)

    theirs, after = Head(seq=1, hash=b"t" * 32), Head(seq=2, hash=b"o" * 32)
    mirror.follow(SessionTransaction(before=theirs, after=after), [])

    assert mirror.find(KEY) is None


def test_an_entry_of_ours_that_is_there_early_is_no_surprise() -> None:
    """It may be durable before those who wait for it are told."""
    mirror, step = (
        SessionCache(LIMITS),
        SessionTransaction(before=Head(), after=Head(seq=1, hash=b"o" * 32)),
    )
    mirror.see(step.before, None)
    mirror.keep(KEY, SessionHistory(), step.before)

    mirror.see(step.after, step)
    mirror.follow(step, [(1, SessionUpdate(key=KEY, function="f"))])

    kept = mirror.find(KEY)
    assert kept is not None
    assert kept.remembered("f").prior_calls == 1
