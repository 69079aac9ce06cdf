"""Functions people approve: what came of them is noted, what people change is what runs."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from signoff import Action, Denied, Gate, Verdict, gate
from signoff.actions.action import Json
from signoff.actions.facts import Facts
from signoff.assess.assessed import Assessed
from signoff.assess.level import Level, challenge_of
from signoff.challenge.ladder import Ladder
from signoff.challenge.pending import RequestState
from signoff.challenge.terms.plan import ApprovalPlan, ChannelTerms
from signoff.effects.dispatch import Effects
from signoff.redaction.redact import Redactor
from signoff.storage.approvals.database import Database
from signoff.storage.memory import MemoryStore
from signoff.testing import TEST_KEY, FakeAssessment, InMemoryApprovals, StoreMemory, make_response
from signoff.values import replace

NOW = ChannelTerms(name="fake")


class ApprovalSetup:
    """Approvals with a gate before it, and somebody who answers what is asked first."""

    def __init__(self, folder: Path) -> None:
        plan = ApprovalPlan(
            channels=(NOW,), review_s={}, proof_review_s={}, edits=frozenset({"python"}), answer_s=5
        )
        self.approvals = InMemoryApprovals(plan=plan, database=Database(str(folder / "a.db")))
        self.levels: dict[str, tuple[Verdict, Level]] = {}
        store, people = MemoryStore(), self.approvals.asking()
        self.gate = Gate(
            StoreMemory(store),
            self.judge,
            ladder=Ladder([people], outcomes=people),
            effects=Effects(store, Redactor(TEST_KEY)),
        )

    def judge(self, action: Action, facts: Facts) -> Assessed:
        """Ask about everything, unless `levels` says something else of the first argument."""
        first = str(next(iter(action.arguments.values()), ""))
        preliminary, level = self.levels.get(first, (Verdict.ASK, Level.MEDIUM))
        return FakeAssessment(
            action=action,
            facts=facts,
            preliminary=preliminary,
            level=level,
            challenge=challenge_of(level),
        )

    def answers(self, edited: dict[str, Json] | None = None) -> threading.Thread:
        """Approve the first request there is, in a thread, with other arguments if given."""

        def approve() -> None:
            deadline = time.monotonic() + 60
            while not self.approvals.channel.announced and time.monotonic() < deadline:
                time.sleep(0.01)
            response = make_response(self.approvals.channel.announced[0])
            self.approvals.answer(replace(response, edited=edited))

        thread = threading.Thread(target=approve)
        thread.start()
        return thread

    def states(self) -> list[RequestState]:
        """Return where the requests stand, the oldest first."""
        found = asyncio.run(self.approvals.store.listed())
        return [one.state for one in reversed(found)]


@pytest.fixture
def setup(tmp_path: Path) -> ApprovalSetup:
    """Give a approval service."""
    return ApprovalSetup(tmp_path)


def called(setup: ApprovalSetup, function: Callable[..., object], *args: object) -> object:
    """Call a function before the gate of the approval service, async or not."""
    made = gate(gate=setup.gate)(function)(*args)
    return asyncio.run(made) if asyncio.iscoroutine(made) else made


def plain(a: int, b: object = "x") -> object:
    """Give back what came in."""
    if a < 0:
        raise ValueError("negative")
    return a, b


async def awaited(a: int, b: object = "x") -> object:
    """Give the same back."""
    return plain(a, b)


@pytest.mark.parametrize("function", [plain, awaited])
def test_a_call_that_returns_is_done(setup: ApprovalSetup, function: Callable[..., object]) -> None:
    """The request ends with the function."""
    setup.answers()

    assert (called(setup, function, 1), setup.states()) == (
        (1, "x"),
        [RequestState.DONE],
    )


@pytest.mark.parametrize("function", [plain, awaited])
def test_a_call_that_raises_has_failed(
    setup: ApprovalSetup, function: Callable[..., object]
) -> None:
    """And its error is its caller's."""
    setup.answers()

    with pytest.raises(ValueError, match="negative"):
        called(setup, function, -1)

    assert setup.states() == [RequestState.FAILED]


@pytest.mark.parametrize("function", [plain, awaited])
def test_a_function_runs_with_what_people_made_of_it(
    setup: ApprovalSetup, function: Callable[..., object]
) -> None:
    """Not with what it was called with."""
    setup.answers({"a": 2, "b": "y"})

    assert (called(setup, function, 1), setup.states()) == (
        (2, "y"),
        [RequestState.DONE],
    )


@pytest.mark.parametrize(
    "edited", [{"a": 2}, {"a": 2, "b": "x", "c": 1}, {"a": "2", "b": "x"}, {"a": True, "b": "x"}]
)
def test_what_does_not_fit_the_function_does_not_run(
    setup: ApprovalSetup, edited: dict[str, Json]
) -> None:
    """Nothing runs that is another call than was approved."""
    setup.answers(edited)

    with pytest.raises(Denied, match="do not fit"):
        called(setup, plain, 1)

    assert setup.states() == [RequestState.FAILED]


def test_what_is_no_plain_value_cannot_be_changed(setup: ApprovalSetup) -> None:
    """An object's text is not the object."""
    setup.answers({"a": 1, "b": "/etc"})

    with pytest.raises(Denied, match="no plain value"):
        called(setup, plain, 1, Path("/tmp"))


@pytest.mark.parametrize(
    ("preliminary", "level", "expected"),
    [
        (Verdict.ALLOW, Level.LOW, [RequestState.DONE]),
        (Verdict.ASK, Level.LOW, [RequestState.DONE]),
        (Verdict.ASK, Level.MEDIUM, [RequestState.DONE]),
        (Verdict.ASK, Level.HIGH, [RequestState.EXPIRED, RequestState.FAILED]),
        (Verdict.ASK, Level.CRITICAL, [RequestState.EXPIRED, RequestState.FAILED]),
        (Verdict.DENY, Level.CRITICAL, [RequestState.FAILED]),
    ],
)
def test_a_change_is_judged_anew(
    setup: ApprovalSetup, preliminary: Verdict, level: Level, expected: list[RequestState]
) -> None:
    """It settles what is no worse; what is worse is asked about, and nobody answers here."""
    setup.levels["2"] = preliminary, level
    setup.answers({"a": 2, "b": "x"})
    runs = expected == [RequestState.DONE]

    def expire() -> None:
        while len(setup.approvals.channel.announced) < 2:
            time.sleep(0.01)
        setup.approvals.clock.pass_(10)

    if len(expected) == 2:
        threading.Thread(target=expire).start()
    try:
        has_run = called(setup, plain, 1) == (2, "x")
    except Denied:
        has_run = False

    assert (has_run, sorted(setup.states())) == (runs, expected)


def test_a_lock_in_the_meantime_leaves_nothing_to_run(setup: ApprovalSetup) -> None:
    """What was approved and is refused all the same has not run, and is said to have failed."""

    class LockedOnceAsked:
        """Locks everything from the moment a person is asked."""

        def reason(self, action: Action) -> str:
            """Lock it, if somebody was asked."""
            return "locked" if setup.approvals.channel.announced else ""

    setup.gate.locks = LockedOnceAsked()
    setup.answers()

    with pytest.raises(Denied, match="locked"):
        called(setup, plain, 1)

    assert setup.states() == [RequestState.FAILED]
