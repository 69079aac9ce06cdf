"""All open cards are compared at first and after a failure, later a few at a time, all in turn."""

from __future__ import annotations

from signoff.channels.card_rotation import CardRotation


def test_cards_take_turns() -> None:
    """None is left out, and none comes twice before the others had their turn."""
    turns, ids = CardRotation(2), ("a", "b", "c", "d", "e")

    first = turns.of(ids)
    later = [tuple(turns.of(ids)) for _ in range(3)]
    turns.take_all()

    assert ids == first
    assert [("a", "b"), ("c", "d"), ("e", "a")] == later
    assert ids == turns.of(ids)


def test_a_few_cards_are_all_compared_each_time() -> None:
    """As they are where nobody floods."""
    turns = CardRotation(2)

    assert [("a", "b")] * 3 == [turns.of(("a", "b")) for _ in range(3)]
