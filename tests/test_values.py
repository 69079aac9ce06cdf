"""Frozen structs behave as the frozen dataclasses they were."""

from __future__ import annotations

import copy
import gc
import inspect
import pickle
from dataclasses import dataclass

import pytest
from msgspec import Struct, field

import signoff
from signoff.actions.action import Action
from signoff.actions.operation import Operation, Verb
from signoff.assess.finding import Finding, Severity
from signoff.decide.decide import refuse
from signoff.decide.decision import DecisionStamp
from signoff.values import replace


class Stone(Struct, frozen=True, kw_only=True):
    """A value with every kind of field."""

    name: str
    weight_g: int = 1
    marks: dict[str, int] = field(default_factory=dict)


class Pair(Struct, frozen=True):
    """A value whose fields are given by place."""

    left: int
    right: int = 2


def test_nobody_can_change_a_field() -> None:
    """A public value stays what it was."""
    action = Action(tool="Bash", arguments={})

    with pytest.raises(AttributeError):
        action.tool = "Read"  # type: ignore[misc]  # what the test is about
    with pytest.raises(AttributeError):
        del action.tool
    assert "Bash" == action.tool


def test_equal_values_are_one_key() -> None:
    """Equality and hash go by the fields."""
    assert {Pair(1)} == {Pair(1, 2), replace(Pair(5), left=1)}


def test_values_of_two_classes_are_never_equal() -> None:
    """Even with the same fields."""

    class Other(Struct, frozen=True):
        left: int
        right: int = 2

    assert Pair(1) != Other(1)  # type: ignore[comparison-overlap]  # what the test is about


def test_replacing_changes_what_is_given_and_nothing_else() -> None:
    """The other fields are the same objects."""
    stone = Stone(name="a", marks={"x": 1})
    made = replace(stone, weight_g=7)

    assert ("a", 7) == (made.name, made.weight_g)
    assert stone.marks is made.marks


def test_replacing_a_field_there_is_not_is_an_error() -> None:
    """A wrong name is refused."""
    with pytest.raises(TypeError, match="colour"):
        replace(Pair(1), colour=3)  # type: ignore[call-arg]  # what the test is about


def test_replacing_works_on_a_dataclass() -> None:
    """Those that stay one are replaced all the same."""

    @dataclass(frozen=True)
    class Plain:
        size: int

    assert 2 == replace(Plain(size=1), size=2).size


def test_a_value_can_be_pickled_and_copied() -> None:
    """It goes to another process and comes back equal."""
    operation = Operation(verb=Verb.READ, target="a")

    assert operation == pickle.loads(pickle.dumps(operation))
    assert operation == copy.deepcopy(operation)
    assert operation == copy.copy(operation)


def test_the_collector_passes_over_values() -> None:
    """An operation holds no reference to itself and is never looked through."""
    assert not gc.is_tracked(Operation(verb=Verb.READ, carriers=("sudo", "bash -c")))


PUBLIC = {  # fields and their defaults, as a caller sees them
    "Action": (
        "tool, arguments, kind=<ActionKind.TOOL: 'tool'>, description='', hints=<factory>, "
        "agent='', session='', cwd='', environment='', source='', request_id='', asked_at=None, "
        "search_path='', schema_digest='', "
        "least_risk=0.0, least_proofs=()"
    ),
    "Decision": (
        "action, verdict, decided_by, reason, level, challenge, digest, assessment=None, "
        "answer=None, edited_from='', would_be=None, "
        "stamp=DecisionStamp(id='', decided_at=None, latency_s=0.0)"
    ),
    "Finding": (
        "detector, category, severity, confidence=0.9, evidence='', detected=True, group=-1, "
        "field=''"
    ),
}


@pytest.mark.parametrize("name", PUBLIC)
def test_public_values_keep_their_signature(name: str) -> None:
    """The same fields in the same order, all given by name, with the same defaults."""
    parameters = inspect.signature(getattr(signoff, name)).parameters.values()
    shown = [str(one.replace(annotation=inspect.Parameter.empty)) for one in parameters]

    assert {inspect.Parameter.KEYWORD_ONLY} == {one.kind for one in parameters}
    assert PUBLIC[name] == ", ".join(shown)


def test_public_values_keep_their_repr() -> None:
    """The text that logs and test failures show."""
    finding = Finding(detector="d", category="d.c", severity=Severity.LOW)

    assert repr(finding) == (
        "Finding(detector='d', category='d.c', severity=<Severity.LOW: 'low'>, "
        "confidence=0.9, evidence='', detected=True, group=-1, field='')"
    )


def test_a_decision_keeps_its_repr() -> None:
    """Every field with its name, in order, values inside values too."""
    action = Action(tool="Bash", arguments={"command": "ls"})
    shown = repr(refuse(action, "broken", stamp=DecisionStamp(id="d1", latency_s=0.5)))

    assert shown == (
        "Decision(action=Action(tool='Bash', arguments={'command': 'ls'}, "
        "kind=<ActionKind.TOOL: 'tool'>, description='', hints={}, agent='', session='', cwd='', "
        "environment='', source='', request_id='', asked_at=None, search_path='', "
        "schema_digest='', least_risk=0.0, least_proofs=()), verdict=<Verdict.DENY: 'deny'>, "
        "decided_by='error', reason='broken', "
        "level=<Level.CRITICAL: 'critical'>, challenge=<Challenge.MULTI_PARTY: 'multi-party'>, "
        f"digest='{action.digest}', assessment=None, answer=None, edited_from='', would_be=None, "
        "stamp=DecisionStamp(id='d1', decided_at=None, latency_s=0.5))"
    )
