"""Asking people: what is approved runs once, and only if it is still what was approved."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from signoff.actions.action import Action
from signoff.assess.level import Level
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import BY_TIMEOUT, Answer
from signoff.challenge.channel import NobodyThere, OutcomeKind
from signoff.challenge.pending import PendingRequest, RequestState
from signoff.challenge.people.asking import PeopleChannel
from signoff.challenge.people.outcomes import EndedCall
from signoff.challenge.request import Request, WaitBudget
from signoff.challenge.terms.approver import Approver
from signoff.challenge.terms.plan import ApprovalPlan, ChannelTerms
from signoff.storage.bindings.operands import operands_of
from signoff.sync import run_now
from signoff.testing import (
    FakeAssessment,
    InMemoryApprovals,
    make_action,
    make_request,
    make_response,
)
from signoff.values import replace

NOW = ChannelTerms(name="fake")
Meanwhile = Callable[[InMemoryApprovals, PendingRequest], None]


@pytest.fixture
def approvals() -> InMemoryApprovals:
    """Give everything people are asked with; answers need no time."""
    return InMemoryApprovals(plan=ApprovalPlan(channels=(NOW,), review_s={}, proof_review_s={}))


def bash(command: str, cwd: Path, other: dict[str, str] | None = None) -> Request:
    """Return a request about a shell line."""
    action = Action(
        tool="Bash", arguments={"command": command}, cwd=str(cwd), agent="claude", session="s1"
    )
    return Request(
        action=replace(action, **other or {}),  # type: ignore[arg-type]  # fields of an action
        assessment=FakeAssessment(action=action, level=Level.MEDIUM),
    )


async def announced(approvals: InMemoryApprovals, count: int = 1) -> PendingRequest:
    """Wait until so many requests were announced; return the last."""
    async with asyncio.timeout(60):
        while len(approvals.channel.announced) < count:
            await asyncio.sleep(0.005)
    return approvals.channel.announced[-1]


def ask(
    approvals: InMemoryApprovals,
    request: Request,
    *,
    verdict: Verdict = Verdict.ALLOW,
    meanwhile: Meanwhile | None = None,
) -> Answer | None:
    """Ask, and answer as soon as the card is there; `meanwhile` happens after the answer."""

    async def both() -> Answer | None:
        waiting = asyncio.create_task(approvals.asking().ask(request))
        pending = await announced(approvals, len(approvals.channel.announced) + 1)
        await approvals.approval_service.answer(make_response(pending, verdict=verdict))
        if meanwhile is not None:
            meanwhile(approvals, pending)
        return await waiting

    return asyncio.run(both())


def state(approvals: InMemoryApprovals) -> RequestState:
    """Return where the request announced last stands."""
    found = run_now(approvals.store.get(approvals.channel.announced[-1].id))
    assert found is not None
    return found.state


def test_an_approval_lets_the_call_run(approvals: InMemoryApprovals) -> None:
    """With who gave it, and it is used up then."""
    answer = ask(approvals, make_request())

    assert answer is not None
    assert (answer.verdict, answer.decided_by, answer.who) == (Verdict.ALLOW, "fake", "ada")
    assert answer.request_id == approvals.channel.announced[-1].id
    assert state(approvals) is RequestState.EXECUTING


def test_a_refusal_stops_it(approvals: InMemoryApprovals) -> None:
    """On the channel it was given."""
    answer = ask(approvals, make_request(), verdict=Verdict.DENY)

    assert answer is not None
    assert (answer.verdict, answer.decided_by, state(approvals)) == (
        Verdict.DENY,
        "fake",
        RequestState.DENIED,
    )


def test_silence_is_no(approvals: InMemoryApprovals) -> None:
    """T-31: decided by nobody."""

    async def wait() -> Answer | None:
        waiting = asyncio.create_task(approvals.asking().ask(make_request()))
        await announced(approvals)
        approvals.clock.pass_(300)
        return await waiting

    answer = asyncio.run(wait())

    assert answer is not None
    assert (answer.verdict, answer.decided_by, answer.who) == (Verdict.DENY, BY_TIMEOUT, "")
    assert state(approvals) is RequestState.EXPIRED


def test_a_wait_that_ends_leaves_the_request_open(approvals: InMemoryApprovals) -> None:
    """And the same call finds the answer that came meanwhile, without another card."""
    first = approvals.ask(make_request())
    approvals.answer(make_response(approvals.channel.announced[-1]))

    second = approvals.ask(make_request())

    assert [answer.verdict for answer in (first, second) if answer] == [
        Verdict.DENY,
        Verdict.ALLOW,
    ]
    assert len(approvals.channel.announced) == 1


def test_an_approval_is_used_once(approvals: InMemoryApprovals) -> None:
    """T-33: two calls that wait for the same answer: one of them runs, the other is asked for."""

    async def twice() -> list[Verdict]:
        approvals.plan = replace(approvals.plan, answer_s=0.5)
        asking = approvals.asking()
        calls = [asyncio.create_task(asking.ask(make_request())) for _ in range(2)]
        await approvals.approval_service.answer(make_response(await announced(approvals)))
        pending = await announced(approvals, 2)
        await approvals.approval_service.answer(make_response(pending, verdict=Verdict.DENY))
        return sorted(answer.verdict.value for answer in await asyncio.gather(*calls) if answer)  # type: ignore[misc]  # their names sort

    assert asyncio.run(twice()) == ["allow", "deny"]


@pytest.mark.parametrize(
    "other",
    [
        {"arguments": {"command": "rm a b"}},
        {"cwd": "/elsewhere"},
        {"session": "s2"},
        {"agent": "another"},
        {"tool": "Shell"},
        {"environment": "production"},
    ],
)
def test_an_approval_is_for_one_call_only(
    approvals: InMemoryApprovals, tmp_path: Path, other: dict[str, str]
) -> None:
    """T-33: other arguments, folder, session, agent or tool are another request."""
    approvals.ask(bash("rm a", tmp_path))
    approvals.answer(make_response(approvals.channel.announced[-1]))

    answer = approvals.ask(bash("rm a", tmp_path, other))

    assert answer is not None
    assert (answer.verdict, len(approvals.channel.announced)) == (Verdict.DENY, 2)


def test_other_rules_are_another_request(approvals: InMemoryApprovals) -> None:
    """T-33: an approval under yesterday's policy is none under today's."""
    request = make_request()
    approvals.ask(request)
    approvals.answer(make_response(approvals.channel.announced[-1]))
    assessment = replace(request.assessment, policy_digest="1" * 64)  # type: ignore[type-var]  # a fake, which is a dataclass

    approvals.ask(Request(action=request.action, assessment=assessment))

    assert len(approvals.channel.announced) == 2


def rewritten(file: Path) -> None:
    """Write something else into the file."""
    file.write_text("rm -rf ~\n")


def replaced(file: Path) -> None:
    """Put another file of the same content in its place."""
    other = file.with_name("other")
    other.write_bytes(file.read_bytes())
    other.replace(file)


def removed(file: Path) -> None:
    """Remove the file."""
    file.unlink()


def turned(file: Path) -> None:
    """Turn it into a link to something else."""
    other = file.with_name("other")
    other.write_text("echo other\n")
    file.unlink()
    file.symlink_to(other)


@pytest.mark.parametrize("change", [rewritten, replaced, removed, turned])
@pytest.mark.parametrize("line", ["bash ./run.sh", "cat run.sh", "env X=1 sh {folder}/run.sh"])
def test_a_file_that_changes_after_the_approval_voids_it(
    approvals: InMemoryApprovals, tmp_path: Path, line: str, change: Callable[[Path], None]
) -> None:
    """T-34: it is hashed again at use."""
    approvals.operands = operands_of
    script = tmp_path / "run.sh"
    script.write_text("echo hello\n")

    answer = ask(
        approvals,
        bash(line.format(folder=tmp_path), tmp_path),
        meanwhile=lambda _, __: change(script),
    )

    assert answer is not None
    assert (answer.verdict, state(approvals)) == (Verdict.DENY, RequestState.EXPIRED)
    assert "has changed meanwhile" in answer.words


def test_a_link_that_is_turned_voids_the_approval(
    approvals: InMemoryApprovals, tmp_path: Path
) -> None:
    """T-34: what it leads to is what was approved."""
    approvals.operands = operands_of
    for name in ("good.sh", "bad.sh"):
        (tmp_path / name).write_text(f"echo {name}\n")
    link = tmp_path / "run.sh"
    link.symlink_to("good.sh")

    def turn(_: InMemoryApprovals, __: PendingRequest) -> None:
        link.unlink()
        link.symlink_to("bad.sh")

    answer = ask(approvals, bash("bash run.sh", tmp_path), meanwhile=turn)

    assert answer is not None
    assert answer.verdict is Verdict.DENY


def test_a_file_that_stays_keeps_the_approval(approvals: InMemoryApprovals, tmp_path: Path) -> None:
    """T-34: the positive control of the above."""
    approvals.operands = operands_of
    (tmp_path / "run.sh").write_text("echo hello\n")

    answer = ask(approvals, bash("bash ./run.sh", tmp_path))

    assert answer is not None
    assert answer.verdict is Verdict.ALLOW


def test_a_row_that_says_approved_approves_nothing(approvals: InMemoryApprovals) -> None:
    """T-43: whoever can write the database has no key."""

    async def forge() -> Answer | None:
        waiting = asyncio.create_task(approvals.asking().ask(make_request()))
        pending = await announced(approvals)
        with approvals.database.writing() as db:
            db.execute(
                "INSERT INTO given VALUES"
                " (?, 0, 'ada', 'fake', 'allow', 'confirm', '', 9, 0, 0, ?)",
                (pending.id, "f" * 64),
            )
            db.execute("UPDATE requests SET state = 'approved', decided_by = 'ada'")
        return await waiting

    answer = asyncio.run(forge())

    assert answer is not None
    assert (answer.verdict, state(approvals)) == (Verdict.DENY, RequestState.EXPIRED)
    assert "not given to signoff as it runs now" in answer.words


def test_the_answer_of_another_request_approves_nothing(approvals: InMemoryApprovals) -> None:
    """T-43: a sealed answer is copied to a request of the same call."""
    ask(approvals, make_request())
    used = approvals.channel.announced[-1].id

    async def copy() -> Answer | None:
        waiting = asyncio.create_task(approvals.asking().ask(make_request()))
        pending = await announced(approvals, 2)
        with approvals.database.writing() as db:
            db.execute(
                "INSERT INTO given SELECT ?, step, approver, channel, verdict, proof, words,"
                " took_s, was_fast, at_s, seal FROM given WHERE request_id = ?",
                (pending.id, used),
            )
            db.execute("UPDATE requests SET state = 'approved' WHERE id = ?", (pending.id,))
        return await waiting

    answer = asyncio.run(copy())

    assert answer is not None
    assert answer.verdict is Verdict.DENY


def test_a_first_part_that_was_forged_is_no_part(approvals: InMemoryApprovals) -> None:
    """T-43: two people are two, not one and a row."""
    approvals.ask(make_request(level=Level.CRITICAL))
    pending = approvals.channel.announced[-1]
    with approvals.database.writing() as db:
        db.execute(
            "INSERT INTO given VALUES (?, 0, 'bob', 'fake', 'allow', 'teach-back', '', 9, 0, 0, ?)",
            (pending.id, "f" * 64),
        )
    found = run_now(approvals.store.get(pending.id))
    assert found is not None

    assert approvals.answer(make_response(found)).kind is OutcomeKind.NOT_ALLOWED
    assert state(approvals) is RequestState.EXPIRED
    assert len(approvals.ledger.alarms.told()) == 1


def test_with_nobody_there_nothing_is_left_behind(approvals: InMemoryApprovals) -> None:
    """The next one on the ladder is asked."""
    approvals.channel.error = NobodyThere()

    assert approvals.ask(make_request()) is None
    assert run_now(approvals.store.listed(RequestState.PENDING)) == ()


def test_without_channels_nobody_is_asked(approvals: InMemoryApprovals) -> None:
    """Not even for a moment."""
    asking = approvals.asking()
    alone = replace(asking, announcer=replace(asking.announcer, channels=()))

    assert run_now(alone.ask(make_request())) is None


def test_a_channel_that_is_down_keeps_the_request_open(approvals: InMemoryApprovals) -> None:
    """T-40: others can still answer it."""
    approvals.channel.error = OSError("no route")

    answer = approvals.ask(make_request())

    assert answer is not None
    assert (answer.verdict, len(run_now(approvals.store.listed(RequestState.PENDING)))) == (
        Verdict.DENY,
        1,
    )


def with_follower(
    approvals: InMemoryApprovals, then: Callable[[PendingRequest], Awaitable[None]]
) -> None:
    """Ask in a loop that goes on, as in a daemon; do something while it does."""

    async def run() -> None:
        waiting = asyncio.create_task(approvals.asking().ask(make_request()))
        pending = await announced(approvals)
        await then(pending)
        await waiting

    asyncio.run(run())


def test_cards_are_brought_up_to_date(approvals: InMemoryApprovals) -> None:
    """Whichever channel it was answered on."""

    async def answer(pending: PendingRequest) -> None:
        await approvals.approval_service.answer(make_response(pending, channel="web"))

    with_follower(approvals, answer)

    assert [one.decided_by for one in approvals.channel.updated] == ["ada"]


def test_a_second_group_is_told_later(approvals: InMemoryApprovals) -> None:
    """On the same channels, with both groups named."""
    approvals.people = (Approver(id="ada", groups=("team", "leads")),)
    approvals.plan = replace(
        approvals.plan, first_group="team", second_group="leads", escalate_s=120
    )

    async def wait(pending: PendingRequest) -> None:
        approvals.clock.pass_(121)
        again = await announced(approvals, 2)
        await approvals.approval_service.answer(make_response(again))

    with_follower(approvals, wait)

    assert [one.groups for one in approvals.channel.announced] == [("team",), ("team", "leads")]


def test_the_next_channel_is_told_when_the_first_had_its_time(approvals: InMemoryApprovals) -> None:
    """And not before."""
    approvals.plan = replace(approvals.plan, channels=(ChannelTerms(name="web", timeout_s=60), NOW))

    async def late() -> None:
        waiting = asyncio.create_task(approvals.asking().ask(make_request()))
        async with asyncio.timeout(60):
            while not await approvals.store.listed(RequestState.PENDING):
                await asyncio.sleep(0.005)
        await asyncio.sleep(0.1)
        assert approvals.channel.announced == []
        approvals.clock.pass_(61)
        pending = await announced(approvals)
        await approvals.approval_service.answer(make_response(pending))
        await waiting

    asyncio.run(late())


def test_after_a_restart_open_requests_are_followed_again(approvals: InMemoryApprovals) -> None:
    """T-41: their cards end as they should, and what was executing is reported."""
    ask(approvals, make_request())
    approvals.ask(make_request(action=make_action("another")))

    async def restart() -> tuple[PendingRequest, ...]:
        people: PeopleChannel = approvals.asking()
        uncertain = await people.resume()
        await approvals.approval_service.answer(make_response(approvals.channel.announced[-1]))
        async with asyncio.timeout(60):
            while [one.state for one in approvals.channel.updated[-2:]] != [
                RequestState.UNCERTAIN,
                RequestState.APPROVED,
            ]:
                await asyncio.sleep(0.005)
        return uncertain

    uncertain = asyncio.run(restart())

    assert [one.state for one in uncertain] == [RequestState.UNCERTAIN]


@pytest.mark.parametrize("expected", [RequestState.DONE, RequestState.FAILED])
def test_what_came_of_a_call_is_noted(approvals: InMemoryApprovals, expected: RequestState) -> None:
    """Once."""
    answer = ask(approvals, make_request())
    assert answer is not None
    has_failed = expected is RequestState.FAILED
    noted = [
        run_now(approvals.asking().finish(answer.request_id, has_failed=has_failed))
        for _ in range(2)
    ]

    assert (noted, state(approvals)) == ([True, False], expected)


@pytest.mark.parametrize(("user", "is_noted"), [("ada", True), ("bob", False), ("da", False)])
def test_nobody_ends_the_call_of_another_user(
    approvals: InMemoryApprovals, user: str, *, is_noted: bool
) -> None:
    """On a service sessions carry the name of their user."""
    request = make_request()
    answer = ask(approvals, replace(request, action=replace(request.action, session="s1@ada")))
    assert answer is not None

    assert is_noted == run_now(approvals.asking().finish(answer.request_id, user=user))
    assert state(approvals) == (RequestState.DONE if is_noted else RequestState.EXECUTING)


def ended(**changed: object) -> EndedCall:
    """Return the report of the call that `make_request` asks about."""
    action = make_action(user_id="usr_123", env="production")
    plain = EndedCall(host=action.source, session=action.session, tool=action.tool)
    return replace(plain, **changed)  # type: ignore[arg-type]  # fields of a report


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        (ended(arguments={"user_id": "usr_123", "env": "production"}), RequestState.DONE),
        (ended(arguments={"user_id": "usr_123", "env": "production"}, has_failed=True), "failed"),
        (ended(arguments={"user_id": "usr_124", "env": "production"}), RequestState.EXECUTING),
        (ended(arguments={"user_id": "usr_123", "env": "production"}, session="x"), "executing"),
        (ended(), RequestState.EXECUTING),
        (ended(call_id="toolu_9"), RequestState.EXECUTING),
    ],
)
def test_a_report_is_for_one_call(
    approvals: InMemoryApprovals, report: EndedCall, expected: str
) -> None:
    """By what it was, where the host gives calls no id; in its own session only."""
    ask(approvals, make_request())

    has_noted = run_now(approvals.asking().outcomes.reported(report))

    assert (has_noted, state(approvals)) == (expected != RequestState.EXECUTING, expected)


def test_of_two_like_calls_one_has_ended(approvals: InMemoryApprovals) -> None:
    """The one that was let go first."""
    for _ in range(2):
        ask(approvals, make_request())
        approvals.clock.pass_(1)
    report = ended(arguments={"user_id": "usr_123", "env": "production"})
    run_now(approvals.asking().outcomes.reported(report))

    found = run_now(approvals.store.listed(RequestState.EXECUTING, RequestState.DONE))

    assert [one.state for one in found] == [RequestState.EXECUTING, RequestState.DONE]


def test_the_oldest_of_many_calls_has_ended(approvals: InMemoryApprovals) -> None:
    """More run at once than a page of requests holds."""
    first = ask(approvals, make_request())
    assert first is not None
    for number in range(101):
        approvals.clock.pass_(1)
        ask(approvals, make_request(action=make_action(user_id=f"usr_{number}x")))

    assert run_now(
        approvals.asking().outcomes.reported(
            ended(arguments={"user_id": "usr_123", "env": "production"})
        )
    )
    pending = run_now(approvals.store.get(first.request_id))
    assert pending is not None
    assert pending.state is RequestState.DONE


@pytest.mark.parametrize(("after_s", "expected"), [(3_500, "executing"), (3_700, "uncertain")])
def test_what_is_not_heard_of_is_uncertain(
    approvals: InMemoryApprovals, after_s: int, expected: str
) -> None:
    """Not every host says what came of a call; its card says that nobody knows."""
    ask(approvals, make_request())
    approvals.clock.pass_(after_s)

    run_now(approvals.asking().outcomes.give_up())

    assert state(approvals) == expected
    assert (approvals.channel.updated[-1].state == expected) is (expected == "uncertain")


def test_nobody_waits_beyond_their_patience(approvals: InMemoryApprovals) -> None:
    """The request stays open."""
    request = replace(make_request(), patience=WaitBudget(until=time.monotonic() + 0.05))

    answer = run_now(approvals.asking().ask(request))

    assert answer is not None
    assert ("call it again later" in answer.words, state(approvals)) == (True, RequestState.PENDING)


def test_what_is_approved_after_the_caller_went_is_not_used_up(
    approvals: InMemoryApprovals,
) -> None:
    """It is there for the same call."""

    async def goes(*, first: asyncio.Event) -> None:
        await first.wait()

    async def leave() -> Answer | None:
        gone = asyncio.Event()
        patience = WaitBudget(gone=lambda: goes(first=gone))
        waiting = asyncio.create_task(
            approvals.asking().ask(replace(make_request(), patience=patience))
        )
        pending = await announced(approvals)
        gone.set()
        answer = await waiting
        await approvals.approval_service.answer(make_response(pending))
        return answer

    answer = asyncio.run(leave())

    assert answer is not None
    assert (answer.verdict, "went away" in answer.words) == (Verdict.DENY, True)
    assert state(approvals) is RequestState.APPROVED
    again = approvals.ask(make_request())
    assert again is not None
    assert again.verdict is Verdict.ALLOW


def test_a_waiting_request_is_in_the_store_and_not_in_memory(
    approvals: InMemoryApprovals, tmp_path: Path
) -> None:
    """Thousands can wait: what a card shows is read again when somebody looks."""

    def held() -> set[int]:
        gc.collect()
        return {id(one) for one in gc.get_objects() if type(one) is PendingRequest}

    async def waiting() -> Answer | None:
        before = held()
        asking = asyncio.create_task(approvals.asking().ask(bash("make", tmp_path)))
        nonce = (await announced(approvals)).nonce
        approvals.channel.announced.clear()
        async with asyncio.timeout(60):
            while not held() <= before:
                await asyncio.sleep(0.01)
        pending = await approvals.store.by_nonce(nonce)
        assert pending is not None
        await approvals.approval_service.answer(make_response(pending))
        return await asking

    answer = asyncio.run(waiting())

    assert answer is not None
    assert answer.verdict is Verdict.ALLOW
