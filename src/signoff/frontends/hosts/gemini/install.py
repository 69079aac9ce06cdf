"""Gemini CLI: a `BeforeTool` hook in its settings, and one that reports what has run."""

from __future__ import annotations

from pathlib import Path

from signoff.actions.action import Json
from signoff.frontends.hosts.gemini.adapter import ADAPTER, NAME
from signoff.frontends.hosts.gemini.transcripts import FORMAT as TRANSCRIPTS
from signoff.frontends.hosts.host import HostManifest
from signoff.frontends.hosts.installing.targets import Target, hooks_file
from signoff.frontends.hosts.launch import hook_line, report_line, stop_line
from signoff.frontends.hosts.results.lines import result_line
from signoff.settings import load_settings


def targets(folder: Path, *, is_user: bool) -> tuple[Target, ...]:
    """Return the settings file to change, in the user's folder or the project's."""
    hook: Json = {
        "type": "command",
        "name": "signoff",
        "command": hook_line(ADAPTER),
        "timeout": ADAPTER.wait.host_s * 1000,
    }
    report: dict[str, Json] = {
        "type": "command",
        "name": "signoff",
        "command": report_line(ADAPTER),
    }
    after = report
    if (read := result_line(ADAPTER, load_settings())) is not None:
        after = {**report, "command": read[0], "timeout": read[1] * 1000}
    hooks: dict[str, Json] = {
        "BeforeTool": {"matcher": "*", "hooks": [hook]},
        "AfterTool": {"matcher": "*", "hooks": [after]},
    }
    if (found := stop_line(ADAPTER)) is not None:
        stop = {**report, "command": found[0], "timeout": found[1] * 1000}
        hooks["AfterAgent"] = {"hooks": [stop]}
    path = folder / ".gemini" / "settings.json"
    return (hooks_file(path, hooks, adapters=(NAME,)),)


HOST = HostManifest(
    name=NAME,
    title="Gemini CLI",
    adapters=(ADAPTER,),
    programs=(NAME,),
    folders=(".gemini",),
    targets=targets,
    tried=(0, 61, 0),
    older="older versions run hooks only where they are switched on in the settings",
    notes=("hooks of a project run only in folders you trust",),
    guards="blocks; has no ask; closed on failure by the installed command",
    transcripts=TRANSCRIPTS,
)
