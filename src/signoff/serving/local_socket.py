"""The daemon's own socket: a Unix socket, on Windows a loopback port with a key in a private file.

with listening("/home/dev/.local/state/signoff/daemon.sock", is_shared=False) as local:
    ...
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import sys
from collections.abc import Iterator

from msgspec import Struct

from signoff.errors import StoreError
from signoff.serving.listening import BACKLOG
from signoff.system import links
from signoff.system.files import CLOEXEC, NOFOLLOW
from signoff.system.handshake import DIGEST, socket_file


class LocalSocket(Struct, frozen=True):
    """A socket that listens; callers prove that they know its key, b"" where none is asked for."""

    socket: socket.socket
    key: bytes = b""


def keep_port(tcp: socket.socket) -> None:
    """Let a port be used again at once after a restart, and on Windows by nobody else meanwhile."""
    if sys.platform == "win32":
        # `SO_REUSEADDR` would let another process take a port that is in use there.
        tcp.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        tcp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


@contextlib.contextmanager
def listening(path: str, *, is_shared: bool) -> Iterator[LocalSocket]:
    """Make the socket, for its owner or for all users, and take it away at the end.

    Raises:
        StoreError: it cannot be made.
    """
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    try:
        made = _port_and_file(path) if links.IS_FILE else _unix_socket(path, is_shared=is_shared)
    except OSError as error:
        raise StoreError(f"cannot make the socket `{path}`: {error}") from error
    try:
        yield made
    finally:
        made.socket.close()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)


def _unix_socket(path: str, *, is_shared: bool) -> LocalSocket:
    unix = links.unix_socket()
    # A path that is too long for the system is given from its folder, in which the daemon is.
    is_short = len(os.fsencode(path)) <= links.ADDRESS_LIMIT
    # Not by `chmod` afterwards, which would leave a moment in which others can connect.
    mask = os.umask(0o111 if is_shared else 0o177)
    try:
        unix.bind(path if is_short else os.path.basename(path))
        unix.listen(BACKLOG)
    except OSError:
        unix.close()
        raise
    finally:
        os.umask(mask)
    return LocalSocket(unix)


def _port_and_file(path: str) -> LocalSocket:
    """Listen on a free loopback port; write it and a new key to the file.

    The file is new, in a folder that is private to the user: its access list is the folder's.
    """
    key = secrets.token_bytes(DIGEST)
    tcp = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        keep_port(tcp)
        tcp.bind(("127.0.0.1", 0))
        tcp.listen(BACKLOG)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | CLOEXEC | NOFOLLOW
        handle = os.open(path, flags, 0o600)
        with open(handle, "wb") as target:
            target.write(socket_file(tcp.getsockname()[1], key))
    except OSError:
        tcp.close()
        raise
    return LocalSocket(tcp, key)
