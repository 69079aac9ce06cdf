"""Cursor: `hooks.json` in its folder, closed on failure."""

from __future__ import annotations

from pathlib import Path

from signoff.actions.action import Json
from signoff.frontends.hosts.adapter import Adapter
from signoff.frontends.hosts.cursor.adapter import ADAPTER, NAME, TOOL_ADAPTER
from signoff.frontends.hosts.host import HostManifest
from signoff.frontends.hosts.installing.targets import Target, hooks_file
from signoff.frontends.hosts.launch import hook_line, report_line, stop_line

ADAPTERS = (NAME, TOOL_ADAPTER.name)
REPORTED = ("postToolUse", "postToolUseFailure", "afterShellExecution", "afterMCPExecution")
FIRST: dict[str, Json] = {"version": 1}


def targets(folder: Path, *, is_user: bool) -> tuple[Target, ...]:
    """Return the settings file to change, in the user's folder or the project's."""
    hooks = {
        "beforeShellExecution": _hook(ADAPTER),
        "beforeMCPExecution": _hook(ADAPTER),
        "preToolUse": _hook(TOOL_ADAPTER),
        **{event: {"command": report_line(ADAPTER)} for event in REPORTED},
        **_stops(),
    }
    path = folder / ".cursor" / "hooks.json"
    return (hooks_file(path, hooks, adapters=ADAPTERS, first=FIRST),)


def _stops() -> dict[str, Json]:
    """Return the hook that waits for the text to a stopped agent, if it is wanted."""
    found = stop_line(ADAPTER)
    return {} if found is None else {"stop": {"command": found[0], "timeout": found[1]}}


def _hook(adapter: Adapter) -> Json:
    return {"command": hook_line(adapter), "timeout": adapter.wait.host_s, "failClosed": True}


HOST = HostManifest(
    name=NAME,
    title="Cursor",
    adapters=(ADAPTER, TOOL_ADAPTER),
    programs=("cursor", "cursor-agent"),
    folders=(".cursor",),
    targets=targets,
    notes=(
        "versions that do not know failClosed run the call if the hook cannot be started",
        "Cursor's own allow list may answer an ask in your place; a deny always holds",
        "if Cursor also loads Claude Code's hooks (third-party hooks), calls are judged twice",
    ),
    prompt="its own prompt for shell lines and MCP tools; other calls are denied",
    guards="blocks; asks for shell lines and MCP tools; closed on failure",
)
