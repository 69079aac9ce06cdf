"""Signoff's plugin as Claude Code has it: is it switched on here, and which hooks file is read.

`enabledPlugins` in settings says what is on: the managed file has the last word, then the
project's own local one, the project's, the user's. `installed_plugins.json` says where a plugin
was put; one of a marketplace that is a folder is read from that folder, not from the copy (seen
with Claude Code 2.1.329).

    plugins_in_use(home, project, files)    ->  (Plugin(id="signoff@signoff", hooks=Path(...)),)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from signoff.actions.action import Json
from signoff.errors import BadPayload, BadSettings
from signoff.frontends.hosts.claude_code.plugin import NAME, plugin_files
from signoff.frontends.strict_json import parse_json

HOOKS_FILE = "hooks/hooks.json"
FOLDER = "plugins"
FILE_LIMIT = 1 << 20  # bytes


class Plugin(Struct, frozen=True, kw_only=True):
    """One enabled installation of signoff's plugin."""

    id: str
    hooks: Path


def plugins_in_use(home: Path, project: Path, files: Sequence[Path]) -> tuple[Plugin, ...]:
    """Return the enabled installations of signoff's plugin.

    Args:
        files: the settings files, the managed one first, then from the user's to the local one.

    Raises:
        BadSettings: a file of Claude Code's cannot be read.
    """
    folder = home / ".claude" / FOLDER
    installed = _object(_read(folder / "installed_plugins.json").get("plugins"))
    markets = _read(folder / "known_marketplaces.json")
    found: dict[Path, Plugin] = {}
    for id in _switched_on(files):
        for entry in _entries(installed.get(id), project):
            hooks = _folder_of(id, entry, markets) / HOOKS_FILE
            found.setdefault(hooks, Plugin(id=id, hooks=hooks))
    return tuple(found.values())


def own_command_of(plugin: Plugin) -> str:
    """Return the command of a plugin's hook, "" if the file is not as this version writes it.

    Raises:
        BadSettings: the file cannot be read.
    """
    wanted = _object(parse_json(plugin_files()[HOOKS_FILE]))
    if _read(plugin.hooks).get("hooks") != wanted["hooks"]:
        return ""
    return next(_commands(wanted["hooks"]), "")


def _commands(hooks: Json) -> Iterator[str]:
    for groups in _object(hooks).values():
        for group in _list(groups):
            for hook in _list(_object(group).get("hooks")):
                yield str(_object(hook).get("command", ""))


def _switched_on(files: Sequence[Path]) -> Iterable[str]:
    """Return the ids of our plugin that are on; the first file has the last word."""
    said: dict[str, Json] = {}
    for path in (*files[1:], *files[:1]):
        said |= _object(_read(path).get("enabledPlugins"))
    return (id for id, is_on in said.items() if is_on is True and id.partition("@")[0] == NAME)


def _entries(listed: Json, project: Path) -> Iterator[Mapping[str, Json]]:
    """Return the installations that hold for this project."""
    for one in _list(listed):
        entry = _object(one)
        theirs = entry.get("projectPath")
        if theirs is None or Path(str(theirs)).resolve() == project.resolve():
            yield entry


def _folder_of(id: str, entry: Mapping[str, Json], markets: Mapping[str, Json]) -> Path:
    """Return the folder a plugin is read from."""
    name, _, market = id.partition("@")
    source = _object(_object(markets.get(market)).get("source"))
    if source.get("source") == "directory":
        root = Path(str(source.get("path", "")))
        listed = _list(_read(root / ".claude-plugin" / "marketplace.json").get("plugins"))
        for one in map(_object, listed):
            if one.get("name") == name and isinstance(one.get("source"), str):
                return root / str(one["source"])
    return Path(str(entry.get("installPath", "")))


def _read(path: Path) -> Mapping[str, Json]:
    """Return what is in a file, nothing where there is none."""
    try:
        with path.open(encoding="utf-8") as file:
            # What is cut is no JSON any more, so a file over the limit is refused.
            text = file.read(FILE_LIMIT)
        return _object(parse_json(text)) if text.strip() else {}
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeError, BadPayload) as error:
        raise BadSettings(f"{path} cannot be read: {error}") from error


def _object(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}


def _list(value: Json) -> Sequence[Json]:
    return value if isinstance(value, list) else []
