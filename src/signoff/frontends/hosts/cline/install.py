"""Cline: executable files named after their events, in its folder of hooks."""

from __future__ import annotations

from pathlib import Path

from signoff.frontends.hosts.installing.installer import Installer, Target, own_file
from signoff.frontends.hosts.launch import hook_line, report_line

MARK = "# signoff: written by `signoff install cline`"


def targets(folder: Path, *, is_user: bool) -> tuple[Target, ...]:
    """Return the files, in the user's folder or the workspace's."""
    place = (
        folder / "Documents" / "Cline" / "Hooks" if is_user else folder / ".clinerules" / "hooks"
    )
    content = f"#!/bin/sh\n{MARK}\n{hook_line('cline')}\n"
    report = f"#!/bin/sh\n{MARK}\n{report_line('cline')}\n"
    return (
        own_file(place / "PreToolUse", content, mark=MARK, commands=_commands, mode=0o700),
        own_file(place / "PostToolUse", report, mark=MARK, commands=_commands, mode=0o700),
    )


def _commands(text: str) -> tuple[str, ...]:
    _, found, line = text.partition(f"{MARK}\n")
    return (line.rstrip("\n"),) if found else ()


INSTALLER = Installer(
    name="cline",
    title="Cline",
    programs=("cline",),
    folders=("Documents/Cline", ".cline"),
    targets=targets,
    canaries={
        "cline": {
            "hookName": "PreToolUse",
            "taskId": "signoff-doctor",
            "workspaceRoots": ["/"],
            "preToolUse": {"toolName": "execute_command", "parameters": {"command": "rm -rf /"}},
        }
    },
    notes=("switch hooks on in Cline's settings: it runs none before that",),
    guards="blocks; has no ask; what it does when a hook crashes is not documented",
)
