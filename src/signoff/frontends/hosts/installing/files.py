"""Changes a file of somebody else's: whole or not at all, with a copy of what was there before.

No change, no copy, and no second copy of the same text. A link is followed: the file it leads to is
changed. A file nobody else wrote in goes when nothing is left in it.

    changed(path, lambda before: before + "...", is_dry=True).after
"""

from __future__ import annotations

import glob
import stat
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from signoff.errors import BadSettings
from signoff.storage.text_file import READABLE, make_folder, write_whole
from signoff.values import replace

EMPTY = "{}"  # settings in JSON that say nothing


class FileChange(Struct, frozen=True, kw_only=True):
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
    path: Path,
    edit: Callable[[str], str],
    *,
    mode: int = 0o600,
    is_dry: bool = False,
    is_copied: bool = True,
) -> FileChange:
    """Apply `edit` to one file; `mode` is used if the file is new.

    Args:
        is_dry: True to return the change without writing it.
        is_copied: False where the old text holds nothing to keep.

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
        made = _replace(target, raw, after, mode=mode, is_copied=is_copied)
        return replace(change, backup=made)
    except OSError as error:
        raise BadSettings(f"{path} cannot be written: {error}") from error


def removed(
    path: Path, take: Callable[[str], str], put: Callable[[str], str], *, is_dry: bool = False
) -> FileChange:
    """Take out what signoff put in; a file that held nothing else goes, without a copy.

    A copy beside it, or a link, shows that it was there before signoff: then it stays, empty.

    Args:
        take, put: take signoff's part out of a text, and put it in.

    Raises:
        BadSettings: it cannot be read or written; it is unchanged then.
    """

    def rest(text: str) -> str:
        left = take(text)
        is_ours = left.strip() == EMPTY and text.strip() != EMPTY
        return "" if is_ours and not path.is_symlink() and not _copies(path.resolve()) else left

    planned = changed(path, rest, is_dry=True)
    if is_dry or not planned.is_needed:
        return planned
    # A file of ours that somebody edited is kept as a copy.
    is_whole = take(planned.before) == ""
    is_edited = is_whole and put(planned.before) != planned.before
    return changed(path, rest, is_copied=bool(planned.after) or is_edited)


def _copies(target: Path) -> tuple[Path, ...]:
    """Return the copies kept of a file, the oldest first."""
    found = target.parent.glob(f"{glob.escape(target.name)}.*.bak")
    return tuple(sorted(path for path in found if path.is_file()))


def _kept(target: Path, raw: bytes, after: str) -> Path | None:
    """Return where the old text is kept; None if the file becomes what an earlier copy holds.

    Then nothing but signoff's own part is lost.
    """
    copies = _copies(target)
    for copy in copies:
        if copy.read_bytes() == raw:
            return copy
    # To the microsecond, so that two changes within a second keep a copy each.
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    is_back = any(copy.read_bytes() == after.encode() for copy in copies)
    return None if is_back else target.with_name(f"{target.name}.{stamp}.bak")


def _replace(
    target: Path, raw: bytes | None, after: str, *, mode: int, is_copied: bool
) -> Path | None:
    """Put the new text in place of the old; return the copy kept."""
    make_folder(str(target.parent), mode=READABLE)
    backup = None
    if raw is not None:
        # The file keeps its rights; a hook of Cline's must be executable as well.
        mode = stat.S_IMODE(target.stat().st_mode) | (mode & 0o100)
        backup = _kept(target, raw, after) if is_copied else None
        # A copy is never executed, whatever it is a copy of.
        if backup is not None and not backup.exists():
            write_whole(str(backup), raw, mode=mode & 0o666)
    # Somebody else may have written since; their change must not get lost.
    if (target.read_bytes() if target.exists() else None) != raw:
        raise BadSettings(f"{target} was changed by somebody else just now; try again")
    if after:
        write_whole(str(target), after.encode(), mode=mode)
    else:
        target.unlink()
    return backup
