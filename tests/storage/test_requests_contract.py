"""What every store of pending requests keeps: one suite over all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from made_tables import made_address
from signoff.assess.level import Challenge, Level
from signoff.challenge.card import Argument, Card
from signoff.challenge.pending import (
    ARROWS,
    Context,
    Given,
    NewRequest,
    PendingRequest,
    RequestState,
    Settlement,
    TooManyWaiting,
    WaitingLimits,
)
from signoff.challenge.terms.step import ProofKind, ProofStep, Question
from signoff.errors import StoreError
from signoff.storage.approvals.database import IN_MEMORY, Database
from signoff.storage.approvals.ports import RequestStore
from signoff.storage.approvals.requests import SqliteRequests
from signoff.storage.postgresql.approvals.requests import PostgresRequests
from signoff.storage.postgresql.approvals.tables import RequestTables
from signoff.storage.postgresql.link import StoreLink
from signoff.storage.postgresql.migrating import prepare
from signoff.testing import FakeClock
from signoff.values import replace
from store_tenants import made_tenants, tenant_link

HOUR = 3_600.0
YEAR = 365 * 24 * HOUR
START_S = FakeClock().now.wall_s
CARD = Card(
    headline="delete file ~",
    level=Level.HIGH,
    challenge=Challenge.QUIZ,
    why="deletes",
    arguments=(Argument(name="command", lines=("rm -rf ~", "echo \\u{202E}")),),
)
STEP = ProofStep(
    kind=ProofKind.QUIZ,
    questions=(Question(text="What?", choices=("a", "b"), right=1),),
    min_review_s=10,
)


@pytest.fixture
def clock() -> FakeClock:
    """Give a clock."""
    return FakeClock()


def in_memory(tmp_path: Path, clock: FakeClock) -> SqliteRequests:
    """Make a store in memory."""
    return SqliteRequests(Database(IN_MEMORY), clock=clock)


def in_file(tmp_path: Path, clock: FakeClock) -> SqliteRequests:
    """Make a store in a file."""
    return SqliteRequests(Database(str(tmp_path / "state" / "approvals.db")), clock=clock)


def in_postgres(tmp_path: Path, clock: FakeClock) -> PostgresRequests:
    """Make a store in a database that nodes share."""
    link = StoreLink(made_address(), prepare=prepare)
    return PostgresRequests(RequestTables(link), clock=clock)


def beside_a_tenant(tmp_path: Path, clock: FakeClock) -> PostgresRequests:
    """Make the store of a tenant, beside one of another tenant in which the same is asked."""
    tenants = made_tenants("payments", "search")
    other = PostgresRequests(RequestTables(tenant_link(tenants["search"])), clock=clock)
    for number in range(3):
        asyncio.run(other.open(new(f"other{number}", digest=f"d{number}")))
    other.close()
    return PostgresRequests(RequestTables(tenant_link(tenants["payments"])), clock=clock)


@pytest.fixture(params=[in_memory, in_file, in_postgres, beside_a_tenant])
def store(
    request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock
) -> Iterator[RequestStore]:
    """Give each kind of store."""
    make: Callable[[Path, FakeClock], RequestStore] = request.param
    made = make(tmp_path, clock)
    yield made
    made.close()


@pytest.fixture(params=[in_memory, in_file])
def local_store(
    request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock
) -> Iterator[SqliteRequests]:
    """Give each kind of store that goes by the clocks of one machine."""
    make: Callable[[Path, FakeClock], SqliteRequests] = request.param
    made = make(tmp_path, clock)
    yield made
    made.close()


def new(id: str = "r1", *, digest: str = "d1", ttl_s: float = 300.0) -> NewRequest:
    """Return what is to be asked."""
    return NewRequest(
        id=id,
        nonce=f"nonce-{id}",
        digest=digest,
        action=b"{}",
        card=CARD,
        level=Level.HIGH,
        challenge=Challenge.QUIZ,
        steps=(STEP,),
        context=Context(agent="claude", session="s1", tool="Bash"),
        ttl_s=ttl_s,
        verifier="v",
    )


def asked(store: RequestStore, request: NewRequest | None = None) -> PendingRequest:
    """Open a request."""
    return asyncio.run(store.open(request or new()))


def settle(
    store: RequestStore,
    to: RequestState,
    *,
    id: str = "r1",
    digest: str = "d1",
    step: int = 0,
    approver: str = "ada",
) -> bool:
    """Answer a request."""
    verdict = "deny" if to is RequestState.DENIED else "allow"
    given = Given(step=step, approver=approver, channel="web", verdict=verdict, seal="s")
    return asyncio.run(store.settle(id, Settlement(given=given, to=to, words="w"), digest=digest))


def move(store: RequestStore, to: RequestState, start: RequestState, *, digest: str = "") -> bool:
    """Move the request."""
    return asyncio.run(store.move("r1", to, start=start, digest=digest))


def state(store: RequestStore, id: str = "r1") -> RequestState:
    """Return where a request stands."""
    found = asyncio.run(store.get(id))
    assert found is not None
    return found.state


def test_a_request_comes_back_as_it_was_kept(store: RequestStore) -> None:
    """Every part of it, and its time limit."""
    kept = asked(store)

    assert asyncio.run(store.get("r1")) == kept == asyncio.run(store.by_nonce("nonce-r1"))
    assert (kept.card, kept.steps, kept.level) == (CARD, (STEP,), Level.HIGH)
    assert kept.context == Context(agent="claude", session="s1", tool="Bash")
    assert (kept.expires_at - kept.created_at).total_seconds() == 300
    assert (kept.state, kept.answers, kept.next_step) == (RequestState.PENDING, (), STEP)


def test_typed_arguments_are_kept_until_the_call_has_ended(store: RequestStore) -> None:
    """An approver may have typed a secret."""
    asked(store)
    given = Given(step=0, approver="ada", channel="web", verdict="allow")
    settled = Settlement(given=given, to=RequestState.APPROVED, edited=b'{"command":"tulip"}')

    assert asyncio.run(store.settle("r1", settled, digest="d1"))
    assert move(store, RequestState.EXECUTING, RequestState.APPROVED)
    running = asyncio.run(store.get("r1"))
    assert move(store, RequestState.DONE, RequestState.EXECUTING)
    ended = asyncio.run(store.get("r1"))

    assert running is not None
    assert ended is not None
    assert (b'{"command":"tulip"}', b"") == (running.edited, ended.edited)


def test_what_is_not_there_is_not_found(store: RequestStore) -> None:
    """Neither by id nor by nonce."""
    assert asyncio.run(store.get("r1")) is None
    assert asyncio.run(store.by_nonce("x")) is None


@pytest.mark.parametrize("to", [RequestState.APPROVED, RequestState.DENIED])
def test_an_answer_settles_a_request(store: RequestStore, to: RequestState) -> None:
    """With who gave it, where, and the words."""
    asked(store)

    assert settle(store, to)
    found = asyncio.run(store.get("r1"))
    assert found is not None
    assert (found.state, found.decided_by, found.channel, found.words) == (to, "ada", "web", "w")
    assert [given.approver for given in found.answers] == ["ada"]


@pytest.mark.parametrize("second", [RequestState.APPROVED, RequestState.DENIED])
@pytest.mark.parametrize("first", [RequestState.APPROVED, RequestState.DENIED])
def test_who_comes_second_changes_nothing(
    store: RequestStore, first: RequestState, second: RequestState
) -> None:
    """T-32: whatever the two answers are."""
    asked(store)

    assert [settle(store, first), settle(store, second, approver="bob")] == [True, False]
    assert state(store) is first


def test_an_answer_for_another_digest_is_none(store: RequestStore) -> None:
    """T-33: an approval is bound."""
    asked(store)

    assert not settle(store, RequestState.APPROVED, digest="d2")
    assert state(store) is RequestState.PENDING


@pytest.mark.parametrize(
    ("offset_s", "expected"),
    [(-0.001, RequestState.APPROVED), (0.0, RequestState.EXPIRED), (0.001, RequestState.EXPIRED)],
)
def test_an_answer_counts_until_the_time_is_over(
    store: RequestStore, clock: FakeClock, offset_s: float, expected: RequestState
) -> None:
    """T-31: one millisecond before, at, and after."""
    asked(store)
    clock.pass_(300 + offset_s)

    assert settle(store, RequestState.APPROVED) is (expected is RequestState.APPROVED)
    assert state(store) is expected


def test_an_approval_is_used_once(store: RequestStore) -> None:
    """T-33: the second claim is lost."""
    asked(store)
    settle(store, RequestState.APPROVED)

    claims = [
        move(store, RequestState.EXECUTING, RequestState.APPROVED, digest="d1") for _ in range(2)
    ]

    assert claims == [True, False]


def test_an_approval_is_not_used_for_another_digest(store: RequestStore) -> None:
    """T-33: it stays unused."""
    asked(store)
    settle(store, RequestState.APPROVED)

    assert not move(store, RequestState.EXECUTING, RequestState.APPROVED, digest="d2")
    assert state(store) is RequestState.APPROVED


def test_an_approval_is_used_within_a_minute(store: RequestStore, clock: FakeClock) -> None:
    """However long the request might have been answered."""
    asked(store)
    settle(store, RequestState.APPROVED)
    clock.pass_(60)

    assert not move(store, RequestState.EXECUTING, RequestState.APPROVED, digest="d1")
    assert state(store) is RequestState.EXPIRED


def test_every_other_way_is_no_way(store: RequestStore) -> None:
    """The store refuses a change of state that is no arrow."""
    asked(store)
    ways = {(start, to) for start, ends in ARROWS.items() for to in ends}

    for to in RequestState:
        if (RequestState.PENDING, to) not in ways and to is not RequestState.PENDING:
            with pytest.raises(StoreError, match="does not go that way"):
                move(store, to, RequestState.PENDING)
    assert state(store) is RequestState.PENDING


def test_after_a_restart_what_was_executing_is_uncertain(store: RequestStore) -> None:
    """It is reported and never run again; the rest stays."""
    asked(store)
    settle(store, RequestState.APPROVED)
    move(store, RequestState.EXECUTING, RequestState.APPROVED)
    asked(store, new("r2", digest="d2"))

    assert [one.id for one in asyncio.run(store.recover())] == ["r1"]
    assert (state(store), state(store, "r2")) == (RequestState.UNCERTAIN, RequestState.PENDING)
    assert not move(store, RequestState.EXECUTING, RequestState.APPROVED, digest="d1")


def test_the_same_question_is_asked_once(store: RequestStore) -> None:
    """T-44: whoever asks it again while it is open, approved or just denied, joins it."""
    first = asked(store)

    assert asked(store, new("r2")).id == first.id
    settle(store, RequestState.DENIED)
    assert asked(store, new("r3")).state is RequestState.DENIED


def test_another_state_of_the_log_is_the_same_question(tmp_path: Path, clock: FakeClock) -> None:
    """After a restart the audit log has grown; the request that is open is joined all the same."""
    first, second = in_file(tmp_path, clock), in_file(tmp_path, clock)
    asked(first, replace(new(), card=replace(CARD, log="1 aaaa")))

    joined = asked(second, replace(new("r2"), card=replace(CARD, log="2 bbbb")))
    other = asked(second, replace(new("r3", digest="d3"), card=replace(CARD, why="writes")))

    assert ("r1", "r3") == (joined.id, other.id)
    first.database.close()
    second.database.close()


def test_a_refusal_holds_for_a_minute(store: RequestStore, clock: FakeClock) -> None:
    """After that the same call is asked about again."""
    asked(store)
    settle(store, RequestState.DENIED)
    clock.pass_(61)

    assert asked(store, new("r2")).id == "r2"


def test_a_used_approval_is_not_joined(store: RequestStore) -> None:
    """The same call is asked about again."""
    asked(store)
    settle(store, RequestState.APPROVED)
    move(store, RequestState.EXECUTING, RequestState.APPROVED)

    assert asked(store, new("r2")).id == "r2"


def test_two_people_give_two_steps(store: RequestStore) -> None:
    """In turn, and the same person not twice."""
    asked(store, replace(new(), steps=(STEP, STEP)))

    assert settle(store, RequestState.PENDING)
    assert not settle(store, RequestState.PENDING, approver="bob")  # that step was given
    assert not settle(store, RequestState.APPROVED, step=1)  # the same person again
    assert settle(store, RequestState.APPROVED, step=1, approver="bob")
    assert state(store) is RequestState.APPROVED


def test_what_somebody_saw_and_missed_is_kept(store: RequestStore, clock: FakeClock) -> None:
    """From the first look on."""
    asked(store)
    assert asyncio.run(store.seen_s("r1", "ada")) is None
    assert asyncio.run(store.shown("r1", "ada")) == 0
    clock.pass_(7)

    assert asyncio.run(store.shown("r1", "ada")) == 7
    assert [asyncio.run(store.missed("r1", "ada")) for _ in range(2)] == [1, 2]
    assert [asyncio.run(store.misses("r1", who)) for who in ("ada", "bob")] == [2, 0]


def told(store: SqliteRequests) -> tuple[str, ...]:
    """Return the alarms since the start."""
    return store.ledger.alarms.told()


@pytest.mark.parametrize("jump_s", [HOUR, 10 * YEAR, 4e9 - START_S])
def test_a_clock_that_jumps_ahead_changes_nothing(
    local_store: SqliteRequests, clock: FakeClock, jump_s: float
) -> None:
    """T-46: the clock nobody can set counts, also beyond 2038."""
    asked(local_store)
    clock.set_wall(jump_s)

    assert state(local_store) is RequestState.PENDING
    clock.pass_(301)
    assert state(local_store) is RequestState.EXPIRED


@pytest.mark.parametrize("jump_s", [-10.0, -HOUR, -10 * YEAR])
def test_a_clock_that_jumps_back_ends_everything(
    store: RequestStore, clock: FakeClock, jump_s: float
) -> None:
    """T-46: and then things can be asked again."""
    asked(store)
    asked(store, new("r2", digest="d2"))
    settle(store, RequestState.APPROVED, id="r2", digest="d2")
    clock.set_wall(jump_s)

    assert [state(store), state(store, "r2")] == [RequestState.EXPIRED, RequestState.EXPIRED]
    assert asked(store, new("r3")).state is RequestState.PENDING
    assert settle(store, RequestState.APPROVED, id="r3")


def test_a_time_that_nobody_noted_ends_everything_and_is_told(
    local_store: SqliteRequests, clock: FakeClock
) -> None:
    """T-61: who can write the file ends what is open, and not unseen."""
    asked(local_store)
    with local_store.database.writing() as db:
        db.execute("UPDATE clock SET highest_wall = highest_wall + 3600")

    assert state(local_store) is RequestState.EXPIRED
    assert ["the file is one that nobody noted" in text for text in told(local_store)] == [True]
    assert asked(local_store, new("r3")).state is RequestState.PENDING
    assert state(local_store, "r3") is RequestState.PENDING


def test_a_time_that_is_edited_while_nothing_is_open_is_told(local_store: SqliteRequests) -> None:
    """T-61: and what is asked next does not end by it."""
    asyncio.run(local_store.sweep())
    with local_store.database.writing() as db:
        db.execute("UPDATE clock SET highest_wall = 4e9")

    assert asked(local_store).state is RequestState.PENDING
    assert state(local_store) is RequestState.PENDING
    assert len(told(local_store)) == 1


def test_a_clock_that_is_set_back_is_no_edit(local_store: SqliteRequests, clock: FakeClock) -> None:
    """The control: whoever sets the machine's clock changed no file of signoff."""
    asked(local_store)
    clock.set_wall(-HOUR)

    assert state(local_store) is RequestState.EXPIRED
    assert told(local_store) == ()


