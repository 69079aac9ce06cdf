"""Cursor: `hooks.json` in its folder, closed on failure."""

from __future__ import annotations

from pathlib import Path

from signoff.actions.action import Json
from signoff.frontends.hosts.installing.installer import Installer, Target, hooks_file
from signoff.frontends.hosts.launch import hook_line, report_line, stop_line
from signoff.frontends.hosts.waits import WAITS

ADAPTERS = ("cursor", "cursor-tool")
REPORTED = ("postToolUse", "postToolUseFailure", "afterShellExecution", "afterMCPExecution")
FIRST: dict[str, Json] = {"version": 1}


def targets(folder: Path, *, is_user: bool) -> tuple[Target, ...]:
    """Return the file, in the user's folder or the project's."""
    hooks = {
        "beforeShellExecution": _hook("cursor"),
        "beforeMCPExecution": _hook("cursor"),
        "preToolUse": _hook("cursor-tool"),
        **{event: {"command": report_line("cursor")} for event in REPORTED},
        **_stops(),
    }
    path = folder / ".cursor" / "hooks.json"
    return (hooks_file(path, hooks, adapters=ADAPTERS, first=FIRST),)


def _stops() -> dict[str, Json]:
    """Return the hook that waits for what an agent that has stopped is told, if that is wanted."""
    found = stop_line("cursor")
    return {} if found is None else {"stop": {"command": found[0], "timeout": found[1]}}


def _hook(adapter: str) -> Json:
    return {"command": hook_line(adapter), "timeout": WAITS[adapter].host_s, "failClosed": True}


_CALL: dict[str, Json] = {"conversation_id": "signoff-doctor", "cwd": "/"}

INSTALLER = Installer(
    name="cursor",
    title="Cursor",
    programs=("cursor", "cursor-agent"),
    folders=(".cursor",),
    targets=targets,
    canaries={
        "cursor": {
            **_CALL,
            "hook_event_name": "beforeShellExecution",
            "command": "rm -rf /",
        },
        "cursor-tool": {
            **_CALL,
            "hook_event_name": "preToolUse",
            "tool_name": "Shell",
            "tool_input": {"command": "rm -rf /"},
        },
    },
    notes=(
        "versions that do not know failClosed run the call if the hook cannot be started",
        "Cursor's own allow list may answer an ask in your place; a deny always holds",
        "if Cursor also loads Claude Code's hooks (third-party hooks), calls are judged twice",
    ),
    guards="blocks; asks for shell lines and MCP tools; closed on failure",
)
