"""Hosts that tell of a call twice, before a real daemon: a person is asked once for one call."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest
from inbox_caller import ASKS_ON_THE_WEB, Scene, at_inbox
from live_daemon import LiveDaemon, served, wait_until

RULES = """
version: 1
rules:
  - name: ask-first
    action: escalate
    match: {command: touch}
    reason: a test wants to be asked
  - name: ask-first-about-tools
    action: escalate
    tool: "mcp__*"
    reason: a test wants to be asked
"""
PASSED: dict[str, Any] = {}
LINE = "touch once"
DIFFERENT = "touch another"


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """One host's session: its two events about a call, and its report that the call has ended.

    Args:
        first, second: the adapters of both events; `allowed` is what the second says of an allow.
    """

    scene: Scene
    pool: ThreadPoolExecutor
    first: str
    second: str
    allowed: dict[str, Any]

    def first_event(self, command: str = LINE, call_id: str = "c1") -> Future[Any]:
        """Tell of a call by the first event; the answer comes when it is there."""
        said: dict[str, Any] = {**self._session, "tool_use_id": call_id}
        if self.first == "codex":
            said |= {"hook_event_name": "PreToolUse", "tool_name": "Bash"}
            said |= {"tool_input": {"command": command}}
        else:
            fields = {"command": command, "working_directory": "/", "is_background": False}
            said |= {"hook_event_name": "preToolUse", "tool_name": "Shell", "tool_input": fields}
        return self.tell(self.first, said)

    def second_event(self, command: str = LINE, **other: str) -> Future[Any]:
        """Tell of it by the second one, which has no id of the call."""
        said: dict[str, Any] = {**self._session, **other}
        if self.first == "codex":
            why = other.get("description", "it must be made")
            said |= {"hook_event_name": "PermissionRequest", "tool_name": "Bash"}
            said |= {"tool_input": {"command": command, "description": why}}
        else:
            said |= {"hook_event_name": "beforeShellExecution", "command": command}
            said |= {"sandbox": False}
        return self.tell(self.second, said)

    def ended(self, command: str = LINE, call_id: str = "c1") -> None:
        """Tell that the call has ended."""
        said: dict[str, Any] = {**self._session, "tool_use_id": call_id}
        if self.first == "codex":
            said |= {"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_response": ""}
            said |= {"tool_input": {"command": command}}
            assert PASSED == self.tell("codex", said).result(timeout=30)
        else:
            fields = {"command": command, "working_directory": "/", "is_background": False}
            said |= {"hook_event_name": "postToolUse", "tool_name": "Shell", "tool_input": fields}
            assert PASSED == self.tell("cursor", said).result(timeout=30)

    def answer(self, answer: str = "approve", *, count: int = 1) -> None:
        """Answer the card of that number."""
        assert 303 == self.scene.person.answer(self.scene.asked(count), answer)

    def let_go(self, command: str = LINE, call_id: str = "c1", *, count: int = 1) -> None:
        """Have a person let a call go at its first event."""
        waiting = self.first_event(command, call_id)
        self.answer(count=count)
        assert PASSED == waiting.result(timeout=30)

    def is_asked(self, waiting: Future[Any], *, count: int) -> bool:
        """Tell whether a card of that number comes, and refuse it."""
        wait_until(lambda: len(self.scene.requests()) >= count or waiting.done())
        if waiting.done():
            return False
        self.answer("deny", count=count)
        return bool(waiting.result(timeout=30) != self.allowed)

    @property
    def _session(self) -> dict[str, Any]:
        name = "session_id" if self.first == "codex" else "conversation_id"
        return {name: self.scene.session, "cwd": "/", "workspace_roots": ["/"], "turn_id": "t"}

    def tell(self, adapter: str, said: dict[str, Any]) -> Future[Any]:
        """Send an event as the host's hook does."""
        body, daemon = json.dumps(said).encode(), self.scene.daemon
        return self.pool.submit(lambda: daemon.request("POST", f"/hooks/{adapter}", body).said)


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDaemon]:
    """Return a daemon that asks in its inbox."""
    home = tmp_path_factory.mktemp("home")
    config = home / ".config" / "signoff"
    config.mkdir(parents=True)
    (config / "signoff.yaml").write_text(ASKS_ON_THE_WEB)
    (config / "rules.yaml").write_text(RULES)
    with served(home) as running:
        yield running


@pytest.fixture(params=["codex", "cursor"])
def host(request: pytest.FixtureRequest, daemon: LiveDaemon) -> Iterator[Host]:
    """Return a session of its own, of either host."""
    scene = Scene(daemon=daemon, person=at_inbox(daemon), session=request.node.name)
    said = {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}
    is_codex = request.param == "codex"
    with ThreadPoolExecutor() as pool:
        yield Host(
            scene=scene,
            pool=pool,
            first="codex" if is_codex else "cursor-tool",
            second="codex-permission" if is_codex else "cursor",
            allowed={"hookSpecificOutput": said} if is_codex else {"permission": "allow"},
        )