def test_a_time_from_before_the_start_is_no_edit(local_store: SqliteRequests) -> None:
    """The control: the clock may have been set back while nothing of signoff ran."""
    with local_store.database.writing() as db:
        db.execute("UPDATE clock SET highest_wall = 4e9")

    assert asked(local_store).state is RequestState.PENDING
    assert told(local_store) == ()


def test_a_clock_set_right_by_a_little_is_no_jump(store: RequestStore, clock: FakeClock) -> None:
    """T-46: a step of NTP."""
    asked(store)
    clock.set_wall(-1)

    assert settle(store, RequestState.APPROVED)


@pytest.mark.parametrize(
    ("after_s", "expected"), [(200.0, RequestState.PENDING), (400.0, RequestState.EXPIRED)]
)
def test_over_a_restart_of_the_machine_the_wall_clock_counts(
    local_store: SqliteRequests, clock: FakeClock, after_s: float, expected: RequestState
) -> None:
    """T-46: the other clock has restarted."""
    asked(local_store)
    clock.reboot(after_s=after_s)

    assert state(local_store) is expected


def test_what_is_over_is_swept(store: RequestStore, clock: FakeClock) -> None:
    """And named once."""
    asked(store)
    clock.pass_(301)

    assert [asyncio.run(store.sweep()) for _ in range(2)] == [("r1",), ()]


