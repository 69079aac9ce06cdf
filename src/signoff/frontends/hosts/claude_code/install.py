"""Puts signoff's hooks into Claude Code's settings on disk, and takes them out again.

A change keeps everything else in the file, is written whole or not at all, and leaves a copy of
what was there before with the time in its name. No change, no copy. A link is followed: the file
it leads to is changed.

    install(Path("~/.claude/settings.json").expanduser())
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from signoff.errors import BadSettings
from signoff.frontends.hosts.claude_code.kinds import HookKind, hooks_of
from signoff.frontends.hosts.claude_code.settings_file import (
    switches_off,
    with_hooks,
    without_hooks,
)
from signoff.frontends.hosts.installing.files import FileChange, changed
from signoff.settings import Settings, load_settings
from signoff.values import replace

BLOCKS_ON_FAILURE = (2, 1, 295)  # the first version that honours onFailure: "block"
VERSION_TIMEOUT_S = 20
IGNORES = "ignores `onFailure`"


def install(
    path: Path,
    *,
    kind: HookKind = HookKind.COMMAND,
    settings: Settings | None = None,
    is_dry: bool = False,
) -> FileChange:
    """Put the hooks into the settings file.

    Raises:
        BadSettings: the file cannot be read or written, and is as it was; or the installed Claude
            Code is too old for the kind.
        StoreError: the token of an http hook cannot be made.
    """
    claude = shutil.which("claude")
    warnings = version_warnings(claude)
    if kind is HookKind.HTTP and any(IGNORES in warning for warning in warnings):
        raise BadSettings(f"{warnings[0]}; until then install `--kind command`")
    hooks = hooks_of(kind, settings or load_settings())
    change = changed(
        path, lambda text: with_hooks(text, {e: dict(h) for e, h in hooks.items()}), is_dry=is_dry
    )
    off = tuple(
        f"`{name}` is true in {path}: Claude Code will not call signoff at all"
        for name in switches_off(change.after)
    )
    return replace(change, warnings=off + warnings)


def uninstall(path: Path, *, is_dry: bool = False) -> FileChange:
    """Take the hooks out of the settings file; nobody else's hooks are touched.

    Raises:
        BadSettings: the file cannot be read or written; it is then as it was.
    """
    return changed(path, without_hooks, is_dry=is_dry)


def version_warnings(claude: str | None) -> tuple[str, ...]:
    """Return what a person should know about the installed Claude Code, if one is found."""
    if claude is None:
        return ()
    try:
        said = subprocess.run(  # noqa: S603 - the program the user installed, fixed arguments
            [claude, "--version"],
            capture_output=True,
            text=True,
            timeout=VERSION_TIMEOUT_S,
            check=False,
            stdin=subprocess.DEVNULL,
        ).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        return (f"{claude} --version does not answer: {error}",)
    found = re.match(r"(\d{1,6})\.(\d{1,6})\.(\d{1,6})", said)
    if not found:
        return (f"{claude} --version does not name a version: `{said[:40]!r}`",)
    if tuple(map(int, found.groups())) >= BLOCKS_ON_FAILURE:
        return ()
    return (
        f"Claude Code {found[0]} {IGNORES}: if the hook is killed at the host's time "
        "limit or cannot be started at all, calls run unchecked; update to 2.1.295 or later",
    )
