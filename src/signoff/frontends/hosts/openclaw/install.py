"""OpenClaw: a plugin of three files in its folder of extensions."""

from __future__ import annotations

import json
from pathlib import Path

from signoff.frontends.hosts.host import HostManifest
from signoff.frontends.hosts.installing.targets import Target, own_file, plugin_file
from signoff.frontends.hosts.openclaw.adapter import ADAPTER, NAME

MARK = "// signoff: written by `signoff install openclaw`"
# JSON has no comments, so the description is the mark.
OURS = '"description": "Puts every tool call to signoff"'
MANIFEST = {
    "id": "signoff",
    "name": "signoff",
    "description": "Puts every tool call to signoff",
    "configSchema": {"type": "object", "additionalProperties": False, "properties": {}},
}
PACKAGE = {
    "name": "signoff-openclaw",
    "version": "0.1.0",
    "description": "Puts every tool call to signoff",
    "private": True,
    "type": "module",
    "openclaw": {"extensions": ["./index.ts"]},
}


def targets(folder: Path, *, is_user: bool) -> tuple[Target, ...]:
    """Return the plugin's files to write, in the user's folder or the workspace's."""
    place = folder / ".openclaw" / "extensions" / "signoff"
    return (
        plugin_file(place / "index.ts", "openclaw/plugin.ts", ADAPTER, mark=MARK),
        own_file(place / "openclaw.plugin.json", _json(MANIFEST), mark=OURS),
        own_file(place / "package.json", _json(PACKAGE), mark=OURS),
    )


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"


HOST = HostManifest(
    name=NAME,
    title="OpenClaw",
    adapters=(ADAPTER,),
    programs=(NAME,),
    folders=(".openclaw",),
    targets=targets,
    notes=("switch the plugin on: `openclaw plugins enable signoff`, and restart the gateway",),
    guards="blocks; asks on OpenClaw's own channels; closed on failure, as the plugin blocks",
)