def test_requests_are_listed_by_state_newest_first(store: RequestStore, clock: FakeClock) -> None:
    """All of them, if no state is named."""
    for number in (1, 2, 3):
        asked(store, new(f"r{number}", digest=f"d{number}"))
        clock.pass_(1)
    settle(store, RequestState.DENIED, id="r2", digest="d2")

    listed = [
        [one.id for one in asyncio.run(store.listed(*states))]
        for states in [(RequestState.PENDING,), (RequestState.DENIED, RequestState.APPROVED), ()]
    ]

    assert listed == [["r3", "r1"], ["r2"], ["r3", "r2", "r1"]]


def test_who_waits_wakes_at_once(store: RequestStore) -> None:
    """As soon as it is answered, in this process."""

    async def wait() -> float:
        await store.open(new())
        loop = asyncio.get_running_loop()
        waiting = loop.create_task(store.wait("r1", timeout_s=20, while_in=RequestState.PENDING))
        await asyncio.sleep(0.02)
        given = Given(step=0, approver="ada", channel="web", verdict="allow")
        answered = loop.time()
        await store.settle("r1", Settlement(given=given, to=RequestState.APPROVED), digest="d1")
        found = await waiting
        assert found is not None
        assert found.state is RequestState.APPROVED
        return loop.time() - answered

    assert asyncio.run(wait()) < 10


