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

from signoff.system.accounts import number_of
from signoff.system.kernel32 import NO_HANDLE, failure, kernel32, opened_process

SNAP_PROCESSES = 0x2
NAME_LIMIT = 260
TCP_CONNECTIONS = 4  # TCP_TABLE_OWNER_PID_CONNECTIONS
TABLE_TRIES = 4  # the table may grow between asking for its size and for itself
WRITE, SHARE_ALL, OPEN_EXISTING = 0x40000000, 0x3, 3
# Above what a person starts: the desktop, and what the system starts by itself.
TOPS = frozenset(
    {"explorer.exe", "sihost.exe", "svchost.exe", "services.exe", "wininit.exe", "winlogon.exe"}
)

_iphlpapi = ctypes.WinDLL("iphlpapi")
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


def peer_at(port: int) -> tuple[int, int] | None:
    """Return process and user at the end of a connection that has a loopback port.

    None if the system does not say both. A user is the number of `system/accounts.py`.
    """
    pid = _pid_of_port(port)
    number = number_of(pid) if pid else None
    return (pid, number) if pid and number is not None else None


def _pid_of_port(port: int) -> int | None:
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
    snapshot = kernel32.CreateToolhelp32Snapshot(SNAP_PROCESSES, 0)
    if started is None or snapshot == NO_HANDLE:
        return None
    try:
        entry = _ProcessEntry(size=ctypes.sizeof(_ProcessEntry))
        found = kernel32.Process32FirstW(wintypes.HANDLE(snapshot), ctypes.byref(entry))
        while found:
            if entry.pid == pid:
                return WindowsProcess(
                    pid=pid, name=entry.name.lower(), parent=entry.parent, started=started
                )
            found = kernel32.Process32NextW(wintypes.HANDLE(snapshot), ctypes.byref(entry))
    finally:
        kernel32.CloseHandle(snapshot)
    return None


def _started(pid: int) -> int | None:
    times = [wintypes.FILETIME() for _ in range(4)]
    with opened_process(pid) as process:
        if process is None or not kernel32.GetProcessTimes(
            wintypes.HANDLE(process), *map(ctypes.byref, times)
        ):
            return None
    return int(times[0].dwHighDateTime) << 32 | int(times[0].dwLowDateTime)


def is_top(name: str) -> bool:
    """Return whether a program is one that nothing of a user is above."""
    return name in TOPS


def has_console(pid: int) -> bool:
    """Return whether a process has a console."""
    with _console:
        kernel32.FreeConsole()
        is_there = bool(kernel32.AttachConsole(pid))
        kernel32.FreeConsole()
    return is_there


def write_to_console(pid: int, text: str) -> None:
    """Write to the console of a process.

    Raises:
        OSError: it has none, or cannot be written to.
    """
    with _console:
        kernel32.FreeConsole()
        if not kernel32.AttachConsole(pid):
            raise failure()
        try:
            screen = kernel32.CreateFileW("CONOUT$", WRITE, SHARE_ALL, None, OPEN_EXISTING, 0, None)
            if screen == NO_HANDLE:
                raise failure()
            written = wintypes.DWORD()
            shown = text.replace("\n", "\r\n")
            done = kernel32.WriteConsoleW(screen, shown, len(shown), ctypes.byref(written), None)
            number = ctypes.get_last_error()
            kernel32.CloseHandle(screen)
            if not done:
                raise ctypes.WinError(number)
        finally:
            kernel32.FreeConsole()
