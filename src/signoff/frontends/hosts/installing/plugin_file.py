"""A plugin of ours that runs inside a host: a file of this package with the guard's command in it.

The command stands in one line of the file as a JSON list, where the package's copy has a
placeholder.

    plugin_file(Path("signoff.js"), "opencode/plugin.js", mark="// signoff: written by")
"""

from __future__ import annotations

import json
import shlex
from importlib.resources import files
from pathlib import Path

from signoff.frontends.hosts.installing.installer import Target, own_file
from signoff.frontends.hosts.launch import guard_words
from signoff.frontends.strict_json import parse_json

PLACEHOLDER = '"the command"'
GUARD = "const GUARD"


def plugin_file(path: Path, source: str, *, mark: str) -> Target:
    """Return the target of a plugin; `source` is its host's folder here and its file there."""
    host, _, name = source.partition("/")
    template = (files(f"signoff.frontends.hosts.{host}") / name).read_text(encoding="utf-8")
    content = template.replace(PLACEHOLDER, json.dumps(guard_words(host)), 1)
    return own_file(path, content, mark=mark, commands=_commands)


def _commands(text: str) -> tuple[str, ...]:
    """Return the command in a plugin's text."""
    for line in text.splitlines():
        if line.startswith(GUARD):
            words = parse_json(line.partition(" = ")[2])
            if isinstance(words, list):
                return (shlex.join(map(str, words)),)
    return ()
