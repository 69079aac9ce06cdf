"""Connections to the daemon: a Unix socket, on Windows a loopback port kept to one user.

link = connect("/home/dev/.local/state/signoff/daemon.sock", within_s=3.0)
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from collections.abc import Iterator

from signoff.system.files import CLOEXEC, DIRECTORY
from signoff.system.handshake import connect_by_file

ADDRESS_LIMIT = 100  # bytes of a Unix socket's path: 104 on macOS, 108 on Linux, with the end
IS_FILE = sys.platform == "win32"  # whether a file with a port stands for the socket


def connect(path: str, *, within_s: float) -> socket.socket:
    """Return a connection to the daemon that listens at a path; its timeout stays set.

    Raises:
        OSError: nobody listens there, or on Windows somebody else than this user's daemon.
    """
    if IS_FILE:
        return connect_by_file(path, within_s=within_s)
    link = unix_socket()
    try:
        link.settimeout(within_s)
        with _short(path) as address:
            link.connect(address)
    except BaseException:
        link.close()
        raise
    return link


@contextlib.contextmanager
def _short(path: str) -> Iterator[str]:
    """Yield a path that a Unix socket can have; a long one is reached from its folder."""
    if len(os.fsencode(path)) <= ADDRESS_LIMIT:
        yield path
        return
    folder = os.open(os.path.dirname(path), os.O_RDONLY | CLOEXEC | DIRECTORY)
    try:
        near = f"/proc/self/fd/{folder}/{os.path.basename(path)}"
        # Linux finds an open folder by its number, which is short however deep it is.
        if os.path.isdir(os.path.dirname(near)):
            yield near
            return
        here = os.getcwd()
        os.chdir(folder)
        try:
            yield os.path.basename(path)
        finally:
            os.chdir(here)
    finally:
        os.close(folder)


def unix_socket() -> socket.socket:
    """Return a new Unix socket.

    Raises:
        OSError: this system has none.
    """
    if sys.platform == "win32":
        raise OSError("no Unix sockets on Windows")
    return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
