"""The main path: what leaves the gate, whatever happens inside."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.assess.assessed import Assessed
from signoff.assess.level import Level
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import BY_MODEL, NO_ANSWER, Answer
from signoff.challenge.ladder import Ladder
from signoff.challenge.request import Channel, Request, WaitBudget
from signoff.decide.decision import Decision, Enforcement
from signoff.effects.dispatch import Effects
from signoff.effects.store import RecordDraft, RecordEntry
from signoff.errors import StoreError
from signoff.gate import Gate, Locks
from signoff.redaction.redact import Redactor
from signoff.storage.memory import MemoryStore
from signoff.testing import (
    TEST_KEY,
    FakeAssessment,
    FakeChannel,
    StoreMemory,
    approved,
    make_action,
    make_gate,
    refused,
)
from signoff.values import replace


class FullStore(MemoryStore):
    """A store on a full disk."""

    async def append(self, draft: RecordDraft) -> RecordEntry:
        """Fail like a full disk."""
        raise StoreError("database or disk is full")


class BrokenChannel:
    """A channel that fails."""

    name = "broken"

    async def ask(self, request: Request) -> Answer | None:
        """Fail."""
        raise OSError("no network")


def bodies(store: MemoryStore) -> list[dict[str, object]]:
    """Return the content of every entry."""
    return [json.loads(entry.body) for entry in store.entries()]


@pytest.mark.parametrize("preliminary", [Verdict.ALLOW, Verdict.DENY])
def test_a_settled_leaning_is_the_verdict(preliminary: Verdict) -> None:
    """What the assessment settles is put to nobody."""
    channel = FakeChannel(approved())

    decision = make_gate(preliminary=preliminary, channels=[channel]).check_now(make_action())

    assert (preliminary, "score", []) == (decision.verdict, decision.decided_by, channel.requests)


def test_settling_puts_an_ask_to_nobody() -> None:
    """It leaves it to `check`, and nothing is on the record yet."""
    store, channel = MemoryStore(), FakeChannel(approved())
    gate = make_gate(preliminary=Verdict.ASK, channels=[channel], store=store)

    decision = asyncio.run(gate.settle(make_action()))

    assert (decision, channel.requests, bodies(store)) == (None, [], [])


@pytest.mark.parametrize("preliminary", [Verdict.ALLOW, Verdict.DENY])
def test_settling_decides_as_checking_does(preliminary: Verdict) -> None:
    """With its record."""
    store = MemoryStore()

    decision = asyncio.run(make_gate(preliminary=preliminary, store=store).settle(make_action()))

    assert decision is not None
    assert (decision.verdict, len(bodies(store))) == (preliminary, 1)


@pytest.mark.parametrize("preliminary", [Verdict.ALLOW, Verdict.DENY])
def test_settling_without_a_record_allows_nothing(preliminary: Verdict) -> None:
    """A full disk refuses."""
    decision = asyncio.run(
        make_gate(preliminary=preliminary, store=FullStore()).settle(make_action())
    )

    assert decision is not None
    assert decision.verdict is Verdict.DENY


def test_an_ask_with_nobody_to_ask_is_refused() -> None:
    """Silence is no, and the decision says it was silence."""
    decision = make_gate(preliminary=Verdict.ASK).check_now(make_action())

    assert (decision.verdict, decision.decided_by) == (Verdict.DENY, "timeout")


def test_an_approval_lets_the_call_through() -> None:
    """A person's yes is an allow, decided by their channel."""
    gate = make_gate(
        preliminary=Verdict.ASK, channels=[FakeChannel(approved(decided_by="telegram"))]
    )

    decision = gate.check_now(make_action())

    assert (decision.allowed, decision.decided_by) == (True, "telegram")


def test_a_channel_that_fails_does_not_keep_the_next_from_being_asked() -> None:
    """A broken channel counts as no answer."""
    channels: list[Channel] = [BrokenChannel(), FakeChannel(refused(decided_by="web"))]

    decision = make_gate(preliminary=Verdict.ASK, channels=channels).check_now(make_action())

    assert (decision.verdict, decision.decided_by) == (Verdict.DENY, "web")


