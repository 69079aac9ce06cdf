"""Listening sockets that a service manager made and passes to each start (`sd_listen_fds(3)`).

Between two starts the manager holds them: no other program can listen on their ports meanwhile, and
who connects waits. The system numbers each socket and gives no number twice until it is booted
again, so equal numbers mean that a port was never anybody else's.

    passed = passed_sockets()
    continuity_of(passed)       the same text at the next start, if the very same sockets are passed
"""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Iterable, MutableMapping, Sequence

from signoff.errors import BadSettings

FIRST = 3  # the first descriptor that is passed (SD_LISTEN_FDS_START)
MOST = 16
VARIABLES = ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES")
SO_COOKIE = 57  # of `asm-generic/socket.h`
LOOPBACKS = frozenset({"127.0.0.1", "::1"})
BOOT_ID = "/proc/sys/kernel/random/boot_id"
NETWORK = "/proc/self/ns/net"  # sockets of another network are numbered apart


def passed_sockets(
    environ: MutableMapping[str, str] = os.environ, *, first: int = FIRST
) -> tuple[socket.socket, ...]:
    """Return the listening loopback sockets that a service manager passed to this process.

    The variables that announce them are removed, so that child processes do not see them.

    Raises:
        BadSettings: what was passed are no listening sockets on loopback.
    """
    said = {name: environ.pop(name, "") for name in VARIABLES}
    # Meant for another process, a parent of this one for example.
    if said["LISTEN_PID"] != str(os.getpid()):
        return ()
    count = int(said["LISTEN_FDS"]) if said["LISTEN_FDS"].isdecimal() else -1
    if not 0 <= count <= MOST:
        raise BadSettings(f"LISTEN_FDS: expected 0 to {MOST}, got `{said['LISTEN_FDS'][:20]}`")
    return tuple(_taken(number) for number in range(first, first + count))


def continuity_of(sockets: Sequence[socket.socket]) -> str:
    """Return an id of exactly these sockets, valid until they are closed.

    Returns "" without sockets, and on systems that do not give the numbers it is made of.
    """
    if not sockets:
        return ""
    try:
        with open(BOOT_ID, encoding="ascii") as source:
            boot = source.read(64).strip()
        network = os.stat(NETWORK).st_ino
        numbers = sorted(_number(one) for one in sockets)
    except (OSError, struct.error):
        return ""
    return f"{boot} {network} {' '.join(map(str, numbers))}" if boot else ""


def close_all(sockets: Iterable[socket.socket]) -> None:
    """Close this process's copies of the sockets; the service manager keeps its own."""
    for one in sockets:
        one.close()


def _taken(number: int) -> socket.socket:
    """Return the socket that was passed under a number.

    Raises:
        BadSettings: it is none that can be used; it is closed then.
    """
    os.set_inheritable(number, False)  # noqa: FBT003 - its only signature
    try:
        found = socket.socket(fileno=number)
    except OSError as error:
        raise BadSettings(f"descriptor {number} that was passed is no socket") from error
    if problem := _problem(found):
        found.close()
        raise BadSettings(f"descriptor {number} that was passed {problem}")
    return found


def _problem(found: socket.socket) -> str:
    """Say why a socket cannot be used, "" if it can."""
    is_tcp = found.type == socket.SOCK_STREAM and found.family in (socket.AF_INET, socket.AF_INET6)
    # Others could connect from other machines.
    if not is_tcp or found.getsockname()[0] not in LOOPBACKS:
        return "is no TCP socket on loopback"
    is_listening = found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
    return "" if is_listening else "does not listen"


def _number(one: socket.socket) -> int:
    (number,) = struct.unpack("=Q", one.getsockopt(socket.SOL_SOCKET, SO_COOKIE, 8))
    return int(number)
