"""Where the output of a start goes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from signoff.frontends.client.places import Places
from signoff.frontends.server.control import NotRunning, start


def test_a_start_log_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    """What it leads to stays as it is, and the command says why nothing starts."""
    victim = tmp_path / "victim"
    victim.write_text("keep", encoding="utf-8")
    places = Places(str(tmp_path / "state"))
    places.make()
    os.makedirs(os.path.dirname(places.start_log), mode=0o700, exist_ok=True)
    os.symlink(victim, places.start_log)

    with pytest.raises(NotRunning, match="cannot use the log"):
        start(places)

    assert victim.read_text(encoding="utf-8") == "keep"
