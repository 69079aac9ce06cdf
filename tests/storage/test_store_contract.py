"""What every store keeps: one suite over all of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from made_tables import made_address
from signoff.actions.action import Json
from signoff.actions.facts import Denial
from signoff.effects.store import RecordDraft, RecordEntry, SessionKey, SessionMemory, SessionUpdate
from signoff.errors import StoreError
from signoff.storage.chain import GENESIS, Head
from signoff.storage.group_commit import GroupCommit
from signoff.storage.memory import MemoryStore
from signoff.storage.postgresql.commit import FleetCommit
from signoff.storage.postgresql.link import StoreLink
from signoff.storage.postgresql.migrating import prepare
from signoff.storage.postgresql.record import PostgresRecord
from signoff.storage.sessions.session_history import MemoryLimits
from signoff.storage.sqlite import SqliteStore
from store_tenants import made_tenants, tenant_link

AnyStore: TypeAlias = "MemoryStore | SqliteStore | PostgresRecord | Grouped | Fleet"
KEY = SessionKey(agent="claude", session="s1")
LIMITS = MemoryLimits(sessions=3, functions=3, paths=4, denials=2, prune_every=1)


def in_memory(tmp_path: Path) -> AnyStore:
    """Make a store in memory."""
    return MemoryStore(limits=LIMITS)


def in_sqlite(tmp_path: Path) -> AnyStore:
    """Make a store in a file."""
    return SqliteStore(str(tmp_path / "state" / "record.db"), limits=LIMITS)


def grouped(tmp_path: Path) -> AnyStore:
    """Make a store in a file that commits in groups."""
    return Grouped(SqliteStore(str(tmp_path / "state" / "record.db"), limits=LIMITS))


def mirrored(tmp_path: Path) -> AnyStore:
    """Make the same with a reader beside, which keeps sessions in memory."""
    path = str(tmp_path / "state" / "record.db")
    return Grouped(SqliteStore(path, limits=LIMITS), reader=SqliteStore(path, limits=LIMITS))


def in_postgres(tmp_path: Path) -> AnyStore:
    """Make a node's record in a new database of a real PostgreSQL."""
    link = StoreLink(made_address(), prepare=prepare)
    return PostgresRecord(link, limits=LIMITS)


def committed(tmp_path: Path) -> AnyStore:
    """Make the same as a daemon uses it."""
    link = StoreLink(made_address(), prepare=prepare)
    return Fleet(PostgresRecord(link, limits=LIMITS))


def beside_a_tenant(tmp_path: Path) -> AnyStore:
    """Make the record of a tenant's node, beside the same node of another tenant."""
    tenants = made_tenants("payments", "search")
    other = PostgresRecord(tenant_link(tenants["search"]), limits=LIMITS)
    update = SessionUpdate(key=KEY, function="f", written=("/other",))
    other.append_now(RecordDraft(content={"of": "the other"}, session_update=update))
    other.close()
    return Fleet(PostgresRecord(tenant_link(tenants["payments"]), limits=LIMITS))


class Fleet(FleetCommit):
    """Group commit to PostgreSQL with the reading side of the record below."""

    def __init__(self, record: PostgresRecord) -> None:
        super().__init__(record)
        self.entries, self.head, self.verify = record.entries, record.head, record.verify


class Grouped(GroupCommit):
    """Group commit with the reading side of the store below."""

    def __init__(self, store: SqliteStore, *, reader: SqliteStore | None = None) -> None:
        super().__init__(store, reader=reader)
        self.entries, self.head, self.verify = store.entries, store.head, store.verify

    def close(self) -> None:
        """Let go of the file."""
        for store in (self.store, self.reader):
            if store is not None:
                store.close()


@pytest.fixture(
    params=[in_memory, in_sqlite, in_postgres, grouped, mirrored, committed, beside_a_tenant]
)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[AnyStore]:
    """Give each kind of store."""
    make: Callable[[Path], AnyStore] = request.param
    made = make(tmp_path)
    yield made
    made.close()


def append(
    store: AnyStore, session_update: SessionUpdate | None = None, **content: Json
) -> RecordEntry:
    """Append one entry."""
    return asyncio.run(store.append(RecordDraft(content=content, session_update=session_update)))


def learn(store: AnyStore, *, key: SessionKey = KEY, tool: str = "f", **more: object) -> None:
    """Append an entry with a lesson."""
    append(store, SessionUpdate(key=key, function=tool, **more))  # type: ignore[arg-type] # any of its fields


def recall(store: AnyStore, *, key: SessionKey = KEY, tool: str = "f") -> SessionMemory:
    """Return what is known of a session."""
    return asyncio.run(store.remembered(key, tool))


def test_entries_come_back_in_order(store: AnyStore) -> None:
    """What was appended is read as it was written."""
    appended = [append(store, n=n) for n in range(5)]

    assert appended == list(store.entries())


