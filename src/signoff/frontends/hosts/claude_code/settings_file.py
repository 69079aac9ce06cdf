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
    own_entries,
    own_members,
    put_in,
    read_settings,
    take_out,
    written,
)

EVENT = "PreToolUse"
OURS = f"-m signoff hook {NAME}"
# The client's command, and the daemon's address, for this host.
OUR_COMMANDS = (OURS, f" {NAME} --socket ")
# Start and end: the port between them may be another one by now.
OUR_URL = ("http://127.0.0.1:", f"/hooks/{NAME}")


def with_hooks(text: str, hooks: Mapping[str, Mapping[str, Json]]) -> str:
    """Return the settings with signoff's hooks added; the same text if they are there.

    Raises:
        BadSettings: the settings or their hooks are not in a known form.
    """
    settings = read_settings(text)
    for event in hooks:
        # Only for its check: an unknown form is refused before anything is put in.
        _groups(settings, event)
    groups: dict[str, Json] = {event: _group(event, hook) for event, hook in hooks.items()}
    return put_in(text, groups, is_ours=_is_ours)


def without_hooks(text: str) -> str:
    """Return the settings without signoff's hooks; the same text if they have none.

    Raises:
        BadSettings: the settings or their hooks are not in a known form.
    """
    _groups(read_settings(text), EVENT)
    rest = take_out(text, is_ours=_is_ours)
    return rest if rest or not text.strip() else written({})


def own_hooks(text: str, event: str = EVENT) -> tuple[Settings, ...]:
    """Return signoff's hooks of an event in the settings, by default those that decide.

    Raises:
        BadSettings: the settings or their hooks are not in a known form.
    """
    return own_members(_groups(read_settings(text), event), _is_ours)


def decides(text: str, hook: Settings) -> bool:
    """Return whether this hook of signoff, and no other of it, is called for every tool.

    Raises:
        BadSettings: the settings or their hooks are not in a known form.
    """
    return own_entries(_groups(read_settings(text), EVENT), _is_ours) == [_group(EVENT, hook)]


def switches_off(text: str) -> tuple[str, ...]:
    """Return the settings in the text that disable all hooks."""
    settings = read_settings(text)
    names = ("disableAllHooks", "allowManagedHooksOnly")
    return tuple(name for name in names if settings.get(name) is True)


def _groups(settings: Settings, event: str) -> list[Json]:
    """Return the groups of an event, each checked to be of the known form."""
    groups = hooks_in(settings).get(event, [])
    if not isinstance(groups, list) or not all(map(_is_group, groups)):
        raise BadSettings(
            f"`hooks.{event}` in the settings is no list of groups with `hooks`, "
            "so they are left as they are"
        )
    return groups


def _is_group(group: Json) -> bool:
    return isinstance(group, dict) and isinstance(group.get("hooks"), list)


def _group(event: str, hook: Mapping[str, Json]) -> dict[str, Json]:
    """Return the group our hook is in: for every tool, where the event has any."""
    return {"matcher": "*", "hooks": [dict(hook)]} if event == EVENT else {"hooks": [dict(hook)]}


def _is_ours(command: str) -> bool:
    """Tell whether a command or an address is ours."""
    is_url = command.startswith(OUR_URL[0]) and command.endswith(OUR_URL[1])
    return is_url or any(mark in command for mark in OUR_COMMANDS)
