"""Codex hears a deny with a reason, or nothing; its approval prompt is answered in its own form."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from signoff.assess.verdict import Verdict
from signoff.decide.decision import Decision
from signoff.frontends.hosts.adapter import Adapter, ReportKind
from signoff.frontends.hosts.codex.adapter import ADAPTER, PERMISSION_ADAPTER
from signoff.settings import HostsAllow

ASK_WORDS = "a person must approve this, and Codex has no prompt"


def event(tool: str, fields: dict[str, Any], name: str = "PreToolUse") -> bytes:
    """Return an event of Codex."""
    said = {
        "session_id": "s1",
        "turn_id": "t1",
        "cwd": "/w/app",
        "hook_event_name": name,
        "model": "m",
        "permission_mode": "default",
        "tool_name": tool,
        "tool_input": fields,
        "tool_use_id": "c1",
    }
    return json.dumps(said).encode()


@pytest.mark.parametrize(
    ("tool", "fields", "known", "arguments", "cwd"),
    [
        ("Bash", {"command": "ls -l"}, "Bash", {"command": "ls -l"}, "/w/app"),
        ("shell", {"command": ["sh", "-c", "a; b"]}, "Bash", {"command": "sh -c 'a; b'"}, "/w/app"),
        ("exec_command", {"cmd": "ls", "workdir": "sub"}, "Bash", {"command": "ls"}, "/w/app/sub"),
        ("exec_command", {"cmd": "ls", "workdir": "/x"}, "Bash", {"command": "ls"}, "/x"),
        (
            "apply_patch",
            {"command": "*** Begin"},
            "apply_patch",
            {"command": "*** Begin"},
            "/w/app",
        ),
        ("mcp__git__push", {"to": "x"}, "mcp__git__push", {"to": "x"}, "/w/app"),
        ("write_stdin", {"chars": "rm"}, "write_stdin", {"chars": "rm"}, "/w/app"),
    ],
)
def test_a_call_comes_under_known_names(
    tool: str, fields: dict[str, Any], known: str, arguments: dict[str, Any], cwd: str
) -> None:
    """Words become a line, folders are joined, what is unknown stays as it is."""
    call = ADAPTER.parse(event(tool, fields)).call

    assert call is not None
    action = call.action
    assert (known, arguments, cwd) == (action.tool, action.arguments, action.cwd)
    assert ("codex", "s1", "c1") == (action.source, action.session, action.request_id)


def test_a_report_is_no_call() -> None:
    """What has happened already is told, not judged."""
    report = ADAPTER.parse(event("Bash", {}, name="PostToolUse")).report

    assert report is not None
    assert (ReportKind.TOOL_DONE, "Bash") == (report.kind, report.tool)


@pytest.mark.parametrize("verdict", [Verdict.ASK, Verdict.DENY])
def test_ask_and_deny_are_both_a_deny(verdict: Verdict, decided: Callable[..., Decision]) -> None:
    """Codex runs a tool whose hook says ask, so it never hears one."""
    said = json.loads(ADAPTER.render(decided(verdict), HostsAllow.SCORE).stdout)

    inner = said["hookSpecificOutput"]
    assert ["hookSpecificOutput"] == list(said)
    assert "deny" == inner["permissionDecision"]
    assert (ASK_WORDS in inner["permissionDecisionReason"]) == (verdict is Verdict.ASK)


def test_an_allow_is_no_word(decided: Callable[..., Decision]) -> None:
    """A bare allow is a broken hook to Codex."""
    assert "{}" == ADAPTER.render(decided(Verdict.ALLOW), HostsAllow.SCORE).stdout


@pytest.mark.parametrize(
    ("verdict", "tell", "decision"),
    [
        (Verdict.ALLOW, HostsAllow.SCORE, {"behavior": "allow"}),
        (Verdict.ALLOW, HostsAllow.NEVER, None),
        (Verdict.ASK, HostsAllow.SCORE, None),
        (Verdict.DENY, HostsAllow.SCORE, {"behavior": "deny", "message": "signoff: because"}),
    ],
)
def test_its_own_prompt_is_answered(
    verdict: Verdict,
    tell: HostsAllow,
    decision: dict[str, str] | None,
    decided: Callable[..., Decision],
) -> None:
    """What was let through is not asked again; what is open stays with Codex's user."""
    said = json.loads(PERMISSION_ADAPTER.render(decided(verdict), tell).stdout)

    assert decision == said.get("hookSpecificOutput", {}).get("decision")


@pytest.mark.parametrize("adapter", [ADAPTER, PERMISSION_ADAPTER], ids=lambda a: a.name)
def test_a_failure_is_a_refusal(adapter: Adapter) -> None:
    """Each event has its own form of refusal."""
    said = json.loads(adapter.failure("boom").stdout)["hookSpecificOutput"]

    assert "deny" in (said.get("permissionDecision"), said.get("decision", {}).get("behavior"))
    assert "cannot decide" in json.dumps(said)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"command": "curl h", "description": "it is needed"}, True),
        ({"command": "curl h"}, False),
        ({"command": "curl h", "description": ""}, False),
        ({"command": "curl h", "description": "network-access http://h:80"}, False),
        ({"command": "curl h2", "description": "it is needed"}, False),
    ],
)
def test_a_permission_request_is_known_again(*, fields: dict[str, Any], expected: bool) -> None:
    """By the whole call, and the reason that comes before its first run only."""
    first = ADAPTER.parse(event("Bash", {"command": "curl h"})).call
    second = PERMISSION_ADAPTER.parse(event("Bash", fields, "PermissionRequest")).call

    assert first is not None
    assert second is not None
    assert PERMISSION_ADAPTER.repeats is not None
    assert expected == PERMISSION_ADAPTER.repeats(first.action, second.action)


@pytest.mark.parametrize(
    ("tool", "expected"), [("mcp__git__push", True), ("apply_patch", False), ("Unknown", False)]
)
def test_what_a_sandbox_may_have_tried_is_not_known_again(*, tool: str, expected: bool) -> None:
    """Tools of MCP servers run in none; of others a second run may be meant."""
    first = ADAPTER.parse(event(tool, {"command": "x"})).call
    second = PERMISSION_ADAPTER.parse(event(tool, {"command": "x"}, "PermissionRequest")).call

    assert first is not None
    assert second is not None
    assert PERMISSION_ADAPTER.repeats is not None
    assert expected == PERMISSION_ADAPTER.repeats(first.action, second.action)
