"""The files signoff writes for a host: how ours comes into each and out of it again.

A host says its files for a user's own folder or for a project's. Putting in and taking out are
pure, text in and text out; `files.py` does the rest. A plugin of ours that runs inside a host is
a file of the host's folder here; one line of it holds the guard's command as a JSON list.

    hooks_file(folder / "hooks.json", {"preToolUse": hook}, adapters=("kiro",))
    plugin_file(Path("signoff.js"), "opencode/plugin.js", ADAPTER, mark="// signoff: written by")
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from signoff.actions.action import Json
from signoff.errors import BadSettings
from signoff.frontends.hosts.adapter import Adapter
from signoff.frontends.hosts.installing.hook_lists import commands_in, put_in, take_out
from signoff.frontends.hosts.launch import guard_words, is_ours
from signoff.frontends.strict_json import parse_json

PLACEHOLDER = '"the command"'
GUARD = "const GUARD"


class Target(Struct, frozen=True, kw_only=True):
    """One settings file of a host: adds our hooks, removes them, and lists which it contains."""

    path: Path
    put: Callable[[str], str]
    take: Callable[[str], str]
    commands: Callable[[str], tuple[str, ...]]
    mode: int = 0o600


class Targets(Protocol):
    """Port: returns the files to change, for a home or project folder."""

    def __call__(self, folder: Path, *, is_user: bool) -> tuple[Target, ...]:
        """Return the files in a user's home, or in a project."""


def hooks_file(
    path: Path,
    hooks: Mapping[str, Json],
    *,
    adapters: tuple[str, ...],
    first: Mapping[str, Json] | None = None,
) -> Target:
    """Return the target for a JSON settings file that lists hooks by event."""

    def ours(command: str) -> bool:
        return is_ours(command, *adapters)

    return Target(
        path=path,
        put=lambda text: put_in(text, hooks, is_ours=ours, first=first),
        take=lambda text: take_out(text, is_ours=ours, first=first),
        commands=lambda text: commands_in(text, ours),
    )


def own_file(
    path: Path,
    content: str,
    *,
    mark: str,
    commands: Callable[[str], tuple[str, ...]] = lambda text: (),
    mode: int = 0o600,
) -> Target:
    """Return the target for a file that is signoff's alone.

    Args:
        content: its text.
        mark: text by which the file is recognised as signoff's.
        commands: returns the hook commands in a file's text.
        mode: permissions of a new file.
    """

    def put(text: str) -> str:
        if text.strip() and mark not in text:
            raise BadSettings("there is a file of somebody else's already, so it is left as it is")
        return content

    return Target(
        path=path,
        put=put,
        # An empty text removes the file.
        take=lambda text: "" if mark in text else text,
        commands=commands,
        mode=mode,
    )


def plugin_file(path: Path, source: str, adapter: Adapter, *, mark: str) -> Target:
    """Return the target for a plugin's source file.

    Args:
        source: template to fill in, as `HOST/FILE` below `frontends/hosts`.
        mark: text by which the file is recognised as signoff's.
    """
    host, _, name = source.partition("/")
    template = (files(f"signoff.frontends.hosts.{host}") / name).read_text(encoding="utf-8")
    # A JSON list is an array in JavaScript too, whatever stands in its paths.
    content = template.replace(PLACEHOLDER, json.dumps(guard_words(adapter)), 1)
    return own_file(path, content, mark=mark, commands=_plugin_commands)


def _plugin_commands(text: str) -> tuple[str, ...]:
    """Return the command in a plugin's text."""
    for line in text.splitlines():
        if line.startswith(GUARD):
            words = parse_json(line.partition(" = ")[2])
            if isinstance(words, list):
                return (shlex.join(map(str, words)),)
    return ()
