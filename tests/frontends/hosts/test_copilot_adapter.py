"""Copilot CLI and VS Code read one answer, each its own part of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from signoff.assess.verdict import Verdict
from signoff.decide.decision import Decision
from signoff.errors import BadPayload
from signoff.frontends.hosts.copilot.adapter import ADAPTER
from signoff.settings import HostsAllow


def cli(tool: str, fields: Any) -> bytes:  # noqa: ANN401 - any JSON value
    """Return an event of Copilot CLI."""
    said = {"sessionId": "s1", "timestamp": 1, "cwd": "/w", "toolName": tool, "toolArgs": fields}
    return json.dumps(said).encode()


def editor(tool: str, fields: dict[str, Any], name: str = "PreToolUse") -> bytes:
    """Return an event of VS Code."""
    said = {
        "hookEventName": name,
        "sessionId": "s1",
        "cwd": "/w",
        "tool_name": tool,
        "tool_input": fields,
        "tool_use_id": "c1",
    }
    return json.dumps(said).encode()


@pytest.mark.parametrize(
    ("raw", "known", "arguments"),
    [
        (cli("bash", {"command": "ls", "description": "d"}), "Bash", {"command": "ls"}),
        (cli("bash", '{"command": "ls"}'), "Bash", {"command": "ls"}),
        (
            cli("create", {"path": "/w/a", "file_text": "x"}),
            "Write",
            {"path": "/w/a", "content": "x"},
        ),
        (cli("view", {"path": "/w/a"}), "Read", {"path": "/w/a"}),
        (cli("powershell", {"command": "dir"}), "PowerShell", {"command": "dir"}),
        (cli("write_bash", {"input": "rm"}), "write_bash", {"input": "rm"}),
        (
            editor("run_in_terminal", {"command": "ls", "explanation": "e"}),
            "Bash",
            {"command": "ls"},
        ),
        (
            editor(
                "replace_string_in_file", {"filePath": "/w/a", "oldString": "x", "newString": "y"}
            ),
            "Edit",
            {"file_path": "/w/a", "old_string": "x", "new_string": "y"},
        ),
        (editor("fetch_webpage", {"urls": ["http://h"]}), "WebFetch", {"urls": ["http://h"]}),
    ],
)
def test_a_call_comes_under_known_names(raw: bytes, known: str, arguments: dict[str, Any]) -> None:
    """Both forms of an event are read, fields in a string too."""
    call = ADAPTER.parse(raw).call

    assert call is not None
    assert (known, arguments, "/w", "s1") == (
        call.action.tool,
        call.action.arguments,
        call.action.cwd,
        call.action.session,
    )


@pytest.mark.parametrize(
    "raw",
    [
        cli("bash", "not json"),
        cli("bash", None),
        editor("x", {}, name="Elsewhere"),
        b'{"toolName": "bash", "tool_name": "bash", "toolArgs": {}}',
        b'{"hookEventName": "PreToolUse", "toolName": "bash", "toolArgs": {}, "toolResult": {}}',
        b'{"sessionId": "s"}',
    ],
)
def test_what_is_no_call_is_refused(raw: bytes) -> None:
    """Neither a broken call nor one told twice is judged."""
    with pytest.raises(BadPayload):
        ADAPTER.parse(raw)


@pytest.mark.parametrize("verdict", Verdict)
def test_both_hear_the_same(verdict: Verdict, decided: Callable[..., Decision]) -> None:
    """The decision stands at the top for one and inside for the other."""
    said = json.loads(ADAPTER.render(decided(verdict), HostsAllow.SCORE).stdout)

    inner = said["hookSpecificOutput"]
    assert verdict.value == said["permissionDecision"] == inner["permissionDecision"]
    assert "signoff: because" == inner["permissionDecisionReason"]
    assert "PreToolUse" == inner["hookEventName"]


def test_an_allow_that_is_not_told_is_no_word(decided: Callable[..., Decision]) -> None:
    """With `never` the host's own prompts stay."""
    assert "{}" == ADAPTER.render(decided(Verdict.ALLOW), HostsAllow.NEVER).stdout


def test_a_failure_is_a_refusal() -> None:
    """Exit status 0 and a deny: what ends otherwise is not read by VS Code."""
    answer = ADAPTER.failure("boom")

    assert 0 == answer.status
    assert "deny" == json.loads(answer.stdout)["permissionDecision"]
