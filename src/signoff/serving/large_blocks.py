"""Large blocks of memory go back to the system as soon as they are freed.

The slow hash of each confirmation code takes 16 MB for a moment. After the first, glibc serves such
blocks from memory that it keeps, once for each thread that has asked for one.
"""

from __future__ import annotations

import contextlib
import ctypes

M_MMAP_THRESHOLD = -3  # of glibc's mallopt
LARGE = 1 << 20  # bytes


def return_large_blocks() -> None:
    """Let this process keep no freed block of a megabyte or more; nothing without glibc."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE)
