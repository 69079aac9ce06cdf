"""A look at one file: where it really is, and what it says if it would run.

Every look is bounded: so many bytes, ordinary files only, never a device or a pipe that could keep
us waiting.

    look_at("/home/dev/project/run.sh", text_limit=65_536).text
"""

from __future__ import annotations

import os
import stat

from signoff.actions.facts import FileFact
from signoff.system.files import CLOEXEC, NOCTTY, NONBLOCK

SCRIPT_ENDINGS = (
    ".sh",
    ".bash",
    ".zsh",
    ".ksh",
    ".fish",
    ".py",
    ".pyw",
    ".js",
    ".mjs",
    ".cjs",
    ".ts",
    ".rb",
    ".pl",
    ".pm",
    ".php",
    ".lua",
    ".ps1",
    ".awk",
    ".sed",
    ".mk",
    ".sql",
    ".vim",
    ".el",
    ".r",
    ".jl",
    ".tcl",
    ".groovy",
    ".gradle",
    ".bat",
    ".cmd",
    ".service",
    ".desktop",
    ".json",
    ".toml",
    ".yaml",
    ".yml",
)
SCRIPT_NAMES = frozenset(
    [
        "Makefile",
        "makefile",
        "GNUmakefile",
        "Rakefile",
        "Justfile",
        "justfile",
        "Taskfile",
        "Dockerfile",
        "Containerfile",
        "configure",
        "gradlew",
        "mvnw",
    ]
)

# Opens no more than the name: neither a device nor a pipe notices.
O_PATH: int | None = getattr(os, "O_PATH", None) if os.path.isdir("/proc/self/fd") else None


def is_there(path: str) -> bool:
    """Return whether something exists at the path, links included; False if it cannot be read."""
    try:
        return os.access(path, os.F_OK, follow_symlinks=False)
    except (ValueError, NotImplementedError):
        return os.path.lexists(path)


def look_at(path: str, *, text_limit: int, is_read: bool = False) -> FileFact:
    """Return facts about one file: real path, number of links, text if it would run.

    Args:
        path: absolute and normalised.
        text_limit: largest text in bytes that is read.
        is_read: True reads the text even if it would not run.
    """
    try:
        real, found = _found(path)
    except (OSError, ValueError):
        leads_nowhere = is_there(path)
        real = _real_or_same(path) if leads_nowhere else _real_of_missing(path)
        return FileFact(real_path=real, exists=False)
    if stat.S_ISDIR(found.st_mode):
        return FileFact(real_path=real, is_directory=True)
    if not stat.S_ISREG(found.st_mode):
        return FileFact(real_path=real)
    is_read = found.st_size <= text_limit and (is_read or _would_run(path, real, found.st_mode))
    return FileFact(
        real_path=real,
        link_count=found.st_nlink,
        text=_text(real, text_limit) if is_read else None,
    )


def look_for(path: str, *, text_limit: int) -> FileFact | None:
    """Like `look_at`, but None if nothing exists there, which is cheaper."""
    return look_at(path, text_limit=text_limit) if is_there(path) else None


def _found(path: str) -> tuple[str, os.stat_result]:
    """Return where a file really is, and what the system says of it.

    Raises:
        OSError, ValueError: it does not exist, or cannot be looked at.
    """
    if O_PATH is None:
        real = os.path.realpath(path)
        return real, os.stat(real)
    # One walk by the system instead of one of ours for each folder on the way.
    handle = os.open(path, O_PATH | CLOEXEC)
    try:
        found, real = os.fstat(handle), os.readlink(f"/proc/self/fd/{handle}")
    finally:
        os.close(handle)
    # What the kernel says of a name that is gone, or outside this root, is no path (proc(5)).
    if not found.st_nlink or not real.startswith("/") or real.endswith(" (deleted)"):
        real = os.path.realpath(path)
    return real, found


def _real_of_missing(path: str) -> str:
    """Return where what is not there would be: behind the links before it."""
    folder = path.rpartition("/")[0]
    while folder:
        try:
            return _found(folder)[0].rstrip("/") + path[len(folder) :]
        except (OSError, ValueError):
            if is_there(folder):  # a link on the way leads nowhere
                return _real_or_same(path)
        folder = folder.rpartition("/")[0]
    return path


def _real_or_same(path: str) -> str:
    """Return the real path of what does not exist, looking at each folder on the way by itself."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return path


def _would_run(path: str, real: str, mode: int) -> bool:
    """Tell whether a file looks like something that is run: by mode, name or ending."""
    if mode & 0o111 or is_script(path.rpartition("/")[2]):
        return True
    return real != path and is_script(real.rpartition("/")[2])


def is_script(name: str) -> bool:
    """Return whether a file name looks like that of a script."""
    # Programs in a project often have no ending at all (`bin/setup`).
    return name in SCRIPT_NAMES or "." not in name or name.lower().endswith(SCRIPT_ENDINGS)


def _text(path: str, limit: int) -> str | None:
    """Return the text of an ordinary file, None if it is binary, too large or cannot be read."""
    flags = os.O_RDONLY | NONBLOCK | CLOEXEC | NOCTTY
    try:
        handle = os.open(path, flags)
    except OSError:
        return None
    try:
        # Again for the open file: a pipe may have been put there since the first look.
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        raw = os.read(handle, limit + 1)
        return raw.decode("utf-8") if len(raw) <= limit else None
    except (OSError, UnicodeDecodeError):
        return None
    finally:
        os.close(handle)
