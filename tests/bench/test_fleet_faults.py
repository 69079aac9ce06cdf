"""The faults of a fleet: one cell on real daemons and a real PostgreSQL, and its control."""

from __future__ import annotations

import pytest
from bench.fleet.faults import CELLS, run_cell

from postgres_server import binaries

pytestmark = pytest.mark.skipif(not binaries(), reason="no PostgreSQL (apt-get install postgresql)")


def test_nothing_that_was_allowed_is_lost_when_the_network_is_cut() -> None:
    """The daemons decide again by themselves."""
    assert "cut_network" in CELLS
    assert run_cell("cut_network", 1, is_control=False)


def test_a_daemon_that_answers_too_early_is_caught() -> None:
    """Else the cell would find nothing in a broken signoff either."""
    assert run_cell("slow_database", 1, is_control=True)
    assert not run_cell("cut_network", 0, is_control=False)
