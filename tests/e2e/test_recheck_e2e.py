"""The real Claude Code runs what people approved only after the last look, under its own rules."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from claude_code import ClaudeCode, Session
from resident import bash, left_in, resident

from signoff.build.approvals import Approvals, build_approvals
from signoff.challenge.pending import PendingRequest, RequestState
from signoff.settings import load_settings

sys.path.append(str(Path(__file__).parents[1] / "frontends" / "server"))
from inbox_caller import Person, at_inbox
from live_daemon import LiveDaemon

SETTINGS = """
server: {port: PORT}
channels: [web]
limits: {min_review_s: 1, answer_timeout_s: 60}
approval: {recheck: true, too_fast: mark}
"""
RULES = """
version: 1
rules:
  - name: ask-first
    action: escalate
    tool: Bash
    match: {command: {glob: "*work*"}}
    reason: a test wants to be asked
"""
ME = {"channel": "terminal", "id": f"uid:{os.getuid()}"}
PEOPLE = {
    "version": 1,
    "approvers": [{"id": "ada", "role": "admin", "identities": [ME]}],
}
WITHIN_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalSetup:
    """Claude Code before a daemon, and somebody who approves everything."""

    claude: ClaudeCode
    approvals: Approvals
    person: Person

    def run(
        self, *commands: str, meanwhile: Callable[[PendingRequest], None] = lambda _: None
    ) -> tuple[Session, list[PendingRequest]]:
        """Run one session; `meanwhile` happens to each request once it was let go."""
        asked: list[PendingRequest] = []
        with ThreadPoolExecutor(2) as pool:
            running = pool.submit(self.claude.run, *(bash(command) for command in commands))
            deadline = time.monotonic() + WITHIN_S
            while not running.done() and time.monotonic() < deadline:
                for pending in asyncio.run(self.approvals.requests.listed(RequestState.PENDING)):
                    asked.append(self._approved(pending))
                    meanwhile(pending)
                time.sleep(0.02)
            return running.result(), asked

    def _approved(self, pending: PendingRequest) -> PendingRequest:
        assert 303 == self.person.answer(pending.id, "approve")
        return pending

    def state(self, pending: PendingRequest) -> RequestState:
        """Return where a request stands."""
        found = asyncio.run(self.approvals.requests.get(pending.id))
        assert found is not None
        return found.state

    def there(self) -> list[str]:
        """Return what the calls have left behind."""
        return left_in(self.claude)

    def forbid(self, **rules: list[str]) -> None:
        """Give the host rules of its own."""
        settings = self.claude.settings
        said: dict[str, Any] = json.loads(settings.read_text(encoding="utf-8"))
        settings.write_text(json.dumps({**said, "permissions": rules}), encoding="utf-8")


@pytest.fixture
def setup(claude: ClaudeCode) -> Iterator[ApprovalSetup]:
    """Return Claude Code before a daemon that has approved calls looked at once more."""
    files = {
        "signoff.yaml": SETTINGS,
        "rules.yaml": RULES,
        "approvers.json": json.dumps(PEOPLE),
    }
    environment = {
        "SIGNOFF_CONFIG_DIR": str(claude.home / ".config" / "signoff"),
        "SIGNOFF_STATE_DIR": str(claude.home / ".local" / "state" / "signoff"),
    }
    with resident(claude, files) as port:
        approvals = build_approvals(load_settings(environment=environment))
        person = at_inbox(LiveDaemon(home=claude.home, port=port))
        yield ApprovalSetup(claude=claude, approvals=approvals, person=person)
        approvals.close()


def test_what_was_approved_runs_as_if_nothing_stood_before_it(setup: ApprovalSetup) -> None:
    """With its own output and status; the folder it goes to is kept, as the host keeps it."""
    line = "mkdir -p work; cd work; cat <<'E'\nhe said \"x\"\nE\ntouch ran; exit 7"

    session, asked = setup.run("mkdir -p work && cd work && cat <<'E'\nhe said \"x\"\nE", "pwd")
    again, _ = setup.run(line)

    assert len(asked) == 1
    assert "he said" in session.results[0]
    assert session.results[1].endswith('/project/work"')
    assert "Exit code 7" in again.results[0]


def test_what_changes_after_the_hook_has_answered_does_not_run(setup: ApprovalSetup) -> None:
    """The window between the answer and the shell is looked into by the shell itself."""
    script = setup.claude.project / "work.sh"
    script.write_text("touch good\n")

    def change(pending: PendingRequest) -> None:
        deadline = time.monotonic() + WITHIN_S
        while setup.state(pending) is RequestState.APPROVED and time.monotonic() < deadline:
            time.sleep(0.001)
        script.write_text("touch bad\n")

    session, (pending,) = setup.run("sh work.sh", meanwhile=change)

    assert setup.there() == ["work.sh"]
    assert "has changed since it was approved" in session.results[0]
    assert setup.state(pending) is RequestState.FAILED


def test_the_hosts_own_rules_still_see_the_command(setup: ApprovalSetup) -> None:
    """A deny rule of the host refuses what people approved, as without the last look."""
    setup.forbid(deny=["Bash(touch *)"])

    session, asked = setup.run("touch work")

    assert len(asked) == 1
    assert setup.there() == []
    assert "denied" in session.results[0]


def test_the_agent_gains_nothing_by_the_look_itself(setup: ApprovalSetup) -> None:
    """It answers for nothing but the line it was put before, and only in its session."""
    _, (pending,) = setup.run("touch work")
    words = ("exec", pending.id)
    done = setup.claude.signoff(*words)

    assert done.returncode == 126
    assert "not run" in done.stderr
    assert setup.there() == ["work"]