def test_a_model_cannot_approve_what_is_critical() -> None:
    """The model's yes to a critical call is passed over."""
    model = FakeChannel(approved(decided_by=BY_MODEL))
    gate = make_gate(preliminary=Verdict.ASK, level=Level.CRITICAL, channels=[model])

    decision = gate.check_now(make_action())

    assert (decision.verdict, decision.decided_by) == (Verdict.DENY, "timeout")


def test_a_failing_judge_is_a_refusal_on_the_record() -> None:
    """An exception in judging is refused with its reason, and recorded."""
    store = MemoryStore()

    def judge(action: Action, facts: Facts) -> Assessed:
        raise RecursionError("too deep")

    gate = Gate(
        StoreMemory(store), judge, ladder=Ladder(), effects=Effects(store, Redactor(TEST_KEY))
    )
    decision = gate.check_now(make_action())

    assert (decision.verdict, decision.decided_by) == (Verdict.DENY, "error")
    assert "RecursionError: too deep" in decision.reason
    assert [body["verdict"] for body in bodies(store)] == ["deny"]


@pytest.mark.parametrize("preliminary", list(Verdict))
def test_without_a_record_nothing_is_allowed(preliminary: Verdict) -> None:
    """A full disk refuses whatever the judgement says."""
    gate = make_gate(preliminary=preliminary, channels=[FakeChannel(approved())], store=FullStore())

    assert Verdict.DENY is gate.check_now(make_action()).verdict


def test_an_allow_leaves_only_after_its_record() -> None:
    """The record of an allow stands when the decision comes back."""
    store = MemoryStore()

    decision = make_gate(store=store).check_now(make_action())

    assert [(decision.id, "allow")] == [(body["id"], body["verdict"]) for body in bodies(store)]


def test_a_failing_handler_does_not_change_the_verdict() -> None:
    """Handlers come after the record and cannot undo it."""
    told: list[Decision] = []

    def fails(decision: Decision) -> None:
        raise ValueError("webhook down")

    decision = make_gate(handlers=[fails, told.append]).check_now(make_action())

    assert (True, [decision]) == (decision.allowed, told)


def test_an_action_without_canonical_form_is_refused() -> None:
    """Nothing can be bound to arguments that have no canonical bytes."""
    decision = make_gate().check_now(make_action(amount=float("nan")))

    assert (decision.verdict, decision.decided_by, decision.digest) == (Verdict.DENY, "error", "")


def test_a_refusal_is_answered_even_if_nothing_works() -> None:
    """Neither judging nor recording; the reason is still given."""

    class Broken:
        """Effects that fail."""

        async def dispatch(self, decision: Decision) -> Decision:
            """Fail."""
            raise MemoryError("nothing left")

    gate = make_gate()
    gate.effects = Broken()
    decision = gate.check_now(make_action())

    assert (decision.verdict, "MemoryError" in decision.reason) == (Verdict.DENY, True)


def test_what_a_door_cannot_read_is_refused_on_the_record() -> None:
    """With the door's reason."""
    store = MemoryStore()

    decision = make_gate(store=store).refuse_now(make_action(), "arguments too large")

    assert (decision.verdict, decision.reason) == (Verdict.DENY, "arguments too large")
    assert [body["reason"] for body in bodies(store)] == ["arguments too large"]


def test_check_now_works_inside_a_running_loop() -> None:
    """Sync code called from a coroutine is served too."""

    async def caller() -> Decision:
        return make_gate().check_now(make_action())

    assert asyncio.run(caller()).allowed


def test_calls_before_are_counted_for_novelty() -> None:
    """The second call of a function in a session knows of the first."""
    seen: list[int] = []
    store = MemoryStore()

    def judge(action: Action, facts: Facts) -> Assessed:
        seen.append(facts.prior_calls)
        return FakeAssessment(action=action, preliminary=Verdict.ALLOW)

    gate = Gate(
        StoreMemory(store), judge, ladder=Ladder(), effects=Effects(store, Redactor(TEST_KEY))
    )
    for session in ("s1", "s1", "s2"):
        gate.check_now(make_action(session=session))

    assert seen == [0, 1, 0]


