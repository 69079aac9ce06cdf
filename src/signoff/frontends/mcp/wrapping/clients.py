"""MCP clients: where each keeps its list of servers, and how signoff comes before them.

for change in wrap_client(CLIENTS["cursor"], Path.home(), WrapTask(is_user=True)):
    print(change.file.path, change.names)
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from msgspec import Struct

from signoff.frontends.hosts.installing.files import FileChange, changed
from signoff.frontends.mcp.wrapping.entries import (
    ServerEntry,
    is_wrapped,
    own_words,
    unwrapped,
    wrapped,
)
from signoff.frontends.mcp.wrapping.json_config import EVERY, Change, Place, names_in, rewritten
from signoff.frontends.mcp.wrapping.toml_config import names_in_toml, rewritten_toml

SERVERS: Place = ("mcpServers",)
IS_MAC = sys.platform == "darwin"


class ConfigFile(Struct, frozen=True):
    """A client's configuration file, below a home or project; `places` is () for TOML."""

    path: str
    places: tuple[Place, ...] = (SERVERS,)

    def rewritten(self, text: str, change: Change) -> str:
        """Return its text with every server's command changed.

        Raises:
            BadSettings: it cannot be read or changed.
        """
        if not self.places:
            return rewritten_toml(text, change)
        return rewritten(text, self.places, change)

    def servers(self, text: str) -> Iterator[tuple[str, ServerEntry | None]]:
        """Yield its servers by name; None for one that is not started by a command.

        Raises:
            BadSettings: it cannot be read.
        """
        return names_in(text, self.places) if self.places else names_in_toml(text)


class McpClient(Struct, frozen=True, kw_only=True):
    """An MCP client: its name and its configuration files."""

    title: str
    user: tuple[ConfigFile, ...] = ()
    project: tuple[ConfigFile, ...] = ()


def _app_folder(mac: str, linux: str) -> str:
    return f"Library/Application Support/{mac}" if IS_MAC else f".config/{linux}"


CLIENTS: Mapping[str, McpClient] = {
    "claude-code": McpClient(
        title="Claude Code",
        # Claude Code keeps servers for every project and, below `projects`, for a single one.
        user=(ConfigFile(".claude.json", (SERVERS, ("projects", EVERY, *SERVERS))),),
        project=(ConfigFile(".mcp.json"),),
    ),
    "claude-desktop": McpClient(
        title="Claude Desktop",
        user=(ConfigFile(f"{_app_folder('Claude', 'Claude')}/claude_desktop_config.json"),),
    ),
    "cursor": McpClient(
        title="Cursor",
        user=(ConfigFile(".cursor/mcp.json"),),
        project=(ConfigFile(".cursor/mcp.json"),),
    ),
    "vscode": McpClient(
        title="VS Code",
        user=(ConfigFile(f"{_app_folder('Code', 'Code')}/User/mcp.json", (("servers",),)),),
        project=(ConfigFile(".vscode/mcp.json", (("servers",),)),),
    ),
    "windsurf": McpClient(
        title="Windsurf", user=(ConfigFile(".codeium/windsurf/mcp_config.json"),)
    ),
    "codex": McpClient(
        title="Codex CLI",
        user=(ConfigFile(".codex/config.toml", ()),),
        project=(ConfigFile(".codex/config.toml", ()),),
    ),
    "gemini": McpClient(
        title="Gemini CLI",
        user=(ConfigFile(".gemini/settings.json"),),
        project=(ConfigFile(".gemini/settings.json"),),
    ),
}


class WrapTask(Struct, frozen=True, kw_only=True):
    """What to do with a client's files.

    Args:
        is_user: the user's own files; else those of a project, which others may share.
        server: one server only, "" = all of them.
        is_removal: take signoff away again.
        is_dry: write nothing.
    """

    is_user: bool
    server: str = ""
    is_removal: bool = False
    is_dry: bool = False


class WrappedFile(Struct, frozen=True, kw_only=True):
    """What was done to one file.

    Args:
        names: of the servers that changed.
        left: names of servers that are reached in another way than by a command.
    """

    file: FileChange
    names: tuple[str, ...]
    left: tuple[str, ...]


def wrap_client(client: McpClient, folder: Path, task: WrapTask) -> Iterator[WrappedFile]:
    """Add signoff to the servers of a client, or remove it; yield each file that exists.

    Raises:
        BadSettings: a file cannot be read or written; it is then as it was.
    """
    own = own_words(is_shared=not task.is_user)

    def change(name: str, entry: ServerEntry) -> ServerEntry:
        if task.server and name != task.server:
            return entry
        return unwrapped(entry) if task.is_removal else wrapped(entry, name=name, own=own)

    for config in client.user if task.is_user else client.project:
        path = folder / config.path
        if path.exists():
            edit = partial(config.rewritten, change=change)
            file = changed(path, edit, is_dry=task.is_dry)
            yield _told(config, file)


def _told(config: ConfigFile, file: FileChange) -> WrappedFile:
    """Say which servers changed."""
    before = list(config.servers(file.before))
    after = list(config.servers(file.after))
    names = [name for (name, old), (_, new) in zip(before, after, strict=True) if old != new]
    left = [name for name, entry in after if entry is None]
    return WrappedFile(file=file, names=tuple(names), left=tuple(left))


def unguarded(client: McpClient, folder: Path, *, is_user: bool) -> tuple[str, ...]:
    """Return the names of a client's servers that run without signoff.

    Raises:
        BadSettings: a file cannot be read.
    """
    found: list[str] = []
    for config in client.user if is_user else client.project:
        text = changed(folder / config.path, lambda text: text, is_dry=True).before
        servers = config.servers(text)
        found += [name for name, entry in servers if entry is None or not is_wrapped(entry)]
    return tuple(found)