def test_a_part_of_the_entries_can_be_read(store: AnyStore) -> None:
    """First and last are both included."""
    appended = [append(store, n=n) for n in range(5)]

    assert appended[1:4] == list(store.entries(first=2, last=4))


def test_an_entry_names_its_place(store: AnyStore) -> None:
    """The bytes hold the number and the hash of the entry before."""
    first, second = append(store, n=1), append(store, n=2)

    assert first.prev == GENESIS
    assert {"n": 2, "prev": first.hash.hex(), "seq": 2} == json.loads(second.body)


def test_the_head_is_the_newest_entry(store: AnyStore) -> None:
    """An empty record has the genesis head."""
    assert Head() == store.head()

    entry = append(store, n=1)

    assert Head(seq=1, hash=entry.hash) == store.head()


def test_a_record_that_was_left_alone_verifies(store: AnyStore) -> None:
    """All entries are counted and none is wrong."""
    for n in range(20):
        append(store, n=n)

    result = store.verify()

    assert (result.ok, result.count, result.bad_seq, result.problem) == (True, 20, 0, "")


@pytest.mark.parametrize("value", [float("nan"), 2**60, "\ud800", "x" * 300_000])
def test_what_cannot_be_stored_is_refused_and_leaves_nothing(store: AnyStore, value: Json) -> None:
    """No canonical form, or too large: an error of ours, and the record goes on without it."""
    with pytest.raises(StoreError):
        append(store, value=value)

    assert append(store, n=1).seq == 1
    assert store.verify().ok


@pytest.mark.parametrize("text", ["a\nb", '"}\n{"verdict":"allow"', "\u2028\x00\x1b[2J", "\u202e"])
def test_one_entry_stays_one_entry(store: AnyStore, text: str) -> None:
    """No text in a record can look like another record."""
    append(store, text=text)

    assert [text] == [json.loads(entry.body)["text"] for entry in store.entries()]


def test_an_unknown_session_is_a_blank_page(store: AnyStore) -> None:
    """Nothing is known of a session before its first call."""
    assert SessionMemory() == recall(store)


def test_calls_are_counted_by_agent_session_and_function(store: AnyStore) -> None:
    """Another session, agent or function starts again."""
    learn(store)
    learn(store)

    others = [
        recall(store, key=SessionKey(agent="claude", session="s2")),
        recall(store, key=SessionKey(agent="codex", session="s1")),
        recall(store, tool="g"),
    ]

    assert (recall(store).prior_calls, [other.prior_calls for other in others]) == (2, [0, 0, 0])


def test_a_lesson_without_a_call_counts_none(store: AnyStore) -> None:
    """What was refused makes no function familiar."""
    learn(store, tool="")

    assert recall(store, tool="").prior_calls == 0


def test_what_a_session_did_is_remembered(store: AnyStore) -> None:
    """Paths by kind, and refusals."""
    denial = Denial(tool="Edit", target="/etc/passwd", category="destructive.system")
    learn(store, written=("/a", "/b"), downloaded=("/b",))
    learn(store, secrets_read=("/k",), denials=(denial,))

    assert recall(store) == SessionMemory(
        prior_calls=2,
        written=frozenset({"/a", "/b"}),
        downloaded=frozenset({"/b"}),
        secrets_read=frozenset({"/k"}),
        denials=(denial,),
    )


def test_without_a_session_nothing_is_remembered(store: AnyStore) -> None:
    """Calls that belong together by nothing but a missing name are kept apart."""
    nobody = SessionKey(agent="claude", session="")
    learn(store, key=nobody, written=("/a",))

    assert SessionMemory() == recall(store, key=nobody)


def test_the_oldest_paths_go_first(store: AnyStore) -> None:
    """At most four paths of a kind are kept; one seen again counts as new."""
    for path in ("/1", "/2", "/3", "/4", "/1", "/5"):
        learn(store, written=(path,))

    assert frozenset({"/3", "/4", "/1", "/5"}) == recall(store).written


def test_the_oldest_refusals_go_first(store: AnyStore) -> None:
    """At most two refusals are kept."""
    for target in ("/1", "/2", "/3"):
        learn(store, denials=(Denial(tool="t", target=target, category="c"),))

    assert [denial.target for denial in recall(store).denials] == ["/2", "/3"]


def test_the_sessions_not_seen_for_longest_are_forgotten(store: AnyStore) -> None:
    """At most three sessions are kept."""
    keys = [SessionKey(agent="a", session=f"s{n}") for n in range(4)]
    for key in [*keys[:3], keys[0], keys[3]]:
        learn(store, key=key)

    assert [recall(store, key=key).prior_calls for key in keys] == [2, 0, 1, 1]


def test_a_crowded_session_forgets_the_functions_called_least(store: AnyStore) -> None:
    """At most three functions are counted."""
    for tool in ("a", "a", "b", "b", "c", "c", "d"):
        learn(store, tool=tool)

    assert [recall(store, tool=tool).prior_calls for tool in "abcd"] == [2, 2, 2, 0]
