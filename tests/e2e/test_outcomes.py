"""The real Claude Code, a daemon and a person: what was changed is what runs, and its end is noted.

The person is a program that fills in the inbox's own form.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from claude_code import ClaudeCode
from resident import ASK_FIRST, TRUSTING, bash, left_in, resident

sys.path.append(str(Path(__file__).parents[1] / "frontends" / "server"))
from inbox_caller import (
    ASKS_ON_THE_WEB,
    Person,
    Scene,
    at_inbox,
)
from live_daemon import LiveDaemon, wait_until


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalSetup:
    """Claude Code before a daemon, and who is asked."""

    claude: ClaudeCode
    daemon: LiveDaemon
    person: Person

    def run(self, command: str, **answer: str) -> list[str]:
        """Let the agent run a line that is approved with these fields; return what it left."""
        with ThreadPoolExecutor() as pool:
            session = pool.submit(self.claude.run, bash(command), options=TRUSTING)
            wait_until(lambda: bool(self.states()) or session.done())
            ((request_id, _),) = self.states()
            assert self.person.answer(request_id, "approve", **answer) == 303
            session.result(timeout=120)
        return left_in(self.claude)

    def states(self) -> list[tuple[str, str]]:
        """Return id and state of every request, whatever session it is of."""
        scene = Scene(daemon=self.daemon, person=self.person, session="")
        return scene.requests()


@pytest.fixture(params=["command", "http"])
def setup(claude: ClaudeCode, request: pytest.FixtureRequest) -> Iterator[ApprovalSetup]:
    """Return Claude Code before a daemon that asks in its inbox."""
    files = {"signoff.yaml": f"server: {{port: PORT}}\n{ASKS_ON_THE_WEB}", "rules.yaml": ASK_FIRST}
    with resident(claude, files, hooks=("claude-code", "--kind", str(request.param))) as port:
        daemon = LiveDaemon(home=claude.home, port=port)
        yield ApprovalSetup(claude=claude, daemon=daemon, person=at_inbox(daemon))


def test_a_changed_command_is_what_runs(setup: ApprovalSetup) -> None:
    """Not the one the agent asked for; and once it has run, that is noted."""
    before, after = ({"command": f"touch {name}"} for name in ("asked", "changed"))

    left = setup.run("touch asked", unedited=json.dumps(before), edited=json.dumps(after))
    wait_until(lambda: setup.states()[0][1] == "done")

    assert left == ["changed"]


@pytest.mark.parametrize(
    ("line", "state"), [("touch ran", "done"), ("touch ran; (exit 3)", "failed")]
)
def test_what_came_of_an_approved_command_is_noted(
    setup: ApprovalSetup, line: str, state: str
) -> None:
    """As Claude Code itself reports it."""
    left = setup.run(line)
    wait_until(lambda: setup.states()[0][1] == state)

    assert left == ["ran"]


def test_a_slow_report_of_the_last_call_still_arrives(setup: ApprovalSetup) -> None:
    """Claude Code kills hooks it does not wait for as soon as a session without a person ends."""
    path = setup.claude.settings
    settings = json.loads(path.read_text(encoding="utf-8"))
    for group in settings["hooks"]["PostToolUseFailure"]:
        for hook in group["hooks"]:
            hook["command"] = f"sleep 2; {hook['command']}"
    path.write_text(json.dumps(settings), encoding="utf-8")

    setup.run("touch ran; (exit 3)")

    wait_until(lambda: setup.states()[0][1] == "failed")
