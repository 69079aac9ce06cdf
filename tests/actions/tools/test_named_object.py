"""The object of a call is what it acts on: not how much, when, where or why."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action, Json
from signoff.actions.tools.naming.named_object import named_object


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("create_payout", {"currency": "eur", "destination": "acct_91"}, "acct_91"),
        ("refund_order", {"amount": "34.90", "order_id": "ORD-20931"}, "ORD-20931"),
        ("terminate_staff", {"effective": "2026-04-01", "site": "north"}, "north"),
        ("terminate_all_staff", {"begin": "today", "notify": True}, ""),
        ("set_flag", {"environment": "production", "flag": "checkout"}, "checkout"),
        ("delete_environment", {"environment": "staging"}, "staging"),
        ("open_valve", {"reason": "test", "field": "north-4"}, "north-4"),
        ("read_file", {"from": "notes.txt"}, "notes.txt"),
        ("rename", {"name": "2026-04-plan"}, "2026-04-plan"),
    ],
)
def test_a_circumstance_is_no_object(tool: str, arguments: dict[str, Json], expected: str) -> None:
    """A date, an amount, an environment or a reason is passed over, whatever stands first."""
    assert expected == named_object(Action(tool=tool, arguments=arguments))


@pytest.mark.parametrize("order", [("from_account", "to_iban"), ("to_iban", "from_account")])
def test_of_what_moves_the_object_is_who_gets_it(order: tuple[str, str]) -> None:
    """Who reads the title must see where the money goes."""
    given = {"from_account": "NL91", "to_iban": "FR14"}

    assert "FR14" == named_object(
        Action(tool="wire_transfer", arguments={name: given[name] for name in order})
    )


def test_a_telling_name_comes_first_and_may_be_a_number() -> None:
    """An id names more than the text before it; the id of a transition is no object."""
    given: dict[str, Json] = {"text": "hello", "transition_id": "41", "issue_id": 88}

    assert "88" == named_object(Action(tool="move", arguments=given), ("id",))


def test_a_number_without_end_is_not_written_out() -> None:
    """Python raises for it (CVE-2020-10735)."""
    assert "" == named_object(Action(tool="move", arguments={"id": 10**5000}), ("id",))
