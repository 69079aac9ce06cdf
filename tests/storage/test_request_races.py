"""Two processes answer at once: one of them is told that the other was first."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.approval_races import race


def test_no_request_is_decided_twice() -> None:
    """T-32: a yes and a no from two processes; each request gets exactly one of them."""
    result = race(60)

    assert (result.won, result.decided_twice, result.undecided) == (60, 0, 0)


def test_the_races_would_show_a_double_decision() -> None:
    """Looking first and writing afterwards is seen to fail: else the zero above says nothing."""
    twice = sum(race(200, is_safe=False).decided_twice for _ in range(3))

    assert twice > 0
