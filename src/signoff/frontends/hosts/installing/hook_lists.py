"""Lists of hooks in a JSON settings file: put ours in, take it out, leave everything else alone.

Pure: text in, text out. Two shapes are known: a list of hooks, and a list of groups with `hooks`
in them. What is ours is known by the command it runs, so that a hook installed from another
folder is replaced. Text that cannot be read without doubt is never written over.

    put_in("{}", {"PreToolUse": {"matcher": "*", "hooks": [...]}}, is_ours=..., at=("hooks",))
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from signoff.actions.action import Json
from signoff.errors import BadPayload, BadSettings
from signoff.frontends.strict_json import parse_json

HOOKS = "hooks"
# Where hosts keep what a hook runs: one key, or one for each shell or system.
COMMANDS = ("command", "url", "bash", "powershell", "linux", "osx", "windows")

Settings: TypeAlias = dict[str, Json]
IsOurs: TypeAlias = Callable[[str], bool]


def put_in(
    text: str,
    hooks: Mapping[str, Json],
    *,
    is_ours: IsOurs,
    first: Mapping[str, Json] | None = None,
) -> str:
    """Return the settings with these hooks, one per event; the same text if they are there.

    Args:
        hooks: by event.
        is_ours: recognises signoff's hooks.
        first: keys that a new file starts with.

    Raises:
        BadSettings: the settings or their hooks are not in a known form.
    """
    settings = read_settings(text) or dict(first or {})
    old = hooks_in(settings)
    new = dict(old)
    for event, entries in _lists(old).items():
        if event not in hooks:
            _keep(new, event, _others(entries, is_ours))
        # Ours are replaced as a whole: an older one beside it would judge each call twice.
        elif own_entries(entries, is_ours) != [hooks[event]]:
            new[event] = [*_others(entries, is_ours), hooks[event]]
    for event, hook in hooks.items():
        if event not in old:
            new[event] = [hook]
        elif event not in _lists(old):
            raise BadSettings(
                f"`hooks.{event}` in the settings is no list of hooks, so they are left as they are"
            )
    # Unchanged settings keep their spaces and order to the byte.
    return text if new == old else written({**settings, HOOKS: new})


def take_out(text: str, *, is_ours: IsOurs, first: Mapping[str, Json] | None = None) -> str:
    """Return the settings without signoff's hooks; "" if nothing else is in them.

    Args:
        first: keys that a new file starts with, which do not count.

    Raises:
        BadSettings: the settings or their hooks are not in a known form.
    """
    settings = read_settings(text)
    new = dict(hooks_in(settings))
    lists = {event: es for event, es in _lists(new).items() if own_entries(es, is_ours)}
    if not lists:
        return text
    for event, entries in lists.items():
        _keep(new, event, _others(entries, is_ours))
    if new:
        return written({**settings, HOOKS: new})
    rest = {name: value for name, value in settings.items() if name != HOOKS}
    # "" removes the file: we made it, and nothing of the user's came into it since.
    return "" if rest == dict(first or {}) else written(rest)


def _keep(hooks: Settings, event: str, entries: list[Json]) -> None:
    """Keep what is left of an event's hooks; an event that has lost its last one goes."""
    # A list that was empty before is the user's, and stays.
    if entries or not hooks[event]:
        hooks[event] = entries
    else:
        del hooks[event]


def commands_in(text: str, is_ours: IsOurs) -> tuple[str, ...]:
    """Return the commands of signoff's hooks in the settings, without repeats.

    Raises:
        BadSettings: the settings or their hooks are not in a known form.
    """
    found = (
        command
        for entries in _lists(hooks_in(read_settings(text))).values()
        for entry in entries
        for hook in _members(entry)
        for command in _commands(hook)
    )
    return tuple(dict.fromkeys(command for command in found if is_ours(command)))


def read_settings(text: str) -> Settings:
    """Parse a settings file; an empty one gives {}.

    Raises:
        BadSettings: it is not valid or ambiguous.
    """
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


def written(settings: Settings) -> str:
    """Return settings as the text of a file."""
    return json.dumps(settings, indent=2, ensure_ascii=False) + "\n"


def hooks_in(settings: Settings) -> Mapping[str, Json]:
    """Return the hooks in settings, by event.

    Raises:
        BadSettings: they are not in a known form.
    """
    hooks = settings.get(HOOKS, {})
    if not isinstance(hooks, Mapping):
        raise BadSettings("`hooks` in the settings is no object, so they are left as they are")
    return hooks


def _lists(hooks: Mapping[str, Json]) -> dict[str, list[Json]]:
    """Return the lists of hooks by event; what else is beside them is nobody's hook."""
    return {
        event: entries
        for event, entries in hooks.items()
        if isinstance(entries, list) and all(isinstance(entry, Mapping) for entry in entries)
    }


def _members(entry: Json) -> list[Json]:
    """Return the hooks of an entry: those of a group, or the entry itself."""
    if isinstance(entry, Mapping):
        inner = entry.get(HOOKS)
        return list(inner) if isinstance(inner, list) else [entry]
    return []


def _commands(hook: Json) -> Iterator[str]:
    if isinstance(hook, Mapping):
        for name in COMMANDS:
            value = hook.get(name)
            if isinstance(value, str):
                yield value


def _is_ours(hook: Json, is_ours: IsOurs) -> bool:
    return any(map(is_ours, _commands(hook)))


def own_entries(entries: list[Json], is_ours: IsOurs) -> list[Json]:
    """Return the entries that contain a hook of signoff."""
    return [e for e in entries if any(_is_ours(hook, is_ours) for hook in _members(e))]


def own_members(entries: list[Json], is_ours: IsOurs) -> tuple[Settings, ...]:
    """Return signoff's hooks in the entries."""
    hooks = (hook for entry in entries for hook in _members(entry) if _is_ours(hook, is_ours))
    return tuple(hook for hook in hooks if isinstance(hook, dict))


def _others(entries: list[Json], is_ours: IsOurs) -> list[Json]:
    """Return the entries without our hooks, and without groups that held nothing else."""
    kept: list[Json] = []
    for entry in entries:
        members = _members(entry)
        others = [hook for hook in members if not _is_ours(hook, is_ours)]
        if others == members:
            kept.append(entry)
        elif others and isinstance(entry, dict):
            kept.append({**entry, HOOKS: others})
    return kept
