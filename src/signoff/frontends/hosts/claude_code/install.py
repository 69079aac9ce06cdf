"""Claude Code: hooks in its settings.json, of the kind that is chosen, or a plugin package."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from signoff.errors import BadSettings
from signoff.frontends.client.found import service_here
from signoff.frontends.hosts.claude_code.adapter import ADAPTER, NAME
from signoff.frontends.hosts.claude_code.checkup import (
    GUARDS,
    asks_daemon,
    check_up,
    has_plugin,
    is_used,
)
from signoff.frontends.hosts.claude_code.kinds import (
    REPORTED,
    HookKind,
    hooks_of,
    version_warnings,
)
from signoff.frontends.hosts.claude_code.plugin import write_plugin
from signoff.frontends.hosts.claude_code.settings_file import (
    EVENT,
    own_hooks,
    switches_off,
    with_hooks,
    without_hooks,
)
from signoff.frontends.hosts.claude_code.transcripts import FORMAT as TRANSCRIPTS
from signoff.frontends.hosts.host import HostManifest, OwnCheckup
from signoff.frontends.hosts.installing.files import FileChange
from signoff.frontends.hosts.installing.targets import Target
from signoff.settings import load_settings


def targets(
    folder: Path, *, is_user: bool, kind: HookKind = HookKind.COMMAND
) -> tuple[Target, ...]:
    """Return the settings file, in the user's folder or the project's.

    Raises:
        BadSettings: the installed Claude Code is too old for the kind.
    """
    # A command refuses by its exit status in any version; HTTP is closed by `onFailure` alone.
    if kind is HookKind.HTTP and (old := version_warnings(shutil.which("claude"), is_old=True)):
        raise BadSettings(f"{old[0]}; until then install `--kind command`")
    if kind is HookKind.HTTP and not is_user and service_here() is not None:
        raise BadSettings("the token of this hook is your own: install it with `--user`")

    def put(text: str) -> str:
        return with_hooks(text, hooks_of(kind, load_settings()))

    def commands(text: str) -> tuple[str, ...]:
        hooks = [hook for event in (EVENT, *REPORTED) for hook in own_hooks(text, event)]
        return tuple(dict.fromkeys(str(hook.get("command", hook.get("url"))) for hook in hooks))

    path = folder / ".claude" / "settings.json"
    return (Target(path=path, put=put, take=without_hooks, commands=commands),)


def warnings(changes: Sequence[FileChange]) -> tuple[str, ...]:
    """Return warnings about what keeps Claude Code from calling the hook or failing closed."""
    off = tuple(
        f"`{name}` is true in {change.path}: Claude Code will not call signoff at all"
        for change in changes
        for name in switches_off(change.after)
    )
    return off + version_warnings(shutil.which("claude"))


HOST = HostManifest(
    name=NAME,
    title="Claude Code",
    adapters=(ADAPTER,),
    programs=("claude",),
    folders=(".claude",),
    targets=targets,
    prompt="its own prompt; headless runs (`claude -p`) are denied",
    tried=(2, 1, 329),
    guards=GUARDS,
    moved_by="CLAUDE_CONFIG_DIR",
    kinds={kind.value: partial(targets, kind=kind) for kind in HookKind},
    kinds_help=(
        "A client of the daemon, the daemon over HTTP, or a process of its own for each call."
    ),
    write_plugin=write_plugin,
    warnings=warnings,
    checkup=OwnCheckup(
        is_used=is_used, asks_daemon=asks_daemon, check_up=check_up, has_plugin=has_plugin
    ),
    transcripts=TRANSCRIPTS,
)
