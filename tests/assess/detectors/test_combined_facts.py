"""Every row of the table refuses with all of its facts, and spares the call that lacks one."""

from __future__ import annotations

from functools import partial

import pytest

from signoff.actions.action import Action, ActionKind
from signoff.actions.facts import Facts
from signoff.actions.operation import Operation, Reach, ResourceType
from signoff.actions.understand import understand
from signoff.assess.assessment import Judge
from signoff.assess.combined.facts import ActPattern
from signoff.assess.combined.row import Row
from signoff.assess.detectors.combined_facts import TABLE, is_of_tools_only, is_shell_line
from signoff.assess.detectors.detector import Evidence
from signoff.assess.rules.rule import RuleSet
from signoff.assess.verdict import Verdict

SHELL_ROWS = [row for row in TABLE if row.refused]
each_row = pytest.mark.parametrize("row", SHELL_ROWS, ids=lambda row: row.line[0])
JUDGE = Judge(rules=RuleSet)
KEY = "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIEowIBAAKCAQEAu1SU1LfVLPHCozMxH2Mo"


def _lines(line: str) -> set[str]:
    action = Action(tool="Bash", arguments={"command": line}, cwd="/home/dev/project")
    assessment = JUDGE(action, Facts())
    lines = {one.category.partition(".")[2] for one in assessment.findings}
    assert assessment.preliminary is Verdict.DENY or "combined-facts" not in lines
    return lines


def _is_act(act: ActPattern, op: Operation, call: Evidence) -> bool:
    return op.verb in act.verbs and act.holds(op, call)


@each_row
def test_a_row_refuses_with_all_of_its_facts(row: Row) -> None:
    """The example bears the row's line."""
    assert row.line[0] in _lines(row.refused)


@each_row
def test_a_row_spares_what_lacks_a_fact(row: Row) -> None:
    """Its look-alike does not."""
    assert row.line[0] not in _lines(row.spared)


@each_row
def test_each_fact_of_a_row_counts(row: Row) -> None:
    """No fact holds of everything: each is missing in some example of another row."""
    for fact in (partial(_is_act, row.act), row.target, row.evidence):
        calls = [
            Action(tool="Bash", arguments={"command": other.spared}, cwd="/home/dev/project")
            for other in SHELL_ROWS
        ]
        told = [
            fact(op, Evidence(action=call, operations=operations))
            for call in calls
            for operations in (understand(call, Facts()).operations,)
            for op in operations
        ]
        assert not all(told), fact


@pytest.mark.parametrize(
    ("tool", "body", "is_refused"),
    [
        ("mcp__mail__send_email", KEY, True),
        ("mcp__mail__send_email", "see you at noon", False),
        ("mcp__filesystem__write_file", "see you at noon", False),
    ],
)
def test_a_key_in_a_message_is_refused(tool: str, body: str, *, is_refused: bool) -> None:
    """The row without a shell line: a tool sends a text with a key in it."""
    action = Action(tool=tool, arguments={"to": "a@example.org", "body": body}, cwd="/home/dev/p")
    found = {one.category for one in JUDGE(action, Facts()).findings}

    assert ("combined-facts.secret-in-text" in found) is is_refused


TOOL_ROWS = [row for row in TABLE if is_of_tools_only(row)]


@pytest.mark.parametrize("row", TOOL_ROWS, ids=lambda row: row.line[0])
def test_a_row_for_tools_holds_of_no_shell_line(row: Row) -> None:
    """So that it need not be asked there."""
    call = Evidence(
        action=Action(tool="Bash", arguments={"command": "delete all of production"}),
        operations=(),
    )
    operations = [
        Operation(verb=verb, thing=thing, reach=reach, target="all")
        for verb in row.act.verbs
        for thing in ResourceType
        for reach in (Reach.REMOTE, Reach.PRODUCTION)
    ]

    assert is_shell_line(call)
    assert not any(row.act.holds(op, call) and row.target(op, call) for op in operations)


@pytest.mark.parametrize(
    "action",
    [
        Action(tool="mcp__shell__run", arguments={"command": "rm -rf /"}),
        Action(tool="run", arguments={"command": "rm -rf /"}, kind=ActionKind.FUNCTION),
        Action(tool="Bash", arguments={"code": "rm -rf /"}),
    ],
)
def test_other_calls_are_no_shell_lines(action: Action) -> None:
    """A tool or function that takes a command is asked all rows."""
    assert not is_shell_line(Evidence(action=action, operations=()))


def test_most_rows_hold_of_shell_lines() -> None:
    """Every row that shows a refused line is asked of lines."""
    assert SHELL_ROWS
    assert TOOL_ROWS
    assert not any(row.refused for row in TOOL_ROWS)
