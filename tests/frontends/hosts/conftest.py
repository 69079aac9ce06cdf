"""Decisions as they are wanted, for every host's tests."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from host_contract import make_decision

from signoff.decide.decision import Decision


@pytest.fixture
def decided() -> Callable[..., Decision]:
    """Return what makes a decision of a verdict, and a tool if it matters."""
    return make_decision
