"""Opening files on every system: flags that are 0 where a system has none, and private files.

Windows knows no mode bits. What is private there is so by the access list of its folder: that of a
user's profile lets in its user and the system alone, and so does a folder that Python makes with
mode 0o700 (since 3.12.4).

    handle = os.open(path, os.O_RDONLY | CLOEXEC | NOFOLLOW)
"""

from __future__ import annotations

import os
import stat
import sys

if sys.platform == "win32":
    # Not as text, which would change line ends; not inherited by a child.
    CLOEXEC = os.O_BINARY | os.O_NOINHERIT
    NOFOLLOW = NONBLOCK = NOCTTY = DIRECTORY = 0
else:
    CLOEXEC, NOFOLLOW, NONBLOCK = os.O_CLOEXEC, os.O_NOFOLLOW, os.O_NONBLOCK
    NOCTTY, DIRECTORY = os.O_NOCTTY, os.O_DIRECTORY


def own_uid() -> int:
    """Return the effective user id of this process.

    On Windows a number made of the account's security identifier.
    """
    if sys.platform == "win32":
        from signoff.system.accounts import own_number  # noqa: PLC0415 - only there

        return own_number()
    return os.geteuid()


def is_own(found: os.stat_result) -> bool:
    """Return whether a file belongs to the user of this process; Windows does not say."""
    return sys.platform == "win32" or found.st_uid == os.geteuid()


def rights_of_others(found: os.stat_result) -> int:
    """Return the mode bits of group and others; 0 on Windows, which has none."""
    return 0 if sys.platform == "win32" else stat.S_IMODE(found.st_mode) & 0o077


def set_mode(handle: int, mode: int) -> None:
    """Set the permissions of an open file; on Windows they are those of its folder."""
    if sys.platform != "win32":
        os.fchmod(handle, mode)


def read_at(handle: int, size: int, offset: int) -> bytes:
    """Read from a place in an open file.

    On Windows the file position moves, so a handle is for one thread there.
    """
    if sys.platform == "win32":
        os.lseek(handle, offset, os.SEEK_SET)
        return os.read(handle, size)
    return os.pread(handle, size, offset)


def write_at(handle: int, content: bytes, offset: int) -> int:
    """Write to a place in an open file; return how many bytes were written.

    On Windows the file position moves, so a handle is for one thread there.
    """
    if sys.platform == "win32":
        os.lseek(handle, offset, os.SEEK_SET)
        return os.write(handle, content)
    return os.pwrite(handle, content, offset)
