"""Marks of what a session did, of each name the last one."""

from __future__ import annotations

from signoff.actions.facts import next_number, numbered_marks
from signoff.assess.remembered.safety_nets import missing_nets


def test_marks_come_in_the_order_of_their_numbers() -> None:
    """As numbers, not as texts; other marks are left out."""
    marks = {"net:10:on:b", "net:9:off:a:b", "placed:/p/x", "secret:1:in:/p/y"}

    assert [("off", "a:b"), ("on", "b")] == numbered_marks(marks, "net:")
    assert 11 == next_number(marks, "net:")
    assert 1 == next_number(set(), "net:")


def test_what_is_done_after_old_marks_are_forgotten_is_the_last() -> None:
    """A number that was given is not given again, however few marks are left."""
    left = {"net:7:on:orders", "net:8:off:users"}
    last = left | {f"net:{next_number(left, 'net:')}:off:orders"}

    assert {"orders", "users"} == missing_nets(last)
