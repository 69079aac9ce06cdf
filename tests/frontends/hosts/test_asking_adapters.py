"""Antigravity and OpenClaw: hosts with a question of their own that reaches a person."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from signoff.assess.verdict import Verdict
from signoff.decide.decision import Decision
from signoff.frontends.hosts.registry import HOSTS
from signoff.settings import HostsAllow

CALLS: list[tuple[str, dict[str, Any], str, dict[str, Any], str]] = [
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


@pytest.mark.parametrize(("host", "event", "known", "arguments", "cwd"), CALLS)
def test_a_call_comes_under_known_names(
    host: str, event: dict[str, Any], known: str, arguments: dict[str, Any], cwd: str
) -> None:
    """Names become those that are understood; what raises rights is not dropped."""
    call = HOSTS[host].parse(json.dumps(event).encode()).call

    assert call is not None
    action = call.action
    assert (known, arguments, cwd, "s1") == (
        action.tool,
        action.arguments,
        action.cwd,
        action.session,
    )


@pytest.mark.parametrize(
    ("host", "verdict", "said"),
    [
        ("antigravity", Verdict.ALLOW, {"decision": "allow"}),
        ("antigravity", Verdict.ASK, {"decision": "force_ask", "reason": "signoff: because"}),
        ("antigravity", Verdict.DENY, {"decision": "deny", "reason": "signoff: because"}),
        ("openclaw", Verdict.ALLOW, {"decision": "allow"}),
        ("openclaw", Verdict.ASK, {"decision": "ask", "reason": "signoff: because"}),
        ("openclaw", Verdict.DENY, {"decision": "deny", "reason": "signoff: because"}),
    ],
)
def test_each_verdict_has_its_form(
    host: str, verdict: Verdict, said: dict[str, str], decided: Callable[..., Decision]
) -> None:
    """Every call gets a decision, and an ask is the one no setting of the host can answer."""
    assert said == json.loads(HOSTS[host].render(decided(verdict), HostsAllow.SCORE).stdout)


@pytest.mark.parametrize("host", ["antigravity", "openclaw"])
def test_a_failure_is_a_refusal(host: str) -> None:
    """Whatever goes wrong is a deny."""
    assert "deny" == json.loads(HOSTS[host].failure("boom").stdout)["decision"]
