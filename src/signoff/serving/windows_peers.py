"""Windows: which process is at the other end of a loopback connection, and its console.

The system's table of TCP connections names the process at each end; its list of processes names
their parents. A person's programs have the desktop above them: a chain of parents that ends
elsewhere is broken, and says nothing about who started what.
"""

from __future__ import annotations

import sys

if sys.platform != "win32":
    # As a missing module of the system, which is what it is.
    raise ModuleNotFoundError("signoff.serving.windows_peers is for Windows alone", name="_winapi")

import ctypes
import socket
import threading
from ctypes import wintypes

from msgspec import Struct

from signoff.system.accounts import QUERY_LIMITED

SNAP_PROCESSES = 0x2
NAME_LIMIT = 260
TCP_CONNECTIONS = 4  # TCP_TABLE_OWNER_PID_CONNECTIONS
TABLE_TRIES = 4  # the table may grow between asking for its size and for itself
WRITE, SHARE_ALL, OPEN_EXISTING = 0x40000000, 0x3, 3
NO_HANDLE = ctypes.c_void_p(-1).value
# Above what a person starts: the desktop, and what the system starts by itself.
TOPS = frozenset(
    {"explorer.exe", "sihost.exe", "svchost.exe", "services.exe", "wininit.exe", "winlogon.exe"}
)

_kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
_iphlpapi = ctypes.WinDLL("iphlpapi")
_kernel32.OpenProcess.restype = wintypes.HANDLE
_kernel32.OpenProcess.argtypes = (wintypes.DWORD, wintypes.BOOL, wintypes.DWORD)
_kernel32.CreateToolhelp32Snapshot.restype = _kernel32.CreateFileW.restype = wintypes.HANDLE
_kernel32.CloseHandle.argtypes = (wintypes.HANDLE,)
_kernel32.WriteConsoleW.argtypes = (
    wintypes.HANDLE,
    wintypes.LPCWSTR,
    wintypes.DWORD,
    ctypes.POINTER(wintypes.DWORD),
    ctypes.c_void_p,
)
_console = threading.Lock()  # a process has one console at a time


class _ProcessEntry(ctypes.Structure):
    """PROCESSENTRY32W."""

    _fields_ = (
        ("size", wintypes.DWORD),
        ("usage", wintypes.DWORD),
        ("pid", wintypes.DWORD),
        ("heap", ctypes.c_void_p),
        ("module", wintypes.DWORD),
        ("threads", wintypes.DWORD),
        ("parent", wintypes.DWORD),
        ("priority", wintypes.LONG),
        ("flags", wintypes.DWORD),
        ("name", wintypes.WCHAR * NAME_LIMIT),
    )


class _TcpRow(ctypes.Structure):
    """MIB_TCPROW_OWNER_PID; ports are in the network's order."""

    _fields_ = (
        ("state", wintypes.DWORD),
        ("local_address", wintypes.DWORD),
        ("local_port", wintypes.DWORD),
        ("remote_address", wintypes.DWORD),
        ("remote_port", wintypes.DWORD),
        ("pid", wintypes.DWORD),
    )


class WindowsProcess(Struct, frozen=True, kw_only=True):
    """One process: its program, its parent's id, and when it started (100 ns since 1601)."""

    pid: int
    name: str
    parent: int
    started: int


def pid_of_port(port: int) -> int | None:
    """Return the process whose end of a connection has a loopback port; None if unknown."""
    size = wintypes.DWORD(0)
    for _ in range(TABLE_TRIES):
        table = ctypes.create_string_buffer(max(4, size.value))
        if not _iphlpapi.GetExtendedTcpTable(
            table, ctypes.byref(size), 0, socket.AF_INET, TCP_CONNECTIONS, 0
        ):
            return _owner_in(table, port)
    return None


def _owner_in(table: ctypes.Array[ctypes.c_char], port: int) -> int | None:
    loopback = int.from_bytes(socket.inet_aton("127.0.0.1"), sys.byteorder)
    rows = (_TcpRow * wintypes.DWORD.from_buffer(table).value).from_buffer(table, 4)
    for row in rows:
        if socket.ntohs(row.local_port & 0xFFFF) == port and row.local_address == loopback:
            return int(row.pid)
    return None


def process_at(pid: int) -> WindowsProcess | None:
    """Return what the system says of a process, None if there is no such process."""
    started = _started(pid)
    snapshot = _kernel32.CreateToolhelp32Snapshot(SNAP_PROCESSES, 0)
    if started is None or snapshot == NO_HANDLE:
        return None
    try:
        entry = _ProcessEntry(size=ctypes.sizeof(_ProcessEntry))
        found = _kernel32.Process32FirstW(wintypes.HANDLE(snapshot), ctypes.byref(entry))
        while found:
            if entry.pid == pid:
                return WindowsProcess(
                    pid=pid, name=entry.name.lower(), parent=entry.parent, started=started
                )
            found = _kernel32.Process32NextW(wintypes.HANDLE(snapshot), ctypes.byref(entry))
    finally:
        _kernel32.CloseHandle(snapshot)
    return None


def _started(pid: int) -> int | None:
    process = _kernel32.OpenProcess(QUERY_LIMITED, 0, pid)
    if not process:
        return None
    try:
        times = [wintypes.FILETIME() for _ in range(4)]
        if not _kernel32.GetProcessTimes(wintypes.HANDLE(process), *map(ctypes.byref, times)):
            return None
    finally:
        _kernel32.CloseHandle(process)
    return int(times[0].dwHighDateTime) << 32 | int(times[0].dwLowDateTime)


def is_top(name: str) -> bool:
    """Return whether a program is one that nothing of a user is above."""
    return name in TOPS


def has_console(pid: int) -> bool:
    """Return whether a process has a console."""
    with _console:
        _kernel32.FreeConsole()
        is_there = bool(_kernel32.AttachConsole(pid))
        _kernel32.FreeConsole()
    return is_there


def write_to_console(pid: int, text: str) -> None:
    """Write to the console of a process.

    Raises:
        OSError: it has none, or cannot be written to.
    """
    with _console:
        _kernel32.FreeConsole()
        if not _kernel32.AttachConsole(pid):
            raise ctypes.WinError(ctypes.get_last_error())
        try:
            screen = _kernel32.CreateFileW(
                "CONOUT$", WRITE, SHARE_ALL, None, OPEN_EXISTING, 0, None
            )
            if screen == NO_HANDLE:
                raise ctypes.WinError(ctypes.get_last_error())
            written = wintypes.DWORD()
            shown = text.replace("\n", "\r\n")
            done = _kernel32.WriteConsoleW(screen, shown, len(shown), ctypes.byref(written), None)
            number = ctypes.get_last_error()
            _kernel32.CloseHandle(screen)
            if not done:
                raise ctypes.WinError(number)
        finally:
            _kernel32.FreeConsole()
