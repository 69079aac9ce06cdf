"""A lock between processes: one at a time changes what a folder holds.

The system lets go of the lock when its process ends, however it ends; nobody clears it away.

    with file_lock(folder, "lock"):
        ...
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from signoff.errors import StoreError
from signoff.storage.connection import make_own_folder


@contextmanager
def file_lock(
    folder: str, name: str = "", *, make: Callable[[str], None] = make_own_folder
) -> Iterator[None]:
    """Wait for the lock, and hold it for the block.

    Args:
        name: of the lock file; "" locks the folder itself, for those where no file is left behind.
        make: creates the folder if it is missing.

    Raises:
        StoreError: it cannot be locked. Other errors are those of the caller's block.
    """
    path = os.path.join(folder, name)
    flags = os.O_RDWR | os.O_CREAT if name else os.O_RDONLY | os.O_DIRECTORY
    try:
        make(folder)
        # Not inherited: a child with the handle would hold the lock longer than its parent.
        handle = os.open(path, flags | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StoreError(f"cannot lock `{path}`: {error.strerror or error}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
