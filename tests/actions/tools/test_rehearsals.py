"""Which calls of tools are told to try only."""

from __future__ import annotations

import pytest

from signoff.actions.action import Json
from signoff.actions.operation import Operation, Verb
from signoff.actions.tools.naming.trials.rehearsals import is_rehearsal, rehearsed


@pytest.mark.parametrize(
    "arguments",
    [
        {"dry_run": True},
        {"dryRun": True, "confirm": False},
        {"validate-only": True, "rows": [1, 2]},
        {"options": {"what_if": True}},
        {"mode": "dry-run"},
    ],
)
def test_a_literal_switch_is_a_rehearsal(arguments: dict[str, Json]) -> None:
    """The switch is on, where a tool takes its arguments."""
    assert is_rehearsal(arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"dry_run": "true"},
        {"dry_run": False},
        {"dry_run": True, "validate_only": False},
        {"dry_run": True, "execute": True},
        {"dry_run": True, "method": "DELETE"},
        {"settings": {"dry_run": True}},
        {"mode": "simulation"},
    ],
)
def test_what_may_act_is_none(arguments: dict[str, Json]) -> None:
    """A text, an order beside it, a value that is set, a request of an API."""
    assert not is_rehearsal(arguments)


@pytest.mark.parametrize(
    ("tool", "verb"),
    [("mcp__post__approve", Verb.INERT), ("mcp__signoff__approve", Verb.PRIVILEGE)],
)
def test_nothing_that_names_signoff_is_only_tried(tool: str, verb: Verb) -> None:
    """Any other act is."""
    (tried,) = rehearsed((Operation(verb=Verb.PRIVILEGE),), {"dry_run": True}, tool)

    assert tried.verb is verb
