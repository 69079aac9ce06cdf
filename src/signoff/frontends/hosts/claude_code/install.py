"""Puts signoff's hook into Claude Code's settings on disk, and takes it out again.

A change keeps everything else in the file, is written whole or not at all, and leaves a copy of
what was there before with the time in its name. No change, no copy. A link is followed: the file
it leads to is changed.

    install(Path("~/.claude/settings.json").expanduser())
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from signoff.errors import BadSettings
from signoff.frontends.hosts.claude_code.settings_file import (
    OURS,
    switches_off,
    with_hook,
    without_hook,
)

TIMEOUT_S = 60
DEADLINE_S = 50  # ours: well before the host's, so that the host always hears an answer
BLOCKS_ON_FAILURE = (2, 1, 295)  # the first version that honours onFailure: "block"
VERSION_TIMEOUT_S = 20


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


def command_line(interpreter: str, *, deadline_s: int = DEADLINE_S) -> str:
    """Return the shell command Claude Code runs: an answer in JSON, or exit status 2.

    A missing interpreter or package, a crash, a signal, silence and anything on stdout that is no
    JSON object all end in status 2, which every version of Claude Code takes for a refusal.
    """
    python = shlex.quote(interpreter)
    return (
        f"if answer=$({python} -I {OURS} --deadline {deadline_s}); then "
        "case \"$answer\" in '{'*'}') printf '%s\\n' \"$answer\"; exit 0;; esac; fi; "
        "echo 'signoff gave no answer, so this call is blocked' >&2; exit 2"
    )


def own_command() -> str:
    """Return the command as it is installed from this environment.

    Raises:
        BadSettings: it cannot be told which Python this is.
    """
    if not sys.executable:
        raise BadSettings("cannot tell which Python runs signoff; start it by its full path")
    return command_line(str(Path(sys.executable).absolute()))


def install(path: Path, *, is_dry: bool = False) -> Change:
    """Put the hook into the settings file.

    Raises:
        BadSettings: the file cannot be read or written; it is then as it was.
    """
    command = own_command()
    change = _change(
        path, lambda text: with_hook(text, command=command, timeout_s=TIMEOUT_S), is_dry=is_dry
    )
    off = tuple(
        f"`{name}` is true in {path}: Claude Code will not call signoff at all"
        for name in switches_off(change.after)
    )
    return Change(
        path=change.path,
        before=change.before,
        after=change.after,
        backup=change.backup,
        warnings=off + version_warnings(shutil.which("claude")),
    )


def uninstall(path: Path, *, is_dry: bool = False) -> Change:
    """Take the hook out of the settings file; nobody else's hooks are touched.

    Raises:
        BadSettings: the file cannot be read or written; it is then as it was.
    """
    return _change(path, without_hook, is_dry=is_dry)


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
        f"Claude Code {found[0]} ignores `onFailure`: if the hook is killed at the host's time "
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
