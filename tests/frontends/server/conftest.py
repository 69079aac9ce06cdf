"""Daemons for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.warm_home import give_patterns
from live_daemon import LiveDaemon, served


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDaemon]:
    """Return a running daemon for the tests of one file."""
    with served(tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home of its own."""
    folder = tmp_path / "home"
    folder.mkdir()
    give_patterns(folder)
    return folder
