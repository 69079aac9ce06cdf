"""Changes a file of somebody else's: whole or not at all, with a copy of what was there before.

No change, no copy. A link is followed: the file it leads to is changed. A file nobody else wrote
in goes when nothing is left in it.

    changed(path, lambda before: before + "...", is_dry=True).after
"""

from __future__ import annotations

import stat
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from signoff.errors import BadSettings
from signoff.storage.text_file import READABLE, make_folder, write_whole
from signoff.values import replace


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """A change of one file, made or planned; "" stands for a file that does not exist.

    `backup` is the path of the saved old file, None if none was saved.
    """

    path: Path
    before: str
    after: str
    backup: Path | None = None

    @property
    def is_needed(self) -> bool:
        """True if the file changes."""
        return self.before != self.after


def changed(
    path: Path, edit: Callable[[str], str], *, mode: int = 0o600, is_dry: bool = False
) -> FileChange:
    """Apply `edit` to one file; `mode` is used if the file is new.

    Args:
        is_dry: True to return the change without writing it.

    Raises:
        BadSettings: it cannot be read or written; it is unchanged then.
    """
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
    change = FileChange(path=path, before=before, after=after)
    if is_dry or not change.is_needed:
        return change
    try:
        return replace(change, backup=_replace(target, raw, after, mode=mode))
    except OSError as error:
        raise BadSettings(f"{path} cannot be written: {error}") from error


def _replace(target: Path, raw: bytes | None, after: str, *, mode: int) -> Path | None:
    """Put the new text in place of the old; return the copy kept."""
    make_folder(str(target.parent), mode=READABLE)
    backup = None
    if raw is not None:
        # The file keeps its rights; a hook of Cline's must be executable as well.
        mode = stat.S_IMODE(target.stat().st_mode) | (mode & 0o100)
        # To the microsecond, so that two changes within a second keep a copy each.
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
        backup = target.with_name(f"{target.name}.{stamp}.bak")
        # A copy is never executed, whatever it is a copy of.
        write_whole(str(backup), raw, mode=mode & 0o666)
    # Somebody else may have written since; their change must not get lost.
    if (target.read_bytes() if target.exists() else None) != raw:
        raise BadSettings(f"{target} was changed by somebody else just now; try again")
    if after:
        write_whole(str(target), after.encode(), mode=mode)
    else:
        target.unlink()
    return backup