def test_a_wait_that_ends_is_no_answer(store: RequestStore) -> None:
    """The request stays open."""
    asked(store)
    found = asyncio.run(store.wait("r1", timeout_s=0.01, while_in=RequestState.PENDING))

    assert found is not None
    assert found.state is RequestState.PENDING


def test_one_session_takes_no_room_from_another(tmp_path: Path, clock: FakeClock) -> None:
    """T-58: past its bound a session is refused; what waits, of it and of others, goes on."""
    room = WaitingLimits(overall=4, per_session=2)
    store = SqliteRequests(Database(str(tmp_path / "approvals.db")), clock=clock, room=room)

    def opened(id: str, session: str) -> str:
        of = Context(host="codex", session=session)
        try:
            asyncio.run(store.open(replace(new(id, digest=id), context=of)))
        except TooManyWaiting as error:
            return str(error)
        return "open"

    floods = [opened(f"a{number}", "flood") for number in range(3)]
    others = [opened("b1", "b"), opened("c1", "c"), opened("d1", "d")]
    settle(store, RequestState.DENIED, id="b1", digest="b1")
    later = opened("d2", "d")

    assert ["open", "open"] == floods[:2]
    assert "2 calls of this session wait for people already" in floods[2]
    assert ["open", "open"] == others[:2]
    assert "4 calls wait for people already (`limits.waiting`)" in others[2]
    assert ("open", RequestState.PENDING) == (later, state(store, "a0"))


