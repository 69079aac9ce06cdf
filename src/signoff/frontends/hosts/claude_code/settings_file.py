"""Claude Code's settings.json: put signoff's hook in, take it out, leave everything else alone.

Pure: text in, text out. What is ours is known by the command it runs, so a hook installed from
another folder is replaced and nobody else's is touched. Text that cannot be read without doubt is
never written over.

    with_hook("{}", command="... -m signoff hook claude-code ...", timeout_s=60)
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypeAlias

from signoff.actions.action import Json
from signoff.errors import BadPayload, BadSettings
from signoff.frontends.strict_json import parse_json

EVENT = "PreToolUse"
OURS = "-m signoff hook claude-code"

Settings: TypeAlias = dict[str, Json]


def with_hook(text: str, *, command: str, timeout_s: int) -> str:
    """Return the settings with signoff's hook in them, once; the same text if it is there.

    Raises:
        BadSettings: the settings cannot be read, or their hooks are not in the known form.
    """
    settings = _read(text)
    hook: Settings = {
        "type": "command",
        "command": command,
        "timeout": timeout_s,
        "onFailure": "block",
        "statusMessage": "signoff",
    }
    group: Settings = {"matcher": "*", "hooks": [hook]}
    if _ours(settings) == [group]:
        return text
    hooks = dict(_hooks(settings))
    hooks[EVENT] = [*_without_ours(settings), group]
    return _write({**settings, "hooks": hooks})


def without_hook(text: str) -> str:
    """Return the settings without signoff's hook; the same text if it is not there.

    Raises:
        BadSettings: the settings cannot be read, or their hooks are not in the known form.
    """
    settings = _read(text)
    if not _ours(settings):
        return text
    hooks = dict(_hooks(settings))
    hooks[EVENT] = _without_ours(settings)
    if not hooks[EVENT]:
        del hooks[EVENT]
    if hooks:
        return _write({**settings, "hooks": hooks})
    return _write({name: value for name, value in settings.items() if name != "hooks"})


def commands(text: str) -> tuple[str, ...]:
    """Return the commands of our hooks in the settings.

    Raises:
        BadSettings: the settings cannot be read, or their hooks are not in the known form.
    """
    return tuple(
        str(hook["command"])
        for group in _groups(_read(text))
        for hook in _members(group)
        if isinstance(hook, dict) and _is_ours(hook)
    )


def switches_off(text: str) -> tuple[str, ...]:
    """Return the settings in the text that keep hooks from being called at all."""
    settings = _read(text)
    names = ("disableAllHooks", "allowManagedHooksOnly")
    return tuple(name for name in names if settings.get(name) is True)


def _read(text: str) -> Settings:
    if not text.strip():
        return {}
    try:
        settings = parse_json(text)
    except BadPayload as error:
        raise BadSettings(f"settings cannot be read, so they are left as they are: {error}") from (
            error
        )
    if not isinstance(settings, dict):
        raise BadSettings("settings are no JSON object, so they are left as they are")
    return settings


def _write(settings: Settings) -> str:
    return json.dumps(settings, indent=2, ensure_ascii=False) + "\n"


def _hooks(settings: Settings) -> Mapping[str, Json]:
    hooks = settings.get("hooks", {})
    if not isinstance(hooks, Mapping):
        raise BadSettings("`hooks` in the settings is no object, so they are left as they are")
    return hooks


def _groups(settings: Settings) -> list[Settings]:
    """Return the groups of the event, each checked to be of the known form."""
    groups = _hooks(settings).get(EVENT, [])
    if not isinstance(groups, list) or not all(_is_group(group) for group in groups):
        raise BadSettings(
            f"`hooks.{EVENT}` in the settings is no list of groups with `hooks`, "
            "so they are left as they are"
        )
    return groups


def _is_group(group: Json) -> bool:
    return isinstance(group, dict) and isinstance(group.get("hooks"), list)


def _is_ours(hook: Json) -> bool:
    return isinstance(hook, dict) and OURS in str(hook.get("command", ""))


def _members(group: Settings) -> list[Json]:
    members = group["hooks"]
    return members if isinstance(members, list) else []


def _ours(settings: Settings) -> list[Settings]:
    """Return the groups that hold a hook of ours."""
    return [group for group in _groups(settings) if any(map(_is_ours, _members(group)))]


def _without_ours(settings: Settings) -> list[Json]:
    """Return the groups without our hooks, and without those that held nothing else."""
    kept: list[Json] = []
    for group in _groups(settings):
        others = [hook for hook in _members(group) if not _is_ours(hook)]
        if others == _members(group):
            kept.append(group)
        elif others:
            kept.append({**group, "hooks": others})
    return kept
