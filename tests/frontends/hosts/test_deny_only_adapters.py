"""Hosts that know yes and no: Gemini CLI, Windsurf, Cline, Kiro, OpenCode."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from signoff.assess.verdict import Verdict
from signoff.challenge.answer import BY_TIMEOUT
from signoff.decide.decision import Decision
from signoff.frontends.hosts.adapter import Adapter, HostAnswer
from signoff.frontends.hosts.registry import HOSTS
from signoff.settings import HostsAllow

GEMINI = {"session_id": "s1", "cwd": "/w", "hook_event_name": "BeforeTool"}
WINDSURF = {"trajectory_id": "s1", "execution_id": "c1"}
CLINE = {"hookName": "PreToolUse", "taskId": "s1", "workspaceRoots": ["/w"]}
KIRO = {"hook_event_name": "preToolUse", "cwd": "/w", "session_id": "s1"}
OPENCODE = {"sessionID": "s1", "callID": "c1", "directory": "/w"}

CALLS: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    (
        "gemini",
        GEMINI | {"tool_name": "run_shell_command", "tool_input": {"command": "ls"}},
        "Bash",
        {"command": "ls"},
    ),
    (
        "gemini",
        GEMINI | {"tool_name": "write_file", "tool_input": {"file_path": "a", "content": "x"}},
        "Write",
        {"file_path": "a", "content": "x"},
    ),
    (
        "gemini",
        GEMINI
        | {
            "tool_name": "replace",
            "tool_input": {
                "file_path": "a",
                "old_string": "x",
                "new_string": "y",
                "instruction": "i",
            },
        },
        "Edit",
        {"file_path": "a", "old_string": "x", "new_string": "y"},
    ),
    (
        "windsurf",
        WINDSURF
        | {
            "agent_action_name": "pre_run_command",
            "tool_info": {"command_line": "ls", "cwd": "/w"},
        },
        "Bash",
        {"command": "ls"},
    ),
    (
        "windsurf",
        WINDSURF
        | {
            "agent_action_name": "pre_write_code",
            "tool_info": {"file_path": "/w/a", "edits": [{"old_string": "x", "new_string": "y"}]},
        },
        "Edit",
        {"file_path": "/w/a", "edits": [{"old_string": "x", "new_string": "y"}]},
    ),
    (
        "windsurf",
        WINDSURF
        | {
            "agent_action_name": "pre_mcp_tool_use",
            "tool_info": {
                "mcp_server_name": "git",
                "mcp_tool_name": "push",
                "mcp_tool_arguments": {"to": "x"},
            },
        },
        "mcp__git__push",
        {"to": "x"},
    ),
    (
        "cline",
        CLINE
        | {
            "preToolUse": {
                "toolName": "execute_command",
                "parameters": {"command": "ls", "requires_approval": "false"},
            }
        },
        "Bash",
        {"command": "ls"},
    ),
    (
        "cline",
        CLINE
        | {
            "preToolUse": {
                "toolName": "use_mcp_tool",
                "parameters": {
                    "server_name": "git",
                    "tool_name": "push",
                    "arguments": '{"to": "x"}',
                },
            }
        },
        "mcp__git__push",
        {"to": "x"},
    ),
    (
        "cline",
        CLINE
        | {
            "preToolUse": {
                "toolName": "attempt_completion",
                "parameters": {"result": "done", "command": "rm -rf x"},
            }
        },
        "Bash",
        {"command": "rm -rf x"},
    ),
    (
        "kiro",
        KIRO | {"tool_name": "execute_bash", "tool_input": {"command": "ls", "summary": "s"}},
        "Bash",
        {"command": "ls"},
    ),
    (
        "kiro",
        KIRO
        | {
            "tool_name": "fs_read",
            "tool_input": {"operations": [{"mode": "Line", "path": "a"}, {"path": "/b"}]},
        },
        "read_many_files",
        {"paths": ["a", "/b"]},
    ),
    (
        "kiro",
        KIRO
        | {
            "tool_name": "fs_write",
            "tool_input": {"command": "create", "path": "a", "file_text": "x"},
        },
        "Write",
        {"path": "a", "content": "x"},
    ),
    (
        "kiro",
        KIRO
        | {
            "tool_name": "use_aws",
            "tool_input": {
                "service_name": "s3api",
                "operation_name": "delete-bucket",
                "parameters": {"bucket": "b 1"},
                "region": "eu-west-1",
            },
        },
        "Bash",
        {"command": "aws s3api delete-bucket --region eu-west-1 --bucket 'b 1'"},
    ),
    ("kiro", KIRO | {"tool_name": "@git/push", "tool_input": {}}, "mcp__git__push", {}),
    (
        "opencode",
        OPENCODE | {"tool": "bash", "args": {"command": "ls", "workdir": "/w"}},
        "Bash",
        {"command": "ls"},
    ),
    (
        "opencode",
        OPENCODE | {"tool": "edit", "args": {"filePath": "a", "oldString": "x", "newString": "y"}},
        "Edit",
        {"file_path": "a", "old_string": "x", "new_string": "y"},
    ),
]


@pytest.mark.parametrize(("host", "event", "known", "arguments"), CALLS)
def test_a_call_comes_under_known_names(
    host: str, event: dict[str, Any], known: str, arguments: dict[str, Any]
) -> None:
    """Every host's names become those that are understood."""
    call = HOSTS[host].parse(json.dumps(event).encode()).call

    assert call is not None
    assert (known, arguments, "s1", host) == (
        call.action.tool,
        call.action.arguments,
        call.action.session,
        call.action.source,
    )


