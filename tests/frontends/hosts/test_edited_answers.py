"""Arguments a person has changed, told to hosts in their own names; what is unknown is no."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from typing import Any

import pytest

from signoff.assess.verdict import Verdict
from signoff.decide.decide import decide
from signoff.decide.decision import Decision
from signoff.errors import BadPayload
from signoff.frontends.hosts.adapter import HostEvent
from signoff.frontends.hosts.launch import hook_line
from signoff.frontends.hosts.registry import ADAPTERS, EDITS
from signoff.testing import FakeAssessment, make_action

SHELL_CALLS: Mapping[str, Mapping[str, Any]] = {
    "claude-code": {
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "rm a b", "timeout": 5},
    },
    "codex": {
        "hook_event_name": "PreToolUse",
        "tool_name": "exec_command",
        "tool_input": {"cmd": "rm a b", "workdir": "/w", "timeout": 5},
    },
    "copilot": {"toolName": "bash", "toolArgs": {"command": "rm a b", "mode": "sync"}},
    "gemini": {
        "hook_event_name": "BeforeTool",
        "tool_name": "run_shell_command",
        "tool_input": {"command": "rm a b", "dir_path": "sub", "description": "A step"},
    },
    "opencode": {"tool": "bash", "args": {"command": "rm a b", "workdir": "/w"}},
    "openclaw": {"toolName": "exec", "params": {"command": "rm a b", "pty": True}},
}
TOLD = {
    "claude-code": {"command": "rm a", "timeout": 5},
    "codex": {"cmd": "rm a", "workdir": "/w", "timeout": 5},
    "copilot": {"command": "rm a", "mode": "sync"},
    "gemini": {"command": "rm a", "dir_path": "sub", "description": "A step"},
    "opencode": {"command": "rm a", "workdir": "/w"},
    "openclaw": {"command": "rm a", "pty": True},
}


def event_of(host: str) -> HostEvent:
    """Return the event of the call of the shell."""
    return ADAPTERS[host].parse(json.dumps(SHELL_CALLS[host]).encode())


def retold(host: str, **changed: object) -> Any:  # noqa: ANN401 - any JSON value
    """Return the call's fields as they go back with these arguments changed, None = taken away."""
    event = event_of(host)
    assert event.call is not None
    assert event.retell is not None
    arguments = {**event.call.action.arguments, **changed}
    return event.retell({n: v for n, v in arguments.items() if v is not None})  # type: ignore[misc]  # any JSON value


def edited_decision() -> Decision:
    """Return an allow of something a person has changed."""
    action = make_action()
    assessment = FakeAssessment(action=action, preliminary=Verdict.ALLOW)
    return decide(action, assessment, edited_from="0" * 64)


def told(host: str) -> str:
    """Return what the host is told of the changed call."""
    render = ADAPTERS[host].render_edited
    assert render is not None
    return render(edited_decision(), retold(host, command="rm a")).stdout


def test_every_host_that_takes_changes_is_tried_here() -> None:
    """Nobody is offered an edit that these tests do not know."""
    assert set(SHELL_CALLS) == EDITS


@pytest.mark.parametrize("host", SHELL_CALLS)
def test_changes_go_back_in_the_hosts_own_names(host: str) -> None:
    """With everything beside them as it was."""
    assert retold(host, command="rm a") == TOLD[host]


@pytest.mark.parametrize("host", SHELL_CALLS)
def test_the_changed_fields_are_in_the_answer(host: str) -> None:
    """As an allow, under the name the host reads them by."""
    said = json.loads(told(host))
    outer = said.get("hookSpecificOutput", said)
    names = ("updatedInput", "tool_input", "args", "params")

    assert [outer[name] for name in names if name in outer] == [TOLD[host]]
    assert "allow" in (outer.get("permissionDecision"), said.get("decision"))


def test_copilots_own_name_is_said_as_well() -> None:
    """Copilot reads another field than VS Code."""
    assert json.loads(told("copilot"))["modifiedArgs"] == TOLD["copilot"]


@pytest.mark.parametrize("host", [name for name in sorted(EDITS) if ADAPTERS[name].form])
def test_the_installed_line_lets_it_through(host: str) -> None:
    """The line around the guard knows the form of a changed call."""
    line = hook_line(ADAPTERS[host], guard="cat")
    done = subprocess.run(
        ["/bin/sh", "-c", line], input=told(host), capture_output=True, text=True, check=False
    )

    assert (0, told(host)) == (done.returncode, done.stdout.strip())


@pytest.mark.parametrize("host", ["gemini", "openclaw"])
def test_a_host_that_merges_cannot_be_told_of_less(host: str) -> None:
    """What was taken away would still be there."""
    with pytest.raises(BadPayload, match="cannot be taken away"):
        retold(host, command=None)


def test_a_host_that_replaces_can_be_told_of_less() -> None:
    """The whole input is another one."""
    assert retold("claude-code", timeout=None) == {"command": "rm a b"}


def test_a_change_of_kind_is_no_change() -> None:
    """A line does not become a list."""
    with pytest.raises(BadPayload, match="cannot be changed"):
        retold("codex", command=["rm", "a"])


def test_what_stands_beside_the_arguments_cannot_be_changed() -> None:
    """The folder was bound as the folder, not as an argument."""
    with pytest.raises(BadPayload, match="workdir"):
        retold("codex", workdir="/etc")