def test_the_same_call_finds_its_request_where_there_is_no_more_room(
    tmp_path: Path, clock: FakeClock
) -> None:
    """It takes no room of its own."""
    store = SqliteRequests(Database(), clock=clock, room=WaitingLimits(overall=1, per_session=1))
    asked(store)

    assert "r1" == asyncio.run(store.open(new("r2"))).id


def test_an_answer_in_another_process_wakes_who_waits(tmp_path: Path, clock: FakeClock) -> None:
    """Settled, and given a first of two answers: each is seen without asking for it."""
    path = str(tmp_path / "approvals.db")
    here = SqliteRequests(Database(path), clock=clock)
    elsewhere = SqliteRequests(Database(path), clock=clock)

    async def steps() -> list[tuple[RequestState, int]]:
        for id in ("r1", "r2", "r3"):
            await here.open(new(id, digest=id))
        waiting = [
            asyncio.create_task(
                here.wait(id, timeout_s=20, while_in=RequestState.PENDING, answers=0)
            )
            for id in ("r1", "r2", "r3")
        ]
        await asyncio.sleep(0.1)
        given = Given(step=0, approver="ada", channel="web", verdict="allow")
        for id, to in (("r1", RequestState.APPROVED), ("r2", RequestState.PENDING)):
            await elsewhere.settle(id, Settlement(given=given, to=to), digest=id)
        found = [await asyncio.wait_for(one, 60) for one in waiting[:2]]
        clock.pass_(301)
        found.append(await asyncio.wait_for(waiting[2], 60))
        return [(one.state, len(one.answers)) for one in found if one is not None]

    assert [
        (RequestState.APPROVED, 1),
        (RequestState.PENDING, 1),
        (RequestState.EXPIRED, 0),
    ] == asyncio.run(steps())


def test_waiting_asks_the_file_no_more_often_for_many(local_store: SqliteRequests) -> None:
    """The statements of a second are the same for one that waits and for a hundred."""

    async def statements(count: int) -> int:
        for number in range(count):
            await local_store.open(replace(new(f"w{number}", digest=f"w{number}")))
        tasks = [
            asyncio.create_task(
                local_store.wait(f"w{number}", timeout_s=20, while_in=RequestState.PENDING)
            )
            for number in range(count)
        ]
        await asyncio.sleep(0.2)
        seen: list[str] = []
        with local_store.database.reading() as db:
            db.set_trace_callback(seen.append)
        await asyncio.sleep(0.5)
        with local_store.database.reading() as db:
            db.set_trace_callback(None)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return len(seen)

    one = asyncio.run(statements(1))

    assert 0 < one < 100
    assert asyncio.run(statements(100)) < 2 * one
