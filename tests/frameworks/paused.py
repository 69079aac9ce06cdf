"""A real daemon with a person at its inbox, for agents that are killed while they wait.

The daemon runs on the Python that has all of signoff (DAEMON_PYTHON); the tests of its own folder
bring the person.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

SERVER_TESTS = Path(__file__).parents[1] / "frontends" / "server"


@contextmanager
def person_at(home: Path) -> Iterator[Any]:
    """Give the owner at the inbox of a daemon in this home, and what leads to requests."""
    python = os.environ.get("DAEMON_PYTHON")
    if not python:
        pytest.skip("needs a daemon: scripts/test-frameworks gives one")
    # What starts signoff for the tests lies above both.
    for folder in (SERVER_TESTS, SERVER_TESTS.parents[1]):
        if str(folder) not in sys.path:
            sys.path.append(str(folder))
    import inbox_caller as inbox  # noqa: PLC0415 - only here are their folders on the path
    import live_daemon  # noqa: PLC0415 - as above

    config = home / ".config" / "signoff"
    config.mkdir(parents=True)
    (config / "signoff.yaml").write_text(inbox.ASKS_ON_THE_WEB)
    own, sys.executable = sys.executable, python  # what starts daemons and terminals
    try:
        with live_daemon.served(home) as daemon:
            live_daemon.wait_until(daemon.socket.exists)
            person = inbox.at_inbox(daemon)
            yield SimpleNamespace(
                daemon=daemon,
                person=person,
                scene=lambda session: inbox.Scene(daemon=daemon, person=person, session=session),
            )
    finally:
        sys.executable = own
