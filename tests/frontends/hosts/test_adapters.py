"""Hosts without a test file of their own: how calls are read, and what each verdict is."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from signoff.assess.verdict import Verdict
from signoff.decide.decision import Decision
from signoff.frontends.hosts.adapter import HostAnswer
from signoff.frontends.hosts.registry import ADAPTERS
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
        KIRO | {"tool_name": "read", "tool_input": {"path": "a", "image_paths": ["/b.png"]}},
        "read_many_files",
        {"paths": ["a", "/b.png"]},
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
    call = ADAPTERS[host].parse(json.dumps(event).encode()).call

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
    call = ADAPTERS["gemini"].parse(json.dumps(event).encode()).call

    assert call is not None
    assert ("/other", {"command": "rm -rf build"}) == (call.action.cwd, call.action.arguments)


ASKING_CALLS: list[tuple[str, dict[str, Any], str, dict[str, Any], str]] = [
    (
        "antigravity",
        {
            "conversationId": "s1",
            "workspacePaths": ["/w"],
            "toolCall": {
                "name": "run_command",
                "args": {"CommandLine": "ls", "Cwd": "/w/a", "SafeToAutoRun": True},
            },
        },
        "Bash",
        {"command": "ls"},
        "/w/a",
    ),
    (
        "antigravity",
        {
            "conversationId": "s1",
            "workspacePaths": ["/w"],
            "toolCall": {
                "name": "write_to_file",
                "args": {"TargetFile": "/w/a", "CodeContent": "x", "Overwrite": True},
            },
        },
        "Write",
        {"file_path": "/w/a", "content": "x"},
        "/w",
    ),
    (
        "openclaw",
        {"toolName": "exec", "params": {"command": "ls", "workdir": "/w"}, "sessionId": "s1"},
        "Bash",
        {"command": "ls"},
        "/w",
    ),
    (
        "openclaw",
        {"toolName": "exec", "params": {"command": "ls", "elevated": True}, "sessionId": "s1"},
        "Bash",
        {"command": "ls", "elevated": True},
        "",
    ),
]


@pytest.mark.parametrize(("host", "event", "known", "arguments", "cwd"), ASKING_CALLS)
def test_a_call_keeps_its_folder_and_what_raises_rights(
    host: str, event: dict[str, Any], known: str, arguments: dict[str, Any], cwd: str
) -> None:
    """Names become those that are understood; what raises rights is not dropped."""
    call = ADAPTERS[host].parse(json.dumps(event).encode()).call

    assert call is not None
    action = call.action
    assert (known, arguments, cwd, "s1") == (
        action.tool,
        action.arguments,
        action.cwd,
        action.session,
    )


ALLOWED, REFUSED = '{"decision": "allow"}', {"decision": "deny", "reason": "signoff: because"}
NONE = HostAnswer(stdout="{}")
BY_STATUS = HostAnswer(stderr="signoff: because", status=2)
# What each host is told of an allow and of a deny.
TOLD: dict[str, tuple[HostAnswer, HostAnswer]] = {
    "gemini": (NONE, HostAnswer.of(REFUSED)),
    "windsurf": (NONE, BY_STATUS),
    "cline": (
        HostAnswer(stdout='{"cancel": false}'),
        HostAnswer.of({"cancel": True, "errorMessage": "signoff: because"}),
    ),
    "kiro": (NONE, BY_STATUS),
    "opencode": (HostAnswer(stdout=ALLOWED), HostAnswer.of(REFUSED)),
    "antigravity": (HostAnswer(stdout=ALLOWED), HostAnswer.of(REFUSED)),
    "openclaw": (HostAnswer(stdout=ALLOWED), HostAnswer.of(REFUSED)),
}


@pytest.mark.parametrize("host", TOLD)
def test_an_allow_and_a_deny_have_their_form(host: str, decided: Callable[..., Decision]) -> None:
    """In the words the host reads, with the reason of a refusal; never by silence."""
    verdicts = (Verdict.ALLOW, Verdict.DENY)
    render = ADAPTERS[host].render

    assert TOLD[host] == tuple(render(decided(one), HostsAllow.SCORE) for one in verdicts)


@pytest.mark.parametrize(("host", "word"), [("antigravity", "force_ask"), ("openclaw", "ask")])
def test_a_question_has_its_form(host: str, word: str, decided: Callable[..., Decision]) -> None:
    """The ask is the one no setting of the host can answer."""
    said = json.loads(ADAPTERS[host].render(decided(Verdict.ASK), HostsAllow.SCORE).stdout)

    assert {"decision": word, "reason": "signoff: because"} == said
