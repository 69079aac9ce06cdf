"""Claude Code's settings.json: put signoff's hooks in, take them out, leave everything else alone.

Pure: text in, text out. What is ours is known by the command it runs or the address it asks,
so a hook installed from another folder is replaced and nobody else's is touched. Text that cannot
be read without doubt is never written over.

    with_hooks("{}", {"PreToolUse": {"type": "command", "command": "..."}})
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.action import Json
from signoff.errors import BadSettings
from signoff.frontends.hosts.claude_code.adapter import NAME
from signoff.frontends.hosts.installing.hook_lists import (
    Settings,
    hooks_in,
    read_settings,
    written,
)

EVENT = "PreToolUse"
OURS = f"-m signoff hook {NAME}"
# The client's command, and the daemon's address, for this host.
OUR_COMMANDS = (OURS, f" {NAME} --socket ")
OUR_URL = ("http://127.0.0.1:", f"/hooks/{NAME}")


def with_hooks(text: str, hooks: Mapping[str, Mapping[str, Json]]) -> str:
    """Return the settings with signoff's hooks in them, once; the same text if they are there.

    Raises:
        BadSettings: the settings cannot be read, or their hooks are not in the known form.
    """
    settings = read_settings(text)
    wanted = {event: [_group(event, dict(hook))] for event, hook in hooks.items()}
    if {event: _ours(settings, event) for event in _events(settings)} == wanted:
        return text
    new = dict(hooks_in(settings))
    for event in _events(settings):
        new[event] = _without_ours(settings, event)
    for event, groups in wanted.items():
        new[event] = [*_without_ours(settings, event), *groups]
    return written({**settings, "hooks": _without_empty(new, hooks_in(settings))})


def without_hooks(text: str) -> str:
    """Return the settings without signoff's hooks; the same text if none is there.

    Raises:
        BadSettings: the settings cannot be read, or their hooks are not in the known form.
    """
    settings = read_settings(text)
    _groups(settings, EVENT)
    events = _events(settings)
    if not events:
        return text
    new = dict(hooks_in(settings))
    for event in events:
        new[event] = _without_ours(settings, event)
    hooks = _without_empty(new, {})
    if hooks:
        return written({**settings, "hooks": hooks})
    return written({name: value for name, value in settings.items() if name != "hooks"})


def own_hooks(text: str, event: str = EVENT) -> tuple[Settings, ...]:
    """Return our hooks of an event, as they stand in the settings; else those that decide.

    Raises:
        BadSettings: the settings cannot be read, or their hooks are not in the known form.
    """
    return tuple(
        hook
        for group in _groups(read_settings(text), event)
        for hook in _members(group)
        if isinstance(hook, dict) and _is_ours(hook)
    )


def decides(text: str, hook: Settings) -> bool:
    """Tell whether this hook of ours, and no other of ours, is called for every tool.

    Raises:
        BadSettings: the settings cannot be read, or their hooks are not in the known form.
    """
    return _ours(read_settings(text), EVENT) == [_group(EVENT, hook)]


def switches_off(text: str) -> tuple[str, ...]:
    """Return the settings in the text that keep hooks from being called at all."""
    settings = read_settings(text)
    names = ("disableAllHooks", "allowManagedHooksOnly")
    return tuple(name for name in names if settings.get(name) is True)


def _groups(settings: Settings, event: str) -> list[Settings]:
    """Return the groups of an event, each checked to be of the known form."""
    groups = hooks_in(settings).get(event, [])
    if not isinstance(groups, list) or not all(_is_group(group) for group in groups):
        raise BadSettings(
            f"`hooks.{event}` in the settings is no list of groups with `hooks`, "
            "so they are left as they are"
        )
    return groups


def _group(event: str, hook: Settings) -> Settings:
    """Return the group our hook stands in: for every tool, where the event has any."""
    return {"matcher": "*", "hooks": [hook]} if event == EVENT else {"hooks": [hook]}


def _events(settings: Settings) -> list[str]:
    """Return the events that have a hook of ours; what has another form is nobody's hook."""
    return [
        event
        for event, groups in hooks_in(settings).items()
        if isinstance(groups, list) and all(map(_is_group, groups)) and _ours(settings, event)
    ]


def _is_group(group: Json) -> bool:
    return isinstance(group, dict) and isinstance(group.get("hooks"), list)


def _is_ours(hook: Json) -> bool:
    if not isinstance(hook, dict):
        return False
    command, url = str(hook.get("command", "")), str(hook.get("url", ""))
    is_url = url.startswith(OUR_URL[0]) and url.endswith(OUR_URL[1])
    return is_url or any(mark in command for mark in OUR_COMMANDS)


def _members(group: Settings) -> list[Json]:
    members = group["hooks"]
    return members if isinstance(members, list) else []


def _ours(settings: Settings, event: str) -> list[Settings]:
    """Return the groups that hold a hook of ours."""
    return [group for group in _groups(settings, event) if any(map(_is_ours, _members(group)))]


def _without_ours(settings: Settings, event: str) -> list[Json]:
    """Return the groups without our hooks, and without those that held nothing else."""
    kept: list[Json] = []
    for group in _groups(settings, event):
        others = [hook for hook in _members(group) if not _is_ours(hook)]
        if others == _members(group):
            kept.append(group)
        elif others:
            kept.append({**group, "hooks": others})
    return kept


def _without_empty(hooks: Mapping[str, Json], before: Mapping[str, Json]) -> dict[str, Json]:
    """Return the hooks without events that have none, but for those that had none before."""
    return {event: groups for event, groups in hooks.items() if groups or before.get(event) == []}
