"""OpenCode: a plugin that puts every call to signoff, in its folder of plugins."""

from __future__ import annotations

from pathlib import Path

from signoff.frontends.hosts.installing.installer import Installer, Target
from signoff.frontends.hosts.installing.plugin_file import plugin_file

MARK = "// signoff: written by `signoff install opencode`"


def targets(folder: Path, *, is_user: bool) -> tuple[Target, ...]:
    """Return the plugin, in the user's folder or the project's."""
    place = folder / ".config" / "opencode" if is_user else folder / ".opencode"
    return (plugin_file(place / "plugin" / "signoff.js", "opencode/plugin.js", mark=MARK),)


INSTALLER = Installer(
    name="opencode",
    title="OpenCode",
    programs=("opencode",),
    folders=(".config/opencode", ".opencode"),
    targets=targets,
    canaries={
        "opencode": {
            "tool": "bash",
            "args": {"command": "rm -rf /"},
            "sessionID": "signoff-doctor",
            "directory": "/",
        }
    },
    tried=(1, 18, 33),
    older="older versions do not call plugins for the tools of sub-agents",
    notes=("a plugin loaded after signoff's can change a call that was judged already",),
    moved_by="XDG_CONFIG_HOME",
    guards="blocks; has no ask; closed on failure, as the plugin throws",
)
