"""Antigravity: a hook of our name in its `hooks.json`, in the named form that it reads."""

from __future__ import annotations

import json
from pathlib import Path

from signoff.actions.action import Json
from signoff.errors import BadSettings
from signoff.frontends.hosts.antigravity.adapter import ADAPTER, NAME
from signoff.frontends.hosts.host import HostManifest
from signoff.frontends.hosts.installing.hook_lists import read_settings
from signoff.frontends.hosts.installing.targets import Target
from signoff.frontends.hosts.launch import hook_line

OURS = "signoff"


def targets(folder: Path, *, is_user: bool) -> tuple[Target, ...]:
    """Return the settings files to change, in the user's folder or the project's."""
    place = folder / ".gemini" / "config" if is_user else folder / ".agents"
    return (Target(path=place / "hooks.json", put=_put, take=_take, commands=_commands),)


def _put(text: str) -> str:
    settings = read_settings(text)
    limit_s = ADAPTER.wait.host_s
    hook: Json = {"type": "command", "command": hook_line(ADAPTER), "timeout": limit_s}
    ours: Json = {"enabled": True, "PreToolUse": [{"matcher": ".*", "hooks": [hook]}]}
    if settings.get(OURS) == ours:
        return text
    return _written({**settings, OURS: ours})


def _take(text: str) -> str:
    settings = read_settings(text)
    if OURS not in settings:
        return text
    rest = {name: value for name, value in settings.items() if name != OURS}
    return _written(rest) if rest else ""


def _commands(text: str) -> tuple[str, ...]:
    match read_settings(text).get(OURS):
        case None:
            return ()
        case {"enabled": False}:
            raise BadSettings("the hook `signoff` is switched off there")
        case {"PreToolUse": [{"hooks": [{"command": str(command)}]}]}:
            return (command,)
        case _:
            raise BadSettings("the hook `signoff` is not as it was installed")


def _written(settings: dict[str, Json]) -> str:
    return json.dumps(settings, indent=2, ensure_ascii=False) + "\n"


HOST = HostManifest(
    name=NAME,
    title="Antigravity",
    adapters=(ADAPTER,),
    programs=("agy", "antigravity"),
    folders=(".gemini/config", ".antigravity"),
    targets=targets,
    notes=("Antigravity still asks for what signoff allows: it honours no allow of a hook",),
    guards="blocks and asks; closed on failure",
)
