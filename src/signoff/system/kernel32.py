"""The Windows kernel's calls that several modules need, with the types of what they take."""

from __future__ import annotations

import sys

if sys.platform != "win32":
    # As a missing module of the system, which is what it is.
    raise ModuleNotFoundError("signoff.system.kernel32 is for Windows alone", name="_winapi")

import contextlib
import ctypes
from collections.abc import Iterator
from ctypes import wintypes

QUERY_LIMITED = 0x1000  # PROCESS_QUERY_LIMITED_INFORMATION
NO_HANDLE = ctypes.c_void_p(-1).value

kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
kernel32.OpenProcess.restype = kernel32.GetCurrentProcess.restype = wintypes.HANDLE
kernel32.OpenProcess.argtypes = (wintypes.DWORD, wintypes.BOOL, wintypes.DWORD)
kernel32.CreateToolhelp32Snapshot.restype = kernel32.CreateFileW.restype = wintypes.HANDLE
kernel32.CreateEventW.restype = kernel32.OpenEventW.restype = wintypes.HANDLE
kernel32.WaitForSingleObject.argtypes = (wintypes.HANDLE, wintypes.DWORD)
kernel32.SetEvent.argtypes = kernel32.CloseHandle.argtypes = (wintypes.HANDLE,)
kernel32.WriteConsoleW.argtypes = (
    wintypes.HANDLE,
    wintypes.LPCWSTR,
    wintypes.DWORD,
    ctypes.POINTER(wintypes.DWORD),
    ctypes.c_void_p,
)


def failure() -> OSError:
    """Return the error of the call that has just failed."""
    return ctypes.WinError(ctypes.get_last_error())


@contextlib.contextmanager
def opened_process(pid: int) -> Iterator[int | None]:
    """Yield a handle by which a process can be asked about, None if there is none."""
    process = kernel32.OpenProcess(QUERY_LIMITED, 0, pid)
    try:
        yield process or None
    finally:
        if process:
            kernel32.CloseHandle(process)