@pytest.mark.parametrize("folder", ["dir_path", "directory"])
def test_the_folder_of_a_shell_line_counts(folder: str) -> None:
    """Where a line runs decides what it means."""
    fields = {"command": "rm -rf build", folder: "../other"}
    event = GEMINI | {"tool_name": "run_shell_command", "tool_input": fields}
    call = HOSTS["gemini"].parse(json.dumps(event).encode()).call

    assert call is not None
    assert ("/other", {"command": "rm -rf build"}) == (call.action.cwd, call.action.arguments)


GO_ON = {
    "gemini": HostAnswer(stdout="{}"),
    "windsurf": HostAnswer(stdout="{}"),
    "cline": HostAnswer(stdout='{"cancel": false}'),
    "kiro": HostAnswer(stdout="{}"),
    "opencode": HostAnswer(stdout='{"decision": "allow"}'),
}


def reason_of(adapter: Adapter, answer: HostAnswer) -> str:
    """Return the reason of a refusal in the host's own form; fails if it is none."""
    if adapter.name in {"windsurf", "kiro"}:
        assert (2, "") == (answer.status, answer.stdout)
        return answer.stderr
    said = json.loads(answer.stdout)
    assert 0 == answer.status
    if adapter.name == "cline":
        assert said["cancel"] is True
        return str(said["errorMessage"])
    assert "deny" == said["decision"]
    return str(said["reason"])


@pytest.mark.parametrize("host", GO_ON)
def test_an_allow_lets_it_go_on(host: str, decided: Callable[..., Decision]) -> None:
    """What goes on is said in words of its own, never by silence."""
    assert GO_ON[host] == HOSTS[host].render(decided(Verdict.ALLOW), HostsAllow.SCORE)


@pytest.mark.parametrize("host", GO_ON)
def test_a_deny_comes_with_its_reason(host: str, decided: Callable[..., Decision]) -> None:
    """The refusal is the host's own, with the reason and nothing about people."""
    answer = HOSTS[host].render(decided(Verdict.DENY), HostsAllow.SCORE)

    assert "signoff: because" == reason_of(HOSTS[host], answer)


@pytest.mark.parametrize("host", GO_ON)
@pytest.mark.parametrize(
    ("verdict", "decided_by"), [(Verdict.ASK, "host"), (Verdict.DENY, BY_TIMEOUT)]
)
def test_a_question_is_a_refusal_that_says_how(
    host: str, verdict: Verdict, decided_by: str, decided: Callable[..., Decision]
) -> None:
    """A host without a prompt refuses, and says that a person must approve and how."""
    decision = decided(verdict, decided_by=decided_by)
    reason = reason_of(HOSTS[host], HOSTS[host].render(decision, HostsAllow.SCORE))

    assert "a person must approve this" in reason
    assert "allow it by a rule" in reason


@pytest.mark.parametrize("host", GO_ON)
def test_a_failure_is_a_refusal(host: str) -> None:
    """Whatever goes wrong comes out in the host's form."""
    assert "cannot decide" in reason_of(HOSTS[host], HOSTS[host].failure("boom"))
