"""Cline: executable files named after their events, in its folder of hooks."""

from __future__ import annotations

from pathlib import Path

from signoff.frontends.hosts.cline.adapter import ADAPTER, NAME
from signoff.frontends.hosts.host import HostManifest
from signoff.frontends.hosts.installing.targets import Target, own_file
from signoff.frontends.hosts.launch import hook_line, report_line

MARK = "# signoff: written by `signoff install cline`"


def targets(folder: Path, *, is_user: bool) -> tuple[Target, ...]:
    """Return the hook files to write, in the user's folder or the workspace's."""
    place = (
        folder / "Documents" / "Cline" / "Hooks" if is_user else folder / ".clinerules" / "hooks"
    )
    content = f"#!/bin/sh\n{MARK}\n{hook_line(ADAPTER)}\n"
    report = f"#!/bin/sh\n{MARK}\n{report_line(ADAPTER)}\n"
    return (
        own_file(place / "PreToolUse", content, mark=MARK, commands=_commands, mode=0o700),
        own_file(place / "PostToolUse", report, mark=MARK, commands=_commands, mode=0o700),
    )


def _commands(text: str) -> tuple[str, ...]:
    _, found, line = text.partition(f"{MARK}\n")
    return (line.rstrip("\n"),) if found else ()


HOST = HostManifest(
    name=NAME,
    title="Cline",
    adapters=(ADAPTER,),
    programs=(NAME,),
    folders=("Documents/Cline", ".cline"),
    targets=targets,
    notes=("switch hooks on in Cline's settings: it runs none before that",),
    guards="blocks; has no ask; what it does when a hook crashes is not documented",
)
