"""Kiro CLI and Amazon Q CLI: a hook in every agent there is, and an agent of our own.

Hooks belong to agents there, and the agent that is built in has no file. So one agent with
every tool is added, to be made the default.
"""

from __future__ import annotations

from pathlib import Path

from signoff.actions.action import Json
from signoff.frontends.hosts.host import HostManifest
from signoff.frontends.hosts.installing.targets import Target, hooks_file
from signoff.frontends.hosts.kiro.adapter import ADAPTER, NAME
from signoff.frontends.hosts.launch import hook_line, report_line

TIMEOUT_MS = ADAPTER.wait.host_s * 1000
OWN_AGENT: dict[str, Json] = {
    "name": "signoff",
    "description": "Every tool, each call guarded by signoff",
    "tools": ["*"],
}


def targets(folder: Path, *, is_user: bool) -> tuple[Target, ...]:
    """Return the agent files to change, of the user or the project."""
    places = [folder / ".kiro" / "agents"]
    places += [folder / ".aws" / "amazonq" / "cli-agents"] if is_user else []
    hook: Json = {"matcher": "*", "command": hook_line(ADAPTER), "timeout_ms": TIMEOUT_MS}
    report: Json = {"matcher": "*", "command": report_line(ADAPTER)}
    paths = [path for place in places for path in sorted(place.glob("*.json"))]
    own = places[0] / "signoff.json"
    return tuple(
        hooks_file(
            path,
            {"preToolUse": hook, "postToolUse": report},
            adapters=(NAME,),
            first=OWN_AGENT if path == own else None,
        )
        # Our own agent comes once, whether its file is there yet or not.
        for path in dict.fromkeys([*paths, own])
    )


HOST = HostManifest(
    name=NAME,
    title="Kiro CLI and Amazon Q CLI",
    adapters=(ADAPTER,),
    programs=("kiro-cli", "q"),
    folders=(".kiro", ".aws/amazonq"),
    targets=targets,
    notes=(
        "the agent that is built in has no hooks: `kiro-cli agent set-default signoff`",
        "an agent made later is guarded only after another `signoff install kiro`",
    ),
    guards="blocks; has no ask; goes on if the hook ends with anything but status 2",
)
