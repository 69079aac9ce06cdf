"""What was seen is held for a moment, and seen again in the next."""

from __future__ import annotations

import itertools

from signoff.storage.fs_probe.probe import TickCache


def test_one_look_is_taken_in_a_moment() -> None:
    """And another in the next."""
    looks, moments = itertools.count(), iter("aab")
    held = TickCache(lambda: next(looks), lambda: next(moments))

    assert [0, 0, 1] == [held.now() for _ in range(3)]


def test_without_moments_every_look_is_new() -> None:
    """As nothing is known of how long it would hold."""
    looks = itertools.count()
    held = TickCache(lambda: next(looks))

    assert [0, 1, 2] == [held.now() for _ in range(3)]


def test_what_is_forgotten_is_looked_at_anew() -> None:
    """Within the same moment."""
    looks = itertools.count()
    held = TickCache(lambda: next(looks), lambda: 1)
    seen = [held.now()]
    held.forget()

    assert [0, 1] == [*seen, held.now()]
