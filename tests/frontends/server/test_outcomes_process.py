"""What became of calls, beside their decisions, also where the host's own prompt settled them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from live_daemon import LiveDaemon, served

ASKED = "docker push registry.example.org/app:1"


def told(daemon: LiveDaemon, event: str, call_id: str, command: str, session: str = "s1") -> None:
    """Send an event of Claude Code about a call."""
    said: dict[str, Any] = {
        "session_id": session,
        "cwd": str(daemon.home),
        "hook_event_name": event,
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": call_id,
        "tool_response": {"stdout": ""},
    }
    reply = daemon.request("POST", "/hooks/claude-code", json.dumps(said).encode())
    assert 200 == reply.status


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
            told(daemon, "PreToolUse", f"t{number}", command)
        told(daemon, "PostToolUse", "t0", "ls")
        told(daemon, "PostToolUseFailure", "t1", "false")
        told(daemon, "PostToolUse", "t3", ASKED)
        told(daemon, "PostToolUse", "t9", "a call that was never asked about")
        told(daemon, "PostToolUse", "t0", "ls", session="another session")
    # Nothing was decided since: the outcomes wait for the next daemon, and its next entry.
    with served(home) as daemon:
        told(daemon, "PreToolUse", "t10", "date")
        rows = [json.loads(line) for line in audit(daemon, "query").splitlines()]
        shown = json.loads(audit(daemon, "show", "4", "--json"))

    expected = ["ran", "failed", "not seen", "ran", "", "not seen"]
    assert expected == [row["outcome"] for row in rows]
    assert ("ask", "ran") == (shown["verdict"], shown["outcome"])
    assert 3 == sum(len(row.get("outcomes", ())) for row in rows)
