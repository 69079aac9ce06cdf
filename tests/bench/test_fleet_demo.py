"""The story of a fleet from beginning to end, and that its steps can fail."""

from __future__ import annotations

import pytest
from bench.fleet.demo import demo

from postgres_server import binaries

pytestmark = pytest.mark.skipif(not binaries(), reason="no PostgreSQL (apt-get install postgresql)")


def test_an_agent_whose_node_is_killed_is_let_through_once_by_another() -> None:
    """Asked on one node, answered on the phone through the other, recorded, verified."""
    steps: list[str] = []
    with demo(steps.append) as one:
        one.run()
        ran = one.ran.read_text("utf-8").split()

    assert 2 == len(ran)  # an ordinary call, and the one that was approved
    assert "chain of node a: 1 entries, verified" in steps
    assert "chain of node b: 2 entries, verified" in steps


def test_nodes_without_a_common_key_do_not_get_through_it() -> None:
    """Else the steps above would show nothing."""
    with (
        demo(lambda _: None, key="", within_s=8.0) as one,
        pytest.raises(AssertionError, match="node b lists its request"),
    ):
        one.run()
