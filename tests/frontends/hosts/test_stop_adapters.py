"""Hosts that take words after a stop: how they tell of one, and how they are told to go on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from signoff.frontends.client.places import Places
from signoff.frontends.hosts.adapter import AgentStop
from signoff.frontends.hosts.claude_code.kinds import HookKind, hooks_of
from signoff.frontends.hosts.codex.install import targets as codex_targets
from signoff.frontends.hosts.cursor.install import targets as cursor_targets
from signoff.frontends.hosts.gemini.install import targets as gemini_targets
from signoff.frontends.hosts.registry import ADAPTERS
from signoff.settings import Settings, load_settings

CLAUDE = {"hook_event_name": "Stop", "session_id": "s1"}
GEMINI = {"hook_event_name": "AfterAgent", "session_id": "s1"}
CURSOR = {"hook_event_name": "stop", "conversation_id": "s1", "status": "completed"}


@pytest.mark.parametrize(
    ("host", "event", "stop"),
    [
        ("claude-code", {**CLAUDE, "stop_hook_active": False}, AgentStop(is_again=False)),
        ("claude-code", {**CLAUDE, "stop_hook_active": True}, AgentStop(is_again=True)),
        ("claude-code", CLAUDE, AgentStop(is_again=True)),
        (
            "claude-code",
            {**CLAUDE, "stop_hook_active": False, "last_assistant_message": "Done."},
            AgentStop(is_again=False, last_words="Done."),
        ),
        (
            "claude-code",
            {**CLAUDE, "stop_hook_active": False, "background_tasks": [{"id": "b1"}]},
            AgentStop(is_again=False, has_tasks=True),
        ),
        ("claude-code", {**CLAUDE, "hook_event_name": "StopFailure", "error": "x"}, None),
        ("claude-code", {**CLAUDE, "hook_event_name": "SubagentStop"}, None),
        ("codex", {**CLAUDE, "stop_hook_active": False}, AgentStop(is_again=False)),
        ("codex", CLAUDE, AgentStop(is_again=True)),
        ("codex", {**CLAUDE, "hook_event_name": "Interrupt"}, None),
        (
            "gemini",
            {**GEMINI, "stop_hook_active": False, "prompt_response": "Done."},
            AgentStop(is_again=False, last_words="Done."),
        ),
        ("gemini", GEMINI, AgentStop(is_again=True)),
        ("cursor", {**CURSOR, "loop_count": 0}, AgentStop(is_again=False)),
        ("cursor", {**CURSOR, "loop_count": 1}, AgentStop(is_again=True)),
        ("cursor", CURSOR, AgentStop(is_again=True)),
        ("cursor", {**CURSOR, "status": "aborted", "loop_count": 0}, None),
    ],
)
def test_a_stop_is_read(host: str, event: dict[str, Any], stop: AgentStop | None) -> None:
    """What does not say that it is the first in a row is taken for one of a row."""
    report = ADAPTERS[host].parse(json.dumps(event).encode()).report

    assert report is not None
    assert ("s1", stop) == (report.session, report.stop)


@pytest.mark.parametrize(
    ("host", "said"),
    [
        ("claude-code", {"decision": "block", "reason": "run the tests"}),
        ("codex", {"decision": "block", "reason": "run the tests"}),
        ("gemini", {"decision": "deny", "reason": "run the tests"}),
        ("cursor", {"followup_message": "run the tests"}),
    ],
)
def test_an_agent_is_told_to_go_on(host: str, said: dict[str, str]) -> None:
    """In its host's own form."""
    go_on = ADAPTERS[host].go_on

    assert go_on is not None
    assert said == json.loads(go_on("run the tests").stdout)


def configured(folder: Path, stops: str, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Return settings with these stops, in force for installers as well."""
    config = folder / "config"
    config.mkdir()
    (config / "signoff.yaml").write_text(f"stops: {stops}\n")
    monkeypatch.setenv("SIGNOFF_CONFIG_DIR", str(config))
    monkeypatch.setenv("SIGNOFF_STATE_DIR", str(folder / "state"))
    return load_settings()


@pytest.mark.parametrize("mode", ["errors", "ask"])
def test_a_hook_that_waits_is_installed_where_that_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    """It waits longer than people do, the host longer than it, and it can refuse nothing."""
    settings = configured(tmp_path, f"{{mode: {mode}, wait_s: 100}}", monkeypatch)
    Places(settings.state_dir).make()
    claude = hooks_of(HookKind.COMMAND, settings)["Stop"]
    codex = json.loads(codex_targets(tmp_path, is_user=True)[0].put(""))["hooks"]["Stop"]
    cursor = json.loads(cursor_targets(tmp_path, is_user=True)[0].put(""))["hooks"]["stop"]

    gemini = json.loads(gemini_targets(tmp_path, is_user=True)[0].put(""))["hooks"]["AfterAgent"]

    hooks = (claude, codex[0]["hooks"][0], cursor[0], gemini[0]["hooks"][0])
    assert [120, 120, 120, 120_000] == [hook["timeout"] for hook in hooks]
    for hook in hooks:
        line = str(hook["command"])
        assert (True, True) == ("--deadline 110 " in line, "--report yes" in line)
        assert "async" not in hook


def test_by_default_no_host_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Claude Code only reports it, and the others nothing."""
    settings = configured(tmp_path, "{}", monkeypatch)
    Places(settings.state_dir).make()
    claude = hooks_of(HookKind.COMMAND, settings)["Stop"]
    codex = json.loads(codex_targets(tmp_path, is_user=True)[0].put(""))["hooks"]
    cursor = json.loads(cursor_targets(tmp_path, is_user=True)[0].put(""))["hooks"]

    assert (True, False, False) == (claude["async"], "Stop" in codex, "stop" in cursor)
