"""Servers in a client's JSON configuration: rewritten, everything else as it was.

rewritten(text, places=(("mcpServers",),), change=lambda name, entry: ...)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from signoff.actions.action import Json
from signoff.errors import BadPayload, BadSettings
from signoff.frontends.hosts.installing.hook_lists import written
from signoff.frontends.mcp.wrapping.entries import ServerEntry
from signoff.frontends.strict_json import JsonLimits, parse_json

# Far above the strict limits: Claude Code keeps what was said in every project in the same file.
LIMITS = JsonLimits(bytes=64 << 20, parts=5_000_000, has_hidden=True)
EVERY = "*"  # in a place: every key of that object

Change: TypeAlias = Callable[[str, ServerEntry], ServerEntry]
Place: TypeAlias = Sequence[str]


def rewritten(text: str, places: Sequence[Place], change: Change) -> str:
    """Return the configuration with every server's command changed; else the same text.

    Args:
        places: key paths to objects of servers by name; `EVERY` stands for every key.

    Raises:
        BadSettings: it is not valid or ambiguous.
    """
    if not text.strip():
        return text
    settings = _read(text)
    has_changed = False
    for place in places:
        for servers in list(_at(settings, place)):
            for name, entry in list(servers.items()):
                before = entry_of(entry)
                if before is None or not isinstance(entry, dict):
                    continue
                after = change(name, before)
                if after != before:
                    entry.update(command=after.command, args=list(after.args))
                    has_changed = True
    return written(settings) if has_changed else text


def entry_of(entry: Json) -> ServerEntry | None:
    """Return a server's command, None if it is not started by one."""
    if not isinstance(entry, Mapping) or not isinstance(entry.get("command"), str):
        return None
    args = entry.get("args", [])
    if not isinstance(args, list) or not all(isinstance(word, str) for word in args):
        return None
    return ServerEntry(str(entry["command"]), tuple(map(str, args)))


def names_in(text: str, places: Sequence[Place]) -> Iterator[tuple[str, ServerEntry | None]]:
    """Yield each server's name with its command, None if it is not started by one.

    Raises:
        BadSettings: the configuration is not valid or ambiguous.
    """
    if text.strip():
        settings = _read(text)
        for place in places:
            for servers in _at(settings, place):
                for name, entry in servers.items():
                    yield name, entry_of(entry)


def _read(text: str) -> dict[str, Json]:
    try:
        settings = parse_json(text, LIMITS)
    except BadPayload as error:
        said = f"cannot be read, so it is left as it is: {error}"
        raise BadSettings(said) from error
    if not isinstance(settings, dict):
        raise BadSettings("is no JSON object, so it is left as it is")
    return settings


def _at(node: Json, place: Place) -> Iterator[dict[str, Json]]:
    """Yield the objects a place leads to."""
    if not isinstance(node, dict):
        return
    if not place:
        yield node
        return
    first, *rest = place
    for key in list(node) if first == EVERY else [first]:
        yield from _at(node.get(key), rest)
