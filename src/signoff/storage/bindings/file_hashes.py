"""Hashes of open files, kept for those that nobody here could change unseen.

A hash is kept by device, inode, size and both times of change, and only for a file this user can
neither write nor owns, and that was not changed in the last seconds: an agent that runs as the
same user could else write through a mapping of it, or within one tick of the file system's clock.

    digest, read = FileHashes().of(handle, os.fstat(handle), limit=ALL_BYTES)
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import time
from threading import Lock

from signoff.system.files import own_uid

# Reading more would hold up the call; larger files are told by size and times.
FILE_BYTES = 32 << 20
ALL_BYTES = 128 << 20  # read for one call
BLOCK = 1 << 20
KEPT = 1_024
# Some file systems stamp changes by the second or two: within it a change may not show.
SETTLED_NS = 3_000_000_000

Version = tuple[int, int, int, int, int]


class FileHashes:
    """Hashes files, with a cache; thread-safe."""

    def __init__(self) -> None:
        self._kept: dict[Version, str] = {}
        self._lock = Lock()

    def of(self, handle: int, found: os.stat_result, *, limit: int) -> tuple[str, int]:
        """Return an open file's SHA-256 ("" if larger than `limit`) and the bytes read for it.

        Args:
            handle: descriptor of the file.
            found: its `os.fstat` result.

        Raises:
            OSError: it cannot be read to its end.
        """
        if found.st_size > min(limit, FILE_BYTES):
            return "", 0
        version = (
            *(found.st_dev, found.st_ino, found.st_size),
            *(found.st_mtime_ns, found.st_ctime_ns),
        )
        with self._lock:
            kept = self._kept.get(version)
        if kept is not None:
            return kept, 0
        digest, read = _hash(handle, min(limit, FILE_BYTES))
        if digest and _is_foreign(handle, found):
            with self._lock:
                # All at once: the programs of a machine fit, so this is rare, and the next calls
                # refill it.
                if len(self._kept) >= KEPT:
                    self._kept.clear()
                self._kept[version] = digest
        return digest, read


def _is_foreign(handle: int, found: os.stat_result) -> bool:
    """Tell whether this user cannot write to a file, and nobody did so just now."""
    if sys.platform == "win32":
        return False  # who may write there is not said by the mode bits
    own = own_uid()
    # Root writes to any file, and an owner can make a file writable at any time.
    if own in (0, found.st_uid) or found.st_mode & stat.S_IWOTH:
        return False
    groups = {os.getegid(), *os.getgroups()}
    if found.st_mode & stat.S_IWGRP and found.st_gid in groups:
        return False
    # Looked at again after reading: a change meanwhile would be kept under the old version.
    now = os.fstat(handle)
    same = (now.st_size, now.st_mtime_ns, now.st_ctime_ns)
    is_same = same == (found.st_size, found.st_mtime_ns, found.st_ctime_ns)
    return is_same and time.time_ns() - found.st_ctime_ns > SETTLED_NS


def _hash(handle: int, limit: int) -> tuple[str, int]:
    """Return the hash of an open file, "" if it grew over the limit, and how much was read."""
    digest, read = hashlib.sha256(), 0
    while block := os.read(handle, BLOCK):
        digest.update(block)
        read += len(block)
        if read > limit:
            return "", read
    return digest.hexdigest(), read
