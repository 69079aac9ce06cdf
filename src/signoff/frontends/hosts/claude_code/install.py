"""Puts signoff's hooks into Claude Code's settings on disk, and takes them out again.

A change keeps everything else in the file, is written whole or not at all, and leaves a copy of
what was there before with the time in its name. No change, no copy. A link is followed: the file
it leads to is changed.

    install(Path("~/.claude/settings.json").expanduser())
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from signoff.errors import BadSettings
from signoff.frontends.hosts.claude_code.kinds import Kind, hooks_of
from signoff.frontends.hosts.claude_code.settings_file import (
    switches_off,
    with_hooks,
    without_hooks,
)
from signoff.settings import Settings, load_settings

BLOCKS_ON_FAILURE = (2, 1, 295)  # the first version that honours onFailure: "block"
VERSION_TIMEOUT_S = 20
IGNORES = "ignores `onFailure`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What an installation did or would do to one file. `backup` is None where nothing was kept."""

    path: Path
    before: str
    after: str
    backup: Path | None = None
    warnings: tuple[str, ...] = ()

    @property
    def is_needed(self) -> bool:
        """True if the file changes."""
        return self.before != self.after


def install(
    path: Path,
    *,
    kind: Kind = Kind.COMMAND,
    settings: Settings | None = None,
    is_dry: bool = False,
) -> Change:
    """Put the hooks into the settings file.

    Raises:
        BadSettings: the file cannot be read or written, and is as it was; or the installed Claude
            Code is too old for the kind.
        StoreError: the token of an http hook cannot be made.
    """
    claude = shutil.which("claude")
    warnings = version_warnings(claude)
    if kind is Kind.HTTP and any(IGNORES in warning for warning in warnings):
        raise BadSettings(f"{warnings[0]}; until then install `--kind command`")
    hooks = hooks_of(kind, settings or load_settings())
    change = _change(
        path, lambda text: with_hooks(text, {e: dict(h) for e, h in hooks.items()}), is_dry=is_dry
    )
    off = tuple(
        f"`{name}` is true in {path}: Claude Code will not call signoff at all"
        for name in switches_off(change.after)
    )
    return replace(change, warnings=off + warnings)


def uninstall(path: Path, *, is_dry: bool = False) -> Change:
    """Take the hooks out of the settings file; nobody else's hooks are touched.

    Raises:
        BadSettings: the file cannot be read or written; it is then as it was.
    """
    return _change(path, without_hooks, is_dry=is_dry)


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


def _change(path: Path, edit: Callable[[str], str], *, is_dry: bool) -> Change:
    target = path.resolve()
    try:
        raw = target.read_bytes() if target.exists() else None
        before = (raw or b"").decode()
    except (OSError, UnicodeError) as error:
        raise BadSettings(f"{path} cannot be read: {error}") from error
    try:
        after = edit(before)
    except BadSettings as error:
        raise BadSettings(f"{path}: {error}") from error
    change = Change(path=path, before=before, after=after)
    if is_dry or not change.is_needed:
        return change
    try:
        backup = _replace(target, raw, after)
    except OSError as error:
        raise BadSettings(f"{path} cannot be written: {error}") from error
    return Change(path=path, before=before, after=after, backup=backup)


def _replace(target: Path, raw: bytes | None, after: str) -> Path | None:
    """Write the file anew beside itself and move it into place; return the copy kept."""
    target.parent.mkdir(parents=True, exist_ok=True)
    mode = stat.S_IMODE(target.stat().st_mode) if raw is not None else 0o600
    backup = None
    if raw is not None:
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
        backup = target.with_name(f"{target.name}.{stamp}.bak")
        _write_whole(backup, raw, mode)
    # Somebody else may have written since; their change must not get lost.
    if (target.read_bytes() if target.exists() else None) != raw:
        raise BadSettings(f"{target} was changed by somebody else just now; try again")
    _write_whole(target, after.encode(), mode)
    return backup


def _write_whole(target: Path, content: bytes, mode: int) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise
