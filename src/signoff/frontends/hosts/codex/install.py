"""Codex: `hooks.json` in its folder, for every tool and for its own approval prompt.

`config.toml` beside it gets one line, which switches terminals of running programs off.
"""

from __future__ import annotations

from pathlib import Path

from signoff.actions.action import Json
from signoff.errors import BadSettings
from signoff.frontends.hosts.adapter import Adapter
from signoff.frontends.hosts.codex.adapter import ADAPTER, NAME, PERMISSION_ADAPTER
from signoff.frontends.hosts.codex.config_file import (
    problems_in,
    with_terminals,
    without_terminals,
)
from signoff.frontends.hosts.codex.transcripts import FORMAT as TRANSCRIPTS
from signoff.frontends.hosts.host import HostManifest
from signoff.frontends.hosts.installing.targets import Target, hooks_file
from signoff.frontends.hosts.launch import hook_line, report_line, stop_line
from signoff.frontends.hosts.waits import WAITING

ADAPTERS = (NAME, PERMISSION_ADAPTER.name)
REPORT_LIMIT_S = 10


def targets(folder: Path, *, is_user: bool) -> tuple[Target, ...]:
    """Return the files, in the user's folder or the project's."""
    hooks = {
        "PreToolUse": _group(ADAPTER),
        "PermissionRequest": _group(PERMISSION_ADAPTER),
        "PostToolUse": _reports(),
        **_stops(),
    }
    return (
        hooks_file(folder / ".codex" / "hooks.json", hooks, adapters=ADAPTERS),
        Target(
            path=folder / ".codex" / "config.toml",
            put=without_terminals,
            take=with_terminals,
            commands=lambda text: (),
        ),
    )


def problems(home: Path) -> tuple[str, ...]:
    """Say what in the user's settings keeps the hook from guarding.

    Raises:
        BadSettings: they cannot be read.
    """
    path = home / ".codex" / "config.toml"
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        text = ""
    except (OSError, UnicodeError) as error:
        raise BadSettings(f"{path} cannot be read: {error}") from error
    return problems_in(text)


def _group(adapter: Adapter) -> Json:
    hook: Json = {
        "type": "command",
        "command": hook_line(adapter),
        "timeout": adapter.wait.host_s,
        "statusMessage": WAITING,
    }
    return {"matcher": "*", "hooks": [hook]}


def _stops() -> dict[str, Json]:
    """Return the hook that waits for the text to a stopped agent, if it is wanted."""
    found = stop_line(ADAPTER)
    if found is None:
        return {}
    hook: Json = {
        "type": "command",
        "command": found[0],
        "timeout": found[1],
        "statusMessage": "signoff: what next?",
    }
    return {"Stop": {"hooks": [hook]}}


def _reports() -> Json:
    hook: Json = {"type": "command", "command": report_line(ADAPTER), "timeout": REPORT_LIMIT_S}
    return {"matcher": "*", "hooks": [hook]}


HOST = HostManifest(
    name=NAME,
    title="Codex CLI",
    adapters=(ADAPTER, PERMISSION_ADAPTER),
    programs=("codex",),
    folders=(".codex",),
    targets=targets,
    problems=problems,
    tried=(0, 169, 0),
    older="hooks of older versions see fewer tools",
    notes=(
        "Codex runs a hook only after you trusted it: start codex, enter /hooks and trust"
        " signoff's; do it again after every change of the file",
        "programs that run in a terminal are switched off in config.toml: what is typed into them"
        " reaches no hook",
    ),
    moved_by="CODEX_HOME",
    guards="blocks once trusted; has no ask; closed on failure by the installed command",
    transcripts=TRANSCRIPTS,
)