SLOW_S = 0.02


@dataclass
class RecordingLadder:
    """Somebody who is asked, and what they were asked and told."""

    answer: Answer = field(default_factory=approved)
    asked: list[tuple[Action, WaitBudget]] = field(default_factory=list)
    foreseen: list[tuple[Action, WaitBudget]] = field(default_factory=list)
    ended: list[tuple[Answer, bool]] = field(default_factory=list)

    async def escalate(self, action: Action, assessment: Assessed, patience: WaitBudget) -> Answer:
        """Return the answer."""
        self.asked.append((action, patience))
        return self.answer

    async def foresee(self, action: Action, assessment: Assessed, patience: WaitBudget) -> Answer:
        """Return nobody's answer."""
        self.foreseen.append((action, patience))
        return NO_ANSWER

    async def finish(self, answer: Answer, *, has_failed: bool = False) -> bool:
        """Note it."""
        self.ended.append((answer, has_failed))
        return True


def gate_with(
    ladder: RecordingLadder,
    *,
    preliminary: Verdict = Verdict.ASK,
    mode: Enforcement = Enforcement.ENFORCE,
    locks: Locks | None = None,
    error: Exception | None = None,
    store: MemoryStore | None = None,
) -> Gate:
    """Return a gate whose judge takes a while, and fails if an error is given."""
    store = store or MemoryStore()

    def judge(action: Action, facts: Facts) -> Assessed:
        time.sleep(SLOW_S)
        if error is not None:
            raise error
        assert action.tool == "delete_user"
        return FakeAssessment(action=action, preliminary=preliminary)

    effects = Effects(store, Redactor(TEST_KEY))
    memory = StoreMemory(store)
    return Gate(
        memory, judge, ladder=ladder, effects=effects, locks=locks, enforcement=lambda: mode
    )


class ToolLocks:
    """Locks everything, and names the tool."""

    def reason(self, action: Action) -> str:
        """Return why."""
        return f"locked: {action.tool}"


class LocksSetMeanwhile(ToolLocks):
    """Nothing is locked until somebody was asked."""

    def __init__(self, ladder: RecordingLadder) -> None:
        self.ladder = ladder

    def reason(self, action: Action) -> str:
        """Return why, once somebody was asked."""
        return super().reason(action) if self.ladder.asked else ""


def settled(gate: Gate) -> Decision:
    """Return what the gate settles by itself."""
    decision = asyncio.run(gate.settle(make_action()))
    assert decision is not None
    return decision


BOOM = ValueError("boom")
CHECKED: dict[str, Callable[[], Decision]] = {
    "asked": lambda: gate_with(RecordingLadder()).check_now(make_action()),
    "failed": lambda: gate_with(RecordingLadder(), error=BOOM).check_now(make_action()),
    "locked": lambda: gate_with(RecordingLadder(), locks=ToolLocks()).check_now(make_action()),
    "not recorded": lambda: gate_with(RecordingLadder(), store=FullStore()).check_now(
        make_action()
    ),
    "settled": lambda: settled(gate_with(RecordingLadder(), preliminary=Verdict.DENY)),
    "settling failed": lambda: settled(gate_with(RecordingLadder(), error=BOOM)),
}


@pytest.mark.parametrize("made", CHECKED.values(), ids=CHECKED)
def test_a_decision_says_when_and_how_long(made: Callable[[], Decision]) -> None:
    """With an id of its own, on every path."""
    began = time.perf_counter()
    first, second = made(), made()

    assert first.id
    assert first.id != second.id
    times = [one.stamp.decided_at for one in (first, second)]
    assert [one is not None and one.utcoffset() for one in times] == [timedelta(0)] * 2
    assert times == sorted(filter(None, times))
    assert SLOW_S <= first.latency_s <= time.perf_counter() - began


