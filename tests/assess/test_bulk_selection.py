"""Whom a call selects: somebody it names, what is left over, or everybody of a kind."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action, ActionKind, Json
from signoff.actions.facts import Facts
from signoff.assess.combined.bulk.selection import highest_count, is_endless
from signoff.assess.detectors.detector import Evidence

Given = dict[str, Json]


def evidence(arguments: Given) -> Evidence:
    action = Action(tool="act", arguments=arguments, kind=ActionKind.FUNCTION)
    return Evidence(action=action, operations=(), facts=Facts())


@pytest.mark.parametrize(
    "arguments",
    [
        {"filter": {"status": "active"}},
        {"employee_ids": "department:Logistics"},
        {"where": "region = 'west'"},
        {"filters": [{"field": "created", "op": "<", "value": "2026-01-01"}]},
        {"department": "Sales", "reason_code": "R1", "account_id": 7},
    ],
)
def test_a_condition_that_names_nobody_has_no_end(arguments: Given) -> None:
    """A status, date, region or department selects all there are of it."""
    assert is_endless(evidence(arguments))


@pytest.mark.parametrize(
    "arguments",
    [
        {"filter": {"order_id": "o-17"}},
        {"employee_id": "e-7", "department": "Sales"},
        {"where": "email = 'a@example.org'"},
        {"filters": [{"field": "email", "op": "=", "value": "a"}]},
        {"filter": {"last_login_before": "2024-01-01"}},
        {"query": "role:end-user spam:true"},
        {"amount": 5},
        {"filter": 10**5000},
    ],
)
def test_a_condition_that_names_somebody_has_an_end(arguments: Given) -> None:
    """An id, an address or what is left over is no whole kind; nor is a number of any length."""
    assert not is_endless(evidence(arguments))


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        ({"recipient_count": 48210}, 48_210),
        ({"num_users": "640"}, 640),
        ({"ids": ["a", "b"]}, 2),
        ({"page_size": 500, "amount_total": 900, "max_count": 700}, 0),
        ({"confirm": True}, 0),
    ],
)
def test_a_count_is_of_members(arguments: Given, count: int) -> None:
    """Sizes of pages, amounts and limits count nobody."""
    assert count == highest_count(evidence(arguments))
