"""Codex: `hooks.json` in its folder, for every tool and for its own approval prompt.

`config.toml` beside it gets one line, which switches terminals of running programs off.
"""

from __future__ import annotations

from pathlib import Path

from signoff.actions.action import Json
from signoff.errors import BadSettings
from signoff.frontends.hosts.codex.config_file import (
    problems_in,
    with_terminals,
    without_terminals,
)
from signoff.frontends.hosts.installing.installer import Installer, Target, hooks_file
from signoff.frontends.hosts.launch import hook_line, report_line, stop_line
from signoff.frontends.hosts.waits import WAITS

ADAPTERS = ("codex", "codex-permission")
REPORT_LIMIT_S = 10


def targets(folder: Path, *, is_user: bool) -> tuple[Target, ...]:
    """Return the files, in the user's folder or the project's."""
    hooks = {
        "PreToolUse": _group("codex"),
        "PermissionRequest": _group("codex-permission"),
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


def _group(adapter: str) -> Json:
    hook: Json = {
        "type": "command",
        "command": hook_line(adapter),
        "timeout": WAITS[adapter].host_s,
        "statusMessage": "signoff",
    }
    return {"matcher": "*", "hooks": [hook]}


def _stops() -> dict[str, Json]:
    """Return the hook that waits for what an agent that has stopped is told, if that is wanted."""
    found = stop_line("codex")
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
    hook: Json = {"type": "command", "command": report_line("codex"), "timeout": REPORT_LIMIT_S}
    return {"matcher": "*", "hooks": [hook]}


_CALL: dict[str, Json] = {
    "session_id": "signoff-doctor",
    "cwd": "/",
    "tool_name": "Bash",
    "tool_input": {"command": "rm -rf /"},
}

INSTALLER = Installer(
    name="codex",
    title="Codex CLI",
    programs=("codex",),
    folders=(".codex",),
    targets=targets,
    canaries={
        "codex": {**_CALL, "hook_event_name": "PreToolUse"},
        "codex-permission": {**_CALL, "hook_event_name": "PermissionRequest"},
    },
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
)
