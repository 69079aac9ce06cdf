"""What became of calls, beside their decisions, also where the host's own prompt settled them."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from inbox_caller import Scene, asking_on_the_web, at_inbox
from live_daemon import LiveDaemon, served, wait_until

from signoff import Action
from signoff.frontends.python.client import Client

PRUNES = "docker system prune -af"
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


def test_the_newest_outcome_is_the_same_everywhere(home: Path) -> None:
    """Before any other entry takes it in: on every page, and for commands a moment later."""
    with served(home) as daemon:
        daemon.tell_of("PreToolUse", "t0", "ls")
        daemon.tell_of("PostToolUse", "t0", "ls")
        person = at_inbox(daemon)
        pages = [person.get(f"/web/{name}") for name in ("history", "timeline?session=s1")]
        entry = person.get("/web/history/1")
        wait_until(lambda: "[ran]" in daemon.signoff("audit", "tail").stdout)
        shown = json.loads(daemon.signoff("audit", "show", "1", "--json").stdout)["outcome"]
        found = json.loads(daemon.signoff("audit", "query").stdout)["outcome"]
        exported = json.loads(daemon.signoff("audit", "export").stdout)["outcome"]

    assert [True, True] == ['<td data-label="outcome">ran</td>' in page for page in pages]
    assert '<dd id="result">ran</dd>' in entry
    assert ["ran", "ran", "ran"] == [shown, found, exported]


def test_a_python_program_tells_how_its_call_ended(tmp_path: Path) -> None:
    """The record holds it as it holds what hosts report."""
    with asking_on_the_web(tmp_path) as daemon:
        person, client = at_inbox(daemon), Client(f"unix:{daemon.socket}", deadline_s=60)
        action = Action(
            tool="Bash", arguments={"command": PRUNES}, session="p1", cwd="/", source="python"
        )
        with ThreadPoolExecutor(1) as pool, closing(client):
            wait_until(client.is_there)
            call = pool.submit(client.check_now, action)
            request = Scene(daemon=daemon, person=person, session="p1").asked()
            person.answer(request, "approve")
            client.finish_now(call.result(30), has_failed=True)
        page = person.get(f"/web/requests/{request}")
        wait_until(lambda: "[failed]" in daemon.signoff("audit", "tail").stdout)

    assert "Outcome: failed." in page
