"""Servers in Codex's `config.toml`: rewritten line by line, comments and order as they were.

Only the lines of `command` and `args` in a table `[mcp_servers.NAME]` change. What is written is
read again and compared with what is meant; anything else than that is not written.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping

from signoff.errors import BadSettings
from signoff.frontends.mcp.wrapping.entries import ServerEntry
from signoff.frontends.mcp.wrapping.json_config import Change, entry_of

TABLE = "mcp_servers"
VALUE_LINES = 500


def rewritten_toml(text: str, change: Change) -> str:
    """Return the configuration with every server's command changed; else the same text.

    Raises:
        BadSettings: it cannot be read, or not be changed safely.
    """
    servers = _servers(text)
    for name, raw in servers.items():
        before = _entry(raw)
        after = before if before is None else change(name, before)
        if before is None or after is None or after == before:
            continue
        fresh = _with_entry(text, name, after)
        meant = {**servers, name: {**raw, "command": after.command, "args": list(after.args)}}
        if _servers(fresh) != meant:
            raise BadSettings(
                f"`[{TABLE}.{name}]` is written in a form that signoff cannot change; put"
                f" `{after.command} {' '.join(after.args[:6])} ...` there by hand"
            )
        text, servers = fresh, meant
    return text


def names_in_toml(text: str) -> Iterator[tuple[str, ServerEntry | None]]:
    """Yield each server's name with its command, None if it is not started by one.

    Raises:
        BadSettings: the configuration cannot be read.
    """
    for name, raw in _servers(text).items():
        yield name, _entry(raw)


def _entry(raw: Mapping[str, object]) -> ServerEntry | None:
    """Return the command of a server; dates and the like are no part of one."""
    command, args = raw.get("command"), raw.get("args", [])
    is_list = isinstance(args, list) and all(isinstance(word, str) for word in args)
    return (
        entry_of({"command": command, "args": args})
        if isinstance(command, str) and isinstance(args, list) and is_list
        else None
    )


def _servers(text: str) -> dict[str, dict[str, object]]:
    try:
        found = tomllib.loads(text).get(TABLE, {})
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadSettings(f"cannot be read, so it is left as it is: {error}") from error
    if not isinstance(found, Mapping):
        return {}
    return {name: dict(raw) for name, raw in found.items() if isinstance(raw, Mapping)}


def _with_entry(text: str, name: str, entry: ServerEntry) -> str:
    """Return the text with the two lines of a server replaced, where they are found."""
    lines = text.splitlines(keepends=True)
    begin = next((at for at, line in enumerate(lines) if _is_header_of(line, name)), None)
    if begin is None:
        return text
    kept: list[str] = []
    at = begin + 1
    # A line of a long value may begin so, too; the caller then finds another meaning and writes
    # nothing.
    while at < len(lines) and not lines[at].lstrip().startswith("["):
        key = lines[at].partition("=")[0].strip().strip("\"'")
        if key in ("command", "args"):
            at = _after_value(lines, at)
        else:
            kept.append(lines[at])
            at += 1
    ours = [
        f"command = {json.dumps(entry.command)}\n",
        f"args = {json.dumps(list(entry.args))}\n",
    ]
    return "".join([*lines[: begin + 1], *ours, *kept, *lines[at:]])


def _is_header_of(line: str, name: str) -> bool:
    """Tell the header of a server's own table."""
    bare = line.strip()
    if not bare.startswith("[") or bare.startswith("[["):
        return False
    try:
        found = tomllib.loads(bare)
    except tomllib.TOMLDecodeError:
        return False
    # Compared as TOML: spaces and quotes in a header do not matter.
    return found == {TABLE: {name: {}}}


def _after_value(lines: list[str], at: int) -> int:
    """Return the number of the line after an assignment that may go over several lines."""
    for end in range(at + 1, min(at + VALUE_LINES, len(lines)) + 1):
        try:
            tomllib.loads("".join(lines[at:end]))
        except tomllib.TOMLDecodeError:
            continue
        return end
    return at + 1
