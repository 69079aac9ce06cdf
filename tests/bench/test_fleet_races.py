"""Races of four nodes for the requests of one store, and their control."""

from __future__ import annotations

import pytest
from bench.fleet.races import race

from postgres_server import binaries

pytestmark = pytest.mark.skipif(not binaries(), reason="no PostgreSQL (apt-get install postgresql)")


def test_no_request_is_answered_or_used_twice_on_four_nodes() -> None:
    """T-32: two say yes and two say no at the same moment; one of them is believed."""
    result = race(40)

    assert result.is_safe, result


def test_the_races_would_show_a_second_answer_and_a_second_use() -> None:
    """Looking first and writing afterwards is seen to fail: else the zeros above say nothing."""
    result = race(80, is_safe=False)

    assert result.answered_twice > 0
    assert result.used_twice > 0
    assert not result.is_safe