def test_what_is_settled_is_settled_by_the_judgement_of_this_call() -> None:
    """And not by the failure of another one."""
    assert CHECKED["settled"]().decided_by == "score"


@pytest.mark.parametrize("name", ["failed", "settling failed"])
def test_what_failed_is_in_the_reason(name: str) -> None:
    """And it is bound to the call all the same."""
    decision = CHECKED[name]()

    assert "ValueError: boom" in decision.reason
    assert (decision.verdict, decision.decided_by) == (Verdict.DENY, "error")
    assert decision.action == make_action()


def test_a_lock_that_was_set_meanwhile_holds() -> None:
    """The lock is asked about this call, and what was approved is closed."""
    ladder = RecordingLadder()
    decision = gate_with(ladder, locks=LocksSetMeanwhile(ladder)).check_now(make_action())

    assert (decision.verdict, decision.decided_by) == (Verdict.DENY, "lock")
    assert decision.reason == "locked: delete_user"
    assert ladder.ended == [(ladder.answer, True)]


def test_nobody_is_asked_about_what_is_locked() -> None:
    """It is denied at once, and no request waits for an answer that could not count."""
    ladder = RecordingLadder()
    decision = gate_with(ladder, locks=ToolLocks()).check_now(make_action())

    assert (decision.verdict, decision.decided_by) == (Verdict.DENY, "lock")
    assert decision.reason == "locked: delete_user"
    assert ladder.asked == []


PATIENCE = WaitBudget(until=time.monotonic() + 3_600)


def test_people_are_given_the_time_the_caller_has() -> None:
    """Async and not, and the model of a forecast too."""
    for mode, given in ((Enforcement.ENFORCE, "asked"), (Enforcement.SHADOW, "foreseen")):
        ladder = RecordingLadder()
        gate = gate_with(ladder, mode=mode)
        asyncio.run(gate.check(make_action(), PATIENCE))
        gate.check_now(make_action(), PATIENCE)
        assert getattr(ladder, given) == [(make_action(), PATIENCE)] * 2


def test_the_end_of_a_call_that_nobody_approved_is_not_asked_for() -> None:
    """Nor of one that was denied; else the ladder is told, and whether it failed."""
    ladder = RecordingLadder(answer=replace(approved(), request_id="r1"))
    allowed = gate_with(ladder).check_now(make_action())
    denied = gate_with(RecordingLadder(answer=replace(refused(), request_id="r2"))).check_now(
        make_action()
    )
    unasked = gate_with(ladder, preliminary=Verdict.ALLOW).check_now(make_action())
    gate = gate_with(ladder)

    assert [False, False] == [gate.finish_now(one) for one in (denied, unasked)]
    assert [False, False] == [asyncio.run(gate.finish(one)) for one in (denied, unasked)]
    assert ladder.ended == []
    assert gate.finish_now(allowed, has_failed=True)
    assert asyncio.run(gate.finish(allowed))
    assert ladder.ended == [(allowed.answer, True), (allowed.answer, False)]


def test_an_approval_of_an_edited_call_that_cannot_be_judged_is_closed() -> None:
    """Whoever approved it is not left with a call that may still run."""
    ladder = RecordingLadder(answer=replace(approved(), edited={"user_id": "u2"}))
    gate = gate_with(ladder)
    judge = gate.judge

    def fails_on_the_edited(action: Action, facts: Facts) -> Assessed:
        if action.arguments:
            raise BOOM
        return judge(action, facts)

    gate.judge = fails_on_the_edited

    assert gate.check_now(make_action()).verdict is Verdict.DENY
    assert ladder.ended == [(ladder.answer, True)]


def test_the_gate_loads_msgspec_and_the_standard_library_only() -> None:
    """Whoever imports the gate pays for no parser and no engine."""
    code = "import sys; old = set(sys.modules); import signoff.gate; print(*set(sys.modules) - old)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    roots = {name.partition(".")[0] for name in out.stdout.split()}

    assert {"signoff", "msgspec"} == roots - sys.stdlib_module_names - {"typing_extensions"}
