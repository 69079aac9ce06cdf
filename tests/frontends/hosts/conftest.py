"""Decisions as they are wanted, for every host's tests."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from signoff.actions.action import Action
from signoff.actions.operation import Operation, Verb
from signoff.assess.level import Challenge, Level
from signoff.assess.verdict import Verdict
from signoff.decide.decision import BY_SCORE, Decision
from signoff.testing import FakeAssessment


def make_decision(verdict: Verdict, tool: str = "Bash", decided_by: str = BY_SCORE) -> Decision:
    """Return a decision about one understood operation."""
    action = Action(tool=tool, arguments={"command": "ls"})
    reading = Operation(verb=Verb.READ)
    return Decision(
        action=action,
        verdict=verdict,
        decided_by=decided_by,
        reason="because",
        level=Level.LOW,
        challenge=Challenge.AUTO_APPROVE,
        digest="",
        assessment=FakeAssessment(action=action, operations=(reading,)),
    )


@pytest.fixture
def decided() -> Callable[..., Decision]:
    """Return what makes a decision of a verdict, and a tool if it matters."""
    return make_decision
