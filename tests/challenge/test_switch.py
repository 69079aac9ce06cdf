"""Local or remote; and what a person has changed is judged again."""

from __future__ import annotations

import asyncio

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.assess.assessed import Assessed
from signoff.assess.level import Level
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import Answer
from signoff.challenge.ladder import Ladder
from signoff.challenge.people.host_prompt import HostChannel, Switched
from signoff.challenge.terms.mode import Mode
from signoff.challenge.terms.plan import ApprovalPlan, ChannelTerms
from signoff.effects.dispatch import Effects
from signoff.errors import StoreError
from signoff.gate import Gate
from signoff.redaction.redact import Redactor
from signoff.storage.approvals.database import Database
from signoff.storage.approvals.standing import SqliteMode
from signoff.storage.memory import MemoryStore
from signoff.testing import (
    TEST_KEY,
    FakeAssessment,
    FakeChannel,
    StoreMemory,
    approved,
    make_action,
    make_request,
)

PLAN = ApprovalPlan(channels=(ChannelTerms(name="host", settles_up_to=Level.HIGH),))


class Broken:
    """A switch that cannot be read."""

    def mode(self) -> Mode:
        """Fail."""
        raise StoreError("gone")

    def set_mode(self, mode: Mode) -> None:
        """Do nothing."""


@pytest.mark.parametrize(
    ("mode", "level", "decided_by"),
    [
        (Mode.REMOTE, Level.MEDIUM, "fake"),
        (Mode.LOCAL, Level.MEDIUM, "host"),
        (Mode.LOCAL, Level.HIGH, "host"),
        (Mode.LOCAL, Level.CRITICAL, "fake"),
        (None, Level.MEDIUM, "fake"),
    ],
)
def test_the_switch_says_who_is_asked(mode: Mode | None, level: Level, decided_by: str) -> None:
    """Above what the host may settle, and where it is unknown, people are."""
    switch = Broken() if mode is None else SqliteMode(Database(), default=mode)
    people = Switched(switch=switch, local=HostChannel(), remote=FakeChannel(approved()), plan=PLAN)

    answer = asyncio.run(people.ask(make_request(level=level)))

    assert answer is not None
    assert answer.decided_by == decided_by


def gate_with(answer: Answer, judged: list[Action]) -> Gate:
    """Return a gate that asks about `danger`, and lets through all else."""
    store = MemoryStore()

    def judge(action: Action, facts: Facts) -> Assessed:
        judged.append(action)
        preliminary = {"danger": Verdict.ASK, "disaster": Verdict.DENY}.get(
            action.text("what"), Verdict.ALLOW
        )
        return FakeAssessment(action=action, facts=facts, preliminary=preliminary)

    return Gate(
        StoreMemory(store),
        judge,
        ladder=Ladder([FakeChannel(answer)]),
        effects=Effects(store, Redactor(TEST_KEY)),
    )


@pytest.mark.parametrize(
    ("edited", "verdict"), [("harmless", Verdict.ALLOW), ("disaster", Verdict.DENY)]
)
def test_changed_arguments_are_judged_anew(edited: str, verdict: Verdict) -> None:
    """The decision is about what was put in their place."""
    judged: list[Action] = []
    answer = Answer(verdict=Verdict.ALLOW, decided_by="web", edited={"what": edited})

    decision = gate_with(answer, judged).check_now(make_action("f", what="danger"))

    assert (decision.verdict, decision.action.text("what")) == (verdict, edited)
    assert [action.text("what") for action in judged] == ["danger", edited]
