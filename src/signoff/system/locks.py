"""Locks on open files, which the system lets go of when their process ends, however it ends.

if try_lock(handle): ...          only this process
try_lock(handle, is_shared=True)  others that share may hold it too
"""

from __future__ import annotations

import os
import sys

if sys.platform == "win32":
    import ctypes
    import hashlib
    import msvcrt
    import tempfile
    from ctypes import wintypes

    from signoff.system.kernel32 import failure, kernel32

    # Locked bytes of a file cannot be read there, so the lock is on one beyond any content.
    PLACE = 1 << 30
    FAIL_AT_ONCE, EXCLUSIVE = 1, 2  # of LockFileEx
    IS_LOCKED = (33, 158)  # ERROR_LOCK_VIOLATION, ERROR_NOT_LOCKED

    class _Overlapped(ctypes.Structure):
        """OVERLAPPED: where the lock begins."""

        _fields_ = (
            ("internal", ctypes.c_void_p),
            ("internal_high", ctypes.c_void_p),
            ("offset", wintypes.DWORD),
            ("offset_high", wintypes.DWORD),
            ("event", wintypes.HANDLE),
        )

    def _locked(handle: int, kind: int) -> bool:
        place = _Overlapped(offset=PLACE)
        file = wintypes.HANDLE(msvcrt.get_osfhandle(handle))
        if kernel32.LockFileEx(file, kind, 0, 1, 0, ctypes.byref(place)):
            return True
        if ctypes.get_last_error() in IS_LOCKED:
            return False
        raise failure()

    def lock(handle: int) -> None:
        """Lock a file for this process alone; waits until it is free."""
        _locked(handle, EXCLUSIVE)

    def try_lock(handle: int, *, is_shared: bool = False) -> bool:
        """Lock a file; False at once if another process holds what does not go with it."""
        return _locked(handle, FAIL_AT_ONCE | (0 if is_shared else EXCLUSIVE))

    def unlock(handle: int) -> None:
        """Let go of a lock."""
        place = _Overlapped(offset=PLACE)
        file = wintypes.HANDLE(msvcrt.get_osfhandle(handle))
        kernel32.UnlockFileEx(file, 0, 1, 0, ctypes.byref(place))

else:
    import fcntl

    # Not `lockf`: its locks go as soon as the process closes any handle of the file (fcntl(2)).
    def lock(handle: int) -> None:
        """Lock a file for this process alone; waits until it is free."""
        fcntl.flock(handle, fcntl.LOCK_EX)

    def try_lock(handle: int, *, is_shared: bool = False) -> bool:
        """Lock a file; False at once if another process holds what does not go with it."""
        try:
            fcntl.flock(handle, (fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def unlock(handle: int) -> None:
        """Let go of a lock."""
        fcntl.flock(handle, fcntl.LOCK_UN)


def lock_path(folder: str) -> str:
    """Return the file to lock in place of a folder; the folder itself where it can be opened.

    Windows opens no folders: a file of the user's folder for temporary files stands for it.
    """
    if sys.platform == "win32":
        name = hashlib.sha256(os.path.normcase(os.path.abspath(folder)).encode()).hexdigest()
        return os.path.join(tempfile.gettempdir(), f"signoff-{name[:24]}.lock")
    return folder
