"""What an agent is told to do instead is milder than what was refused, and no way around."""

from __future__ import annotations

import pytest

from signoff.actions.facts import Facts
from signoff.assess.advice import BY_LINE, TABLE, SafeForm, advice_of
from signoff.assess.assessment import Assessment, Judge
from signoff.assess.detectors.evidence import shell_call
from signoff.assess.policy_lines import OPERATION_LINES
from signoff.assess.rules.rule import RuleSet

NO_RULES = RuleSet()
JUDGE = Judge(rules=lambda: NO_RULES)


def assessed(command: str) -> Assessment:
    """Judge a shell line without any rules."""
    return JUDGE(shell_call(command), Facts())


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.lines.split()[0])
def test_the_example_has_the_finding_and_its_advice(row: SafeForm) -> None:
    """So a row that no call can lead to is found."""
    found = assessed(row.example).findings

    assert {one.category for one in found} & set(row.lines.split())
    assert row.says == advice_of(found)


@pytest.mark.parametrize(
    ("row", "safer"), [(row, line) for row in TABLE for line in row.safer], ids=str
)
def test_each_safer_command_is_milder_than_the_example(row: SafeForm, safer: str) -> None:
    """By verdict and by threat."""
    mild, refused = assessed(safer), assessed(row.example)

    assert mild.preliminary.severity < refused.preliminary.severity
    assert mild.threat.score < refused.threat.score


def test_every_line_is_a_policy_line() -> None:
    """And each has one row."""
    known = {f"{name}.{line}" for name, lines in OPERATION_LINES.items() for line in lines.split()}

    assert set() == set(BY_LINE) - known
    assert len(BY_LINE) == sum(len(row.lines.split()) for row in TABLE)


@pytest.mark.parametrize("name", ["self-protection", "defence-tampering", "workaround"])
def test_nobody_is_told_how_to_get_around_the_guard(name: str) -> None:
    """What protects has no safe form."""
    assert not [line for line in BY_LINE if line.startswith(f"{name}.")]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.lines.split()[0])
def test_advice_is_one_short_sentence(row: SafeForm) -> None:
    """That follows `Instead: `."""
    assert len(row.says) <= 100
    assert row.says[0].islower()
    assert not row.says.endswith(".")


def test_nothing_found_gives_no_advice() -> None:
    """An empty list is no row."""
    assert advice_of(()) == ""


def test_facts_that_make_it_worse_leave_the_advice() -> None:
    """What is done has a safe form, whatever else is known of it."""
    found = assessed("kubectl delete constrainttemplates --all").findings

    assert found[0].detector != found[-1].detector
    assert advice_of(found).startswith("show what would be deleted")
