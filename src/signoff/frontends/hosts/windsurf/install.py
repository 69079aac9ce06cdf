"""Windsurf: `hooks.json` in its folder, for everything that has an event before it."""

from __future__ import annotations

from pathlib import Path

from signoff.actions.action import Json
from signoff.frontends.hosts.host import HostManifest
from signoff.frontends.hosts.installing.targets import Target, hooks_file
from signoff.frontends.hosts.launch import hook_line, report_line
from signoff.frontends.hosts.windsurf.adapter import ADAPTER, NAME

EVENTS = ("pre_run_command", "pre_write_code", "pre_read_code", "pre_mcp_tool_use")
REPORTED = ("post_run_command", "post_write_code", "post_read_code", "post_mcp_tool_use")


def targets(folder: Path, *, is_user: bool) -> tuple[Target, ...]:
    """Return the settings file to change, in the user's folder or the workspace's."""
    place = folder / ".codeium" / "windsurf" if is_user else folder / ".windsurf"
    hook: Json = {"command": hook_line(ADAPTER), "show_output": False}
    report: Json = {"command": report_line(ADAPTER), "show_output": False}
    hooks = {**dict.fromkeys(EVENTS, hook), **dict.fromkeys(REPORTED, report)}
    return (hooks_file(place / "hooks.json", hooks, adapters=(NAME,)),)


HOST = HostManifest(
    name=NAME,
    title="Windsurf",
    adapters=(ADAPTER,),
    programs=(NAME,),
    folders=(".codeium/windsurf",),
    targets=targets,
    notes=("Windsurf's own web tools and browser have no event a hook could answer",),
    guards="blocks; has no ask; goes on if the hook ends with anything but status 2",
)
