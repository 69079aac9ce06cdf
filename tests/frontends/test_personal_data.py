"""Personal data in results: noted by default, acted on where a policy line says so."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action, ActionKind
from signoff.actions.facts import Facts
from signoff.assess.assessment import Judge
from signoff.assess.pack import PACKS, AdjustedPack
from signoff.assess.rules.rule import RuleSet
from signoff.assess.verdict import Verdict
from signoff.frontends.results.inspecting import TextKind, TextToInspect, inspected

STATEMENT = '{"holder": "A. Roy", "iban": "DE02 1203 0000 0000 2020 51", "born": "12.03.1981"}'
NUMBERS = (
    "ssn 219-45-6789",
    "National Insurance number: AB 12 34 56 C",
    "NIR 2 69 05 49 588 157 80",
    "codice fiscale RSSMRA85T10A562S",
    "DNI: 12345678Z",
    "Steuer-ID 86 095 742 719",
    "CPF 529.982.247-25",
    "PESEL: 44051401359",
    "BSN 111222333",
    "personnummer 811218-9876",
    "resident id 11010519491231002X",
    "Aadhaar 2341 2341 2346",
)


def found(text: str, policy: AdjustedPack) -> set[str]:
    """Return the policy lines of what is found in a result."""
    judge = Judge(rules=RuleSet, policy=policy)
    one = TextToInspect(kind=TextKind.RESULT, tool="db_query", text=text)
    return {finding.category for finding in inspected(judge, one).findings}


@pytest.mark.parametrize("pack", PACKS)
def test_without_a_line_a_result_with_personal_data_passes(pack: str) -> None:
    """No pack asks, and the finding is kept as a note."""
    policy = AdjustedPack(pack=PACKS[pack])
    action = Action(tool="db", kind=ActionKind.RESULT, arguments={"output": STATEMENT})
    assessment = Judge(rules=RuleSet, policy=policy)(action, Facts())

    assert found(STATEMENT, policy) == set()
    assert assessment.preliminary is Verdict.ALLOW
    assert len(assessment.findings) == 2


@pytest.mark.parametrize("verdict", [Verdict.ASK, Verdict.DENY])
def test_a_line_makes_it_a_finding(verdict: Verdict) -> None:
    """All kinds by the name of the detector, or one of them."""
    everything = AdjustedPack(lines={"personal-data": verdict})
    births = AdjustedPack(lines={"personal-data.birth": verdict})

    assert found(STATEMENT, everything) == {"personal-data.account", "personal-data.birth"}
    assert found(STATEMENT, births) == {"personal-data.birth"}


def test_a_project_may_turn_it_on() -> None:
    """A floor tightens what the user left alone."""
    floor = AdjustedPack(at_least={"personal-data": Verdict.ASK})
    assert found(STATEMENT, floor) == {"personal-data.account", "personal-data.birth"}


@pytest.mark.parametrize("text", NUMBERS)
def test_numbers_of_people_are_told_by_their_check_digits(text: str) -> None:
    """The number of each state is found, and not with another last digit or letter."""
    policy = AdjustedPack(lines={"personal-data": Verdict.ASK})
    assert found(f"one row: {text}", policy) == {"personal-data.national-number"}


@pytest.mark.parametrize("text", [one for one in NUMBERS if "ssn" not in one and "Ins" not in one])
def test_a_wrong_check_digit_is_nobodys_number(text: str) -> None:
    """Every other last character but one or two makes it a number like any other."""
    policy = AdjustedPack(lines={"personal-data": Verdict.ASK})
    others = (
        "0123456789" if text[-1].isdecimal() or "resident" in text else "ABCDEFGHJKLMNPQRSTVWXYZ"
    )
    right = [one for one in others if found(f"one row: {text[:-1]}{one}", policy)]
    assert right == ([text[-1]] if text[-1] in others else [])


def test_a_person_far_behind_in_a_long_result_is_found() -> None:
    """Length hides nothing that is inspected."""
    policy = AdjustedPack(lines={"personal-data": Verdict.ASK})
    assert "personal-data.account" in found("row 17; total 12.50\n" * 5_000 + STATEMENT, policy)
