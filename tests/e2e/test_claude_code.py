"""The real Claude Code obeys: what is refused leaves no trace, whatever becomes of the guard."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from claude_code import ClaudeCode
from fake_messages_api import ToolCall

from signoff.frontends.hosts.claude_code.kinds import command_line

# A host that would let everything through by itself: only the guard can stop a call.
TRUSTING = ("--allowedTools", "Bash,Write,Edit,Read")


def bash(command: str) -> ToolCall:
    """Return a call of the shell."""
    return ToolCall(name="Bash", input={"command": command, "description": "A step"})


@pytest.fixture
def guarded(claude: ClaudeCode) -> ClaudeCode:
    """Return Claude Code with signoff installed by its own installer."""
    done = claude.signoff("install", "claude-code", "--kind", "in_process")
    assert done.returncode == 0, done.stderr
    return claude


def test_an_unguarded_call_runs(claude: ClaudeCode) -> None:
    """The positive control: without signoff this host runs what the model asks for."""
    claude.run(bash("touch ran"), options=TRUSTING)

    assert (claude.project / "ran").exists()


def test_an_allowed_call_runs_without_a_question(guarded: ClaudeCode) -> None:
    """What signoff lets through runs though the host itself would have asked."""
    session = guarded.run(bash("touch ran"))

    assert (guarded.project / "ran").exists()
    assert len(session.results) == 1


def test_a_refused_call_leaves_no_trace(guarded: ClaudeCode) -> None:
    """Neither part of a refused line runs, and the agent is told why."""
    session = guarded.run(bash("touch ran; rm -rf ~"), options=TRUSTING)

    assert not (guarded.project / "ran").exists()
    assert guarded.settings.exists()
    assert "signoff: " in session.results[0]


def test_a_question_without_a_person_is_a_refusal(guarded: ClaudeCode) -> None:
    """What signoff asks about does not run where nobody can answer."""
    session = guarded.run(bash("touch ran; git reset --hard"), options=TRUSTING)

    assert not (guarded.project / "ran").exists()
    assert "signoff: " in session.results[0]


def test_calls_after_a_refused_one_are_judged_anew(guarded: ClaudeCode) -> None:
    """One session, three calls: the first and the last run, the one between does not."""
    guarded.run(bash("touch one"), bash("touch two; rm -rf ~"), bash("touch three"))

    there = [name for name in ("one", "two", "three") if (guarded.project / name).exists()]
    assert there == ["one", "three"]


def test_a_file_tool_is_judged_too(guarded: ClaudeCode) -> None:
    """Writing into the folder of the agent's own settings is refused."""
    target = guarded.home / ".claude" / "settings.local.json"
    write = ToolCall(name="Write", input={"file_path": str(target), "content": "{}"})
    guarded.run(write, options=TRUSTING)

    assert not target.exists()


def test_a_sub_agent_is_guarded_like_its_master(guarded: ClaudeCode) -> None:
    """A call of a sub-agent is judged; what is refused there leaves no trace either."""
    task = {
        "prompt": "Inner task 7f3a.",
        "description": "A task",
        "subagent_type": "general-purpose",
    }
    session = guarded.run(
        ToolCall(name="Agent", input=task),
        ToolCall(name="Bash", input={"command": "touch inner"}, within="Inner task 7f3a."),
        ToolCall(name="Bash", input={"command": "touch bad; rm -rf ~"}, within="Inner task 7f3a."),
    )

    assert (guarded.project / "inner").exists(), session.output
    assert not (guarded.project / "bad").exists()


def test_tools_of_a_server_are_guarded(guarded: ClaudeCode) -> None:
    """What an MCP server offers is judged as well: reading runs, deleting everything does not."""
    server = {"command": sys.executable, "args": [str(Path(__file__).with_name("notes_server.py"))]}
    guarded.run(
        ToolCall(name="mcp__notes__list_notes", input={}),
        ToolCall(name="mcp__notes__delete_all_notes", input={}),
        options=(
            *("--mcp-config", json.dumps({"mcpServers": {"notes": server}})),
            *("--allowedTools", "mcp__notes__list_notes,mcp__notes__delete_all_notes"),
        ),
    )

    assert (guarded.project / "list_notes").exists()
    assert not (guarded.project / "delete_all_notes").exists()


def test_every_call_is_on_the_record(guarded: ClaudeCode) -> None:
    """Allowed and refused calls are recorded, and the record adds up."""
    guarded.run(bash("touch one"), bash("rm -rf ~"), options=TRUSTING)

    tail = guarded.signoff("audit", "tail", "--json")
    verdicts = [json.loads(line)["verdict"] for line in tail.stdout.splitlines()]
    assert verdicts == ["allow", "deny"]
    assert guarded.signoff("audit", "verify").returncode == 0


BROKEN = {
    "is missing": None,
    "exits 1": "exit 1",
    "is killed": "kill -9 $$",
    "says nothing": "exit 0",
    "says half an object": "printf '{\"hookSpecificOutput\":'",
    "says text": "echo fine",
    "never ends": "kill -STOP $$",
}


@pytest.mark.parametrize("script", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_guard_blocks(claude: ClaudeCode, tmp_path: Path, script: str | None) -> None:
    """With our command installed, no failure of the guard lets a call run."""
    stand_in = tmp_path / "python"
    if script is not None:
        stand_in.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        stand_in.chmod(0o755)
    install(claude, command_line(str(stand_in)), timeout_s=3)

    claude.run(bash("touch ran"), options=TRUSTING)

    assert not (claude.project / "ran").exists()


@pytest.mark.parametrize("name", ["is missing", "exits 1", "is killed", "says half an object"])
def test_a_host_that_ignores_on_failure_is_blocked_too(
    claude: ClaudeCode, tmp_path: Path, name: str
) -> None:
    """Versions before 2.1.295 know no onFailure: the command alone blocks what ends by itself."""
    stand_in = tmp_path / "python"
    if script := BROKEN[name]:
        stand_in.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        stand_in.chmod(0o755)
    install(claude, command_line(str(stand_in)), timeout_s=20, on_failure="continue")

    claude.run(bash("touch ran"), options=TRUSTING)

    assert not (claude.project / "ran").exists()


def test_a_bare_command_would_not_block(claude: ClaudeCode, tmp_path: Path) -> None:
    """Why the shell line around the guard is there: this host runs a call on half an answer."""
    stand_in = tmp_path / "python"
    stand_in.write_text(f"#!/bin/sh\n{BROKEN['says half an object']}\n", encoding="utf-8")
    stand_in.chmod(0o755)
    install(claude, str(stand_in), timeout_s=3)

    claude.run(bash("touch ran"), options=TRUSTING)

    assert (claude.project / "ran").exists()


def test_an_environment_that_was_deleted_blocks(claude: ClaudeCode, tmp_path: Path) -> None:
    """An interpreter without signoff in it lets nothing through."""
    subprocess.run(["python3", "-m", "venv", "--without-pip", tmp_path / "v"], check=True)
    install(claude, command_line(str(tmp_path / "v" / "bin" / "python")), timeout_s=20)

    claude.run(bash("touch ran"), options=TRUSTING)

    assert not (claude.project / "ran").exists()


def install(claude: ClaudeCode, command: str, *, timeout_s: int, on_failure: str = "block") -> None:
    """Write settings with this command as the hook."""
    hook = {"type": "command", "command": command, "timeout": timeout_s, "onFailure": on_failure}
    claude.settings.parent.mkdir(exist_ok=True)
    settings = {"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [hook]}]}}
    claude.settings.write_text(json.dumps(settings), encoding="utf-8")
