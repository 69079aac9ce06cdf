"""What became of calls, beside their decisions, also where the host's own prompt settled them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from live_daemon import LiveDaemon, served

ASKED = "docker push registry.example.org/app:1"


def audit(daemon: LiveDaemon, *arguments: str) -> str:
    """Run `signoff audit` in the home of a daemon."""
    line = [sys.executable, "-I", "-m", "signoff", "audit", *arguments]
    done = subprocess.run(
        line, env=daemon.environment, capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with a project, whose questions go to the host's own prompt."""
    (tmp_path / ".git").mkdir()
    return tmp_path


def test_outcomes_stand_beside_decisions(home: Path) -> None:
    """Ran, failed, not seen; asked at the host's prompt and run; and nothing of a denied call."""
    with served(home) as daemon:
        for number, command in enumerate(("ls", "false", "pwd", ASKED, "rm -rf /")):
            daemon.tell_of("PreToolUse", f"t{number}", command)
        daemon.tell_of("PostToolUse", "t0", "ls")
        daemon.tell_of("PostToolUseFailure", "t1", "false")
        daemon.tell_of("PostToolUse", "t3", ASKED)
        daemon.tell_of("PostToolUse", "t9", "a call that was never asked about")
        daemon.tell_of("PostToolUse", "t0", "ls", session="another session")
    # Nothing was decided since: the outcomes wait for the next daemon, and its next entry.
    with served(home) as daemon:
        daemon.tell_of("PreToolUse", "t10", "date")
        rows = [json.loads(line) for line in audit(daemon, "query").splitlines()]
        shown = json.loads(audit(daemon, "show", "4", "--json"))

    expected = ["ran", "failed", "not seen", "ran", "", "not seen"]
    assert expected == [row["outcome"] for row in rows]
    assert ("ask", "ran") == (shown["verdict"], shown["outcome"])
    assert 3 == sum(len(row.get("outcomes", ())) for row in rows)
