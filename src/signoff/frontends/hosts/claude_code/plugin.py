"""Claude Code's plugin package: the hook as files a marketplace can hand out.

The package names no Python of this machine: it calls `signoff` from the PATH or `~/.local/bin`, and
where that is missing every call is refused. `bring.sh` installs it at the start of a session, from
a wheel beside it or the repository it came with. `signoff hook --daemon` becomes the daemon's
client, so people are asked on all channels. The repository's own copy is in
`plugins/claude-code`, listed by `.claude-plugin/marketplace.json`.

    plugin_files()["hooks/hooks.json"]
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from signoff.frontends.hosts.claude_code.adapter import ADAPTER
from signoff.frontends.hosts.claude_code.adapter import NAME as HOST
from signoff.frontends.hosts.claude_code.kinds import (
    REPORTED,
    RESULT,
    WAIT,
    answer_or_refuse,
    report_hook,
    result_hook,
)
from signoff.frontends.hosts.claude_code.settings_file import EVENT
from signoff.frontends.hosts.installing.files import FileChange, changed
from signoff.frontends.hosts.launch import REPORT_S
from signoff.frontends.hosts.results.lines import noted_if_unread
from signoff.frontends.hosts.waits import WAITING

NAME = "signoff"
START = "SessionStart"
# Where pipx and uv put it, too: an agent that was not started from a shell has a short PATH.
SIGNOFF = 'PATH="$PATH:$HOME/.local/bin" signoff'
DESCRIPTION = "Puts every tool call to signoff, which lets it through, refuses it or asks you"
AUTHOR = {"name": "signoff"}
BRING = "bring.sh"
BRING_S = 600  # an installation fetches some 20 MB
BRINGING = "signoff installs itself, once"


def plugin_files() -> Mapping[str, str]:
    """Return the plugin's files: text by path in the package."""
    from importlib import metadata  # noqa: PLC0415 - 8 ms of every start that makes no plugin

    guard = f"{SIGNOFF} hook {HOST} --daemon --deadline {WAIT.deadline_s}"
    hook = {
        "type": "command",
        "command": answer_or_refuse(guard),
        "timeout": WAIT.host_s,
        "onFailure": "block",
        "statusMessage": WAITING,
    }
    report = f"{SIGNOFF} hook {HOST} --daemon --report --deadline {REPORT_S}"
    told = {event: {"hooks": [report_hook(event, report)]} for event in REPORTED}
    # Nobody's settings are known here: the longest limit, and what is never too mild to say.
    result = noted_if_unread(ADAPTER, f"{SIGNOFF} hook {HOST} --daemon --result")
    told[RESULT] = {"hooks": [result_hook(result, WAIT.host_s)]}
    bring = {
        "type": "command",
        "command": f'sh "${{CLAUDE_PLUGIN_ROOT}}/{BRING}"',
        "timeout": BRING_S,
        "statusMessage": BRINGING,
    }
    manifest = {
        "name": NAME,
        "version": metadata.version("signoff"),
        "description": DESCRIPTION,
        "author": AUTHOR,
    }
    hooks = {
        "description": DESCRIPTION,
        "hooks": {
            EVENT: [{"matcher": "*", "hooks": [hook]}],
            **{event: [group] for event, group in told.items()},
            # In place of the entry for this event that `REPORTED` has made.
            START: [{"hooks": [bring]}, told[START]],
        },
    }
    return {
        ".claude-plugin/plugin.json": _json(manifest),
        "hooks/hooks.json": _json(hooks),
        BRING: Path(__file__).with_name(BRING).read_text(encoding="utf-8"),
    }


def marketplace_file(source: str) -> str:
    """Return the text of a marketplace file.

    Args:
        source: the plugin's folder, relative to it.
    """
    plugin = {"name": NAME, "source": source, "description": DESCRIPTION}
    listed = {
        "name": "signoff",
        "owner": AUTHOR,
        "metadata": {"description": DESCRIPTION},
        "plugins": [plugin],
    }
    return _json(listed)


def write_plugin(folder: Path, *, is_dry: bool = False) -> tuple[FileChange, ...]:
    """Write a marketplace with the plugin into a folder; return the changes.

    Raises:
        BadSettings: a file cannot be written.
    """
    wanted = {f"signoff/{path}": text for path, text in plugin_files().items()}
    wanted[".claude-plugin/marketplace.json"] = marketplace_file("./signoff")
    return tuple(
        changed(folder / path, lambda _, text=text: text, mode=0o644, is_dry=is_dry)  # type: ignore[misc]  # a default binds the text of this round
        for path, text in wanted.items()
    )


def _json(value: Mapping[str, object]) -> str:
    return json.dumps(value, indent=2) + "\n"
