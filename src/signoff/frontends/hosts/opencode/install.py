"""OpenCode: a plugin that puts every call to signoff, in its folder of plugins."""

from __future__ import annotations

from pathlib import Path

from signoff.frontends.hosts.host import HostManifest
from signoff.frontends.hosts.installing.targets import Target, plugin_file
from signoff.frontends.hosts.opencode.adapter import ADAPTER, NAME

MARK = "// signoff: written by `signoff install opencode`"


def targets(folder: Path, *, is_user: bool) -> tuple[Target, ...]:
    """Return the plugin's file to write, in the user's folder or the project's."""
    place = folder / ".config" / "opencode" if is_user else folder / ".opencode"
    return (plugin_file(place / "plugin" / "signoff.js", "opencode/plugin.js", ADAPTER, mark=MARK),)


HOST = HostManifest(
    name=NAME,
    title="OpenCode",
    adapters=(ADAPTER,),
    programs=(NAME,),
    folders=(".config/opencode", ".opencode"),
    targets=targets,
    tried=(1, 18, 33),
    older="older versions do not call plugins for the tools of sub-agents",
    notes=("a plugin loaded after signoff's can change a call that was judged already",),
    moved_by="XDG_CONFIG_HOME",
    guards="blocks; has no ask; closed on failure, as the plugin throws",
)
