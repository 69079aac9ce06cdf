"""Inboxes for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from inbox_station import Station, running


@pytest.fixture(scope="module")
def station(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Station]:
    """Return a running inbox for the tests of one file."""
    with running(tmp_path_factory.mktemp("inbox")) as started:
        yield started


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Station]:
    """Return a running inbox in which nothing has happened."""
    with running(tmp_path) as started:
        yield started
