"""Which process holds the daemon's lock, and whether it is the daemon.

The number in the lock file is what a daemon wrote there. Any program of the user can lock the file
or change the number; so the system is asked, where it tells.

    holder_of(handle, socket)    LockHolder(pid=4711, is_daemon=False) for `flock daemon.lock`
"""

from __future__ import annotations

import os

from msgspec import Struct

from signoff.serving.peer import peer_of
from signoff.system.files import read_at
from signoff.system.links import connect

LOCKS = "/proc/locks"
LOCKS_LIMIT = 1 << 20
NUMBER_LIMIT = 20  # bytes of a process number in the lock file
CONNECT_WITHIN_S = 1.0


class LockHolder(Struct, frozen=True, kw_only=True):
    """Which process holds the daemon's lock file.

    Args:
        pid: 0 if unknown.
        is_daemon: False if another program holds it.
    """

    pid: int
    is_daemon: bool = True


def holder_of(handle: int, socket_path: str) -> LockHolder:
    """Return who holds the lock on an open file that is locked.

    Args:
        handle: descriptor of the lock file.
        socket_path: where the daemon listens.
    """
    said = read_at(handle, NUMBER_LIMIT, 0).strip()
    written = int(said) if said.isdigit() else 0
    holders = _flock_holders(os.fstat(handle).st_ino)
    if not holders or written in holders:
        return LockHolder(pid=written)
    # The number may have been changed: who listens on the socket is the daemon.
    listener = _listener(socket_path)
    if listener in holders:
        return LockHolder(pid=listener)
    return LockHolder(pid=holders[0], is_daemon=False)


def _flock_holders(inode: int) -> tuple[int, ...]:
    """Return the processes that hold an exclusive `flock` on a file; none if nobody knows."""
    try:
        with open(LOCKS, encoding="ascii") as file:
            lines = file.read(LOCKS_LIMIT).splitlines()
    except (OSError, UnicodeError):
        return ()
    # Fields of proc_locks(5): 1 the kind, 3 READ or WRITE, 4 the process, 5 device and inode.
    # A line with an arrow is of one who waits.
    rows = [fields for fields in map(str.split, lines) if fields[1:2] == ["FLOCK"]]
    found = [
        fields[4]
        for fields in rows
        if len(fields) > 5 and fields[3] == "WRITE" and fields[5].endswith(f":{inode}")
    ]
    # In another namespace of processes the number is 0.
    return tuple(int(pid) for pid in found if pid.isdigit() and pid != "0")


def _listener(path: str) -> int:
    """Return the process that listens on a Unix socket, 0 if nobody knows."""
    try:
        with connect(path, within_s=CONNECT_WITHIN_S) as link:
            peer = peer_of(link)
    except OSError:
        return 0
    return peer.pid if peer is not None else 0