def test_a_person_is_asked_once_for_one_call(host: Host) -> None:
    """The second event passes on what was said at the first, and the record says on what."""
    host.let_go()
    answer = host.second_event().result(timeout=30)
    (card,) = host.scene.requests()
    first, second = host.scene.record()

    assert host.allowed == answer
    assert ["web", "second_look"] == [first["decided_by"], second["decided_by"]]
    assert [card[0]] * 2 == [first["approval_id"], second["approval_id"]]
    assert [("owner", "web")] * 2 == [(one["approver"], one["channel"]) for one in (first, second)]
    assert f"told twice by its host: request {card[0]}" in second["reason"]


def test_the_same_call_later_is_asked_about_again(host: Host) -> None:
    """At its first event; and its second one rests on that answer, not on the one before."""
    host.let_go()
    assert host.allowed == host.second_event().result(timeout=30)
    host.ended()
    host.let_go(call_id="c2", count=2)

    assert host.allowed == host.second_event().result(timeout=30)
    assert ["done", "executing"] == [state for _, state in host.scene.requests()]


def test_a_second_event_without_a_first_is_asked_about(host: Host) -> None:
    """And what is let go there is let go there only."""
    waiting = host.second_event()
    host.answer()

    assert host.allowed == waiting.result(timeout=30)
    assert host.is_asked(host.second_event(), count=2)


def test_other_arguments_are_asked_about(host: Host) -> None:
    """Nobody has let them go."""
    host.let_go()

    assert host.is_asked(host.second_event(DIFFERENT), count=2)


@pytest.mark.parametrize("host", ["codex"], indirect=True)
def test_another_session_is_asked_about(host: Host) -> None:
    """It is another agent's call."""
    host.let_go()
    name = "session_id" if host.first == "codex" else "conversation_id"
    other = host.second_event(**{name: f"{host.scene.session}-2"})
    everywhere = Scene(daemon=host.scene.daemon, person=host.scene.person, session="")
    wait_until(lambda: everywhere.requests()[-1][1] == "pending")

    assert 303 == host.scene.person.answer(everywhere.requests()[-1][0], "deny")
    assert host.allowed != other.result(timeout=30)


def test_a_call_that_has_ended_is_asked_about(host: Host) -> None:
    """What its host asks after that is for another run."""
    host.let_go()
    host.ended()

    assert host.is_asked(host.second_event(), count=2)


@pytest.mark.parametrize("host", ["codex"], indirect=True)
def test_one_approval_has_one_second_event(host: Host) -> None:
    """A third event about the call is another run of it."""
    host.let_go()
    assert host.allowed == host.second_event().result(timeout=30)

    assert host.is_asked(host.second_event(), count=2)


@pytest.mark.parametrize("host", ["codex"], indirect=True)
def test_a_refusal_at_the_first_event_is_none_at_the_second(host: Host) -> None:
    """It is the same answer there, as long as it is told to the same call."""
    waiting = host.first_event()
    host.answer("deny")
    assert "den" in json.dumps(waiting.result(timeout=30))

    assert "den" in json.dumps(host.second_event().result(timeout=30))


@pytest.mark.parametrize("host", ["codex"], indirect=True)
@pytest.mark.parametrize("why", ["network-access http://example.com:80", ""])
def test_a_run_more_and_a_connection_are_other_questions(host: Host, why: str) -> None:
    """Codex asks about them under the command that runs, or has run in its sandbox."""
    host.let_go()

    assert host.is_asked(host.second_event(description=why), count=2)


@pytest.mark.parametrize("host", ["cursor"], indirect=True)
def test_an_mcp_tool_of_cursor_is_asked_about_once(host: Host) -> None:
    """Its fields come as JSON first, and as JSON in a string then."""
    said = {"conversation_id": host.scene.session, "workspace_roots": ["/"]}
    fields = {"to": "x", "tags": [1, {"a": None}]}
    before = {"hook_event_name": "preToolUse", "tool_name": "MCP:get_weather", "tool_input": fields}
    waiting = host.tell("cursor-tool", {**said, **before, "tool_use_id": "c1"})
    host.answer()
    assert PASSED == waiting.result(timeout=30)
    now = {"hook_event_name": "beforeMCPExecution", "tool_name": "get_weather"}
    again = host.tell("cursor", {**said, **now, "tool_input": json.dumps(fields)})

    assert host.allowed == again.result(timeout=30)
    assert 1 == len(host.scene.requests())
