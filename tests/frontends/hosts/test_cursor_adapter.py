"""Cursor hears permission allow, ask or deny, and ask only where it honours it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from signoff.assess.verdict import Verdict
from signoff.decide.decision import Decision
from signoff.errors import BadPayload
from signoff.frontends.hosts.cursor.adapter import ADAPTER, TOOL_ADAPTER
from signoff.settings import HostsAllow

BOTH = {"user_message": "signoff: because", "agent_message": "signoff: because"}


def event(name: str, **fields: Any) -> bytes:  # noqa: ANN401 - any JSON value
    """Return an event of Cursor."""
    said = {
        "conversation_id": "s1",
        "generation_id": "g1",
        "hook_event_name": name,
        "workspace_roots": ["/w"],
        **fields,
    }
    return json.dumps(said).encode()


@pytest.mark.parametrize(
    ("raw", "known", "arguments", "cwd"),
    [
        (
            event("beforeShellExecution", command="ls", cwd="/w/a"),
            "Bash",
            {"command": "ls"},
            "/w/a",
        ),
        (event("beforeShellExecution", command="ls", cwd=""), "Bash", {"command": "ls"}, "/w"),
        (
            event("beforeMCPExecution", tool_name="push", tool_input='{"to": "x"}', url="http://h"),
            "mcp__cursor__push",
            {"to": "x"},
            "/w",
        ),
        (
            event(
                "preToolUse",
                tool_name="Shell",
                tool_input={"command": "ls", "working_directory": "/w/b"},
            ),
            "Bash",
            {"command": "ls"},
            "/w/b",
        ),
        (
            event("preToolUse", tool_name="Write", tool_input='{"path": "a", "contents": "x"}'),
            "Write",
            {"path": "a", "content": "x"},
            "/w",
        ),
        (event("preToolUse", tool_name="MCP:rm", tool_input={}), "mcp__cursor__rm", {}, "/w"),
    ],
)
def test_a_call_comes_under_known_names(
    raw: bytes, known: str, arguments: dict[str, Any], cwd: str
) -> None:
    """Fields come as JSON or as JSON in a string, folders from the call or the workspace."""
    call = ADAPTER.parse(raw).call

    assert call is not None
    assert (known, arguments, cwd) == (call.action.tool, call.action.arguments, call.action.cwd)
    assert "s1" == call.action.session


@pytest.mark.parametrize(
    "raw", [b"", event("beforeMCPExecution", tool_input="{}"), event("preToolUse", tool_name="X")]
)
def test_what_says_nothing_is_refused(raw: bytes) -> None:
    """Some remotes send nothing at all; that is no call to let through."""
    with pytest.raises(BadPayload):
        ADAPTER.parse(raw)


@pytest.mark.parametrize(
    ("verdict", "tell", "said"),
    [
        (Verdict.ALLOW, HostsAllow.SCORE, {"permission": "allow"}),
        (Verdict.ALLOW, HostsAllow.NEVER, {}),
        (Verdict.ASK, HostsAllow.SCORE, {"permission": "ask", **BOTH}),
        (Verdict.DENY, HostsAllow.SCORE, {"permission": "deny", **BOTH}),
    ],
)
def test_each_verdict_has_its_form(
    verdict: Verdict, tell: HostsAllow, said: dict[str, str], decided: Callable[..., Decision]
) -> None:
    """Shell lines and MCP tools can be asked about."""
    assert said == json.loads(ADAPTER.render(decided(verdict), tell).stdout)


@pytest.mark.parametrize(
    ("tool", "verdict", "permission"),
    [
        ("Bash", Verdict.ASK, None),
        ("mcp__cursor__x", Verdict.ASK, None),
        ("Write", Verdict.ASK, "deny"),
        ("Bash", Verdict.DENY, "deny"),
        ("Write", Verdict.ALLOW, None),
    ],
)
def test_before_any_tool_only_a_deny_counts(
    tool: str, verdict: Verdict, permission: str | None, decided: Callable[..., Decision]
) -> None:
    """An ask is left to the event of its own kind, or refused where there is none."""
    said = json.loads(TOOL_ADAPTER.render(decided(verdict, tool), HostsAllow.SCORE).stdout)

    assert permission == said.get("permission")


def test_a_failure_is_a_refusal() -> None:
    """Whatever goes wrong is a deny."""
    assert "deny" == json.loads(ADAPTER.failure("boom").stdout)["permission"]


@pytest.mark.parametrize(
    ("fields", "now", "expected"),
    [
        ({"command": "ls", "is_background": True}, {"command": "ls", "cwd": "/w"}, True),
        ({"command": "ls", "working_directory": "/w/b"}, {"command": "ls", "cwd": "/w/b"}, True),
        ({"command": "ls", "working_directory": "/w/b"}, {"command": "ls", "cwd": "/w"}, False),
        ({"command": "ls"}, {"command": "ls -a", "cwd": "/w"}, False),
        ({}, {"command": "ls", "cwd": "/w"}, False),
        ({}, {"cwd": "/w"}, False),
    ],
)
def test_a_shell_line_is_known_again(
    *, fields: dict[str, Any], now: dict[str, Any], expected: bool
) -> None:
    """By its line and folder, which is all the second event tells of it."""
    first = TOOL_ADAPTER.parse(event("preToolUse", tool_name="Shell", tool_input=fields)).call
    second = ADAPTER.parse(event("beforeShellExecution", **now)).call

    assert first is not None
    assert second is not None
    assert ADAPTER.repeats is not None
    assert expected == ADAPTER.repeats(first.action, second.action)
