"""A loopback port that is kept to one user: both ends prove that they know the key of a file.

A loopback port can be reached, and taken, by every user of a machine. So where a system has no Unix
sockets (Windows), a private file stands in their place: it names the port and holds a key that the
daemon makes at each start. Before anything else is sent:

    caller   GREETING + 32 bytes        at random
    daemon   32 bytes + 32 bytes        at random, and an HMAC-SHA256 of both over `DAEMON`
    caller   32 bytes                   the same over `CALLER`

Needs nothing else of signoff: the hook client loads it by its folder.
"""

from __future__ import annotations

import hmac
import secrets
import socket

GREETING = b"signoff/1 "
NONCE = DIGEST = 32  # bytes
CALLER, DAEMON = b"caller\0", b"daemon\0"
FILE_LIMIT = 200  # bytes of a file that stands for a socket


def proof(key: bytes, who: bytes, nonces: bytes) -> bytes:
    """Return what proves that an end of a connection knows the key.

    Args:
        who: `CALLER` or `DAEMON`.
        nonces: the caller's and the daemon's, one after the other.
    """
    return hmac.digest(key, who + nonces, "sha256")


def connect_by_file(path: str, *, within_s: float) -> socket.socket:
    """Return a connection to the daemon whose port and key are in a file.

    Raises:
        OSError: nobody listens there, or somebody else than this user's daemon.
    """
    port, key = read_socket_file(path)
    link = socket.create_connection(("127.0.0.1", port), timeout=within_s)
    try:
        mine = secrets.token_bytes(NONCE)
        link.sendall(GREETING + mine)
        said = _exactly(link, NONCE + DIGEST)
        nonces = mine + said[:NONCE]
        if not hmac.compare_digest(said[NONCE:], proof(key, DAEMON, nonces)):
            raise ConnectionRefusedError(f"what listens on port {port} is not this user's daemon")
        link.sendall(proof(key, CALLER, nonces))
    except BaseException:
        link.close()
        raise
    return link


def read_socket_file(path: str) -> tuple[int, bytes]:
    """Return port and key in the file that stands for a socket.

    Raises:
        OSError: there is no such file, or it is damaged.
    """
    with open(path, "rb") as source:
        port, _, key = source.read(FILE_LIMIT).strip().partition(b" ")
    if not port.isdigit() or len(key) != 2 * DIGEST:
        raise ConnectionRefusedError(f"`{path}` names no port: `signoff down`, then `signoff up`")
    try:
        return int(port), bytes.fromhex(key.decode("ascii"))
    except ValueError as error:
        raise ConnectionRefusedError(f"`{path}` holds no key") from error


def socket_file(port: int, key: bytes) -> bytes:
    """Return what the file of a port and its key contains."""
    return f"{port} {key.hex()}\n".encode()


def _exactly(link: socket.socket, size: int) -> bytes:
    said = b""
    while len(said) < size:
        piece = link.recv(size - len(said))
        if not piece:
            raise ConnectionResetError("the connection ended before the daemon proved itself")
        said += piece
    return said


class Handshake:
    """The daemon's part of the proof on one connection.

    Args:
        key: of this start of the daemon.

    Attributes:
        is_over: True once the caller has proved itself; False before.
    """

    def __init__(self, key: bytes) -> None:
        self._key, self._said, self._nonces = key, b"", b""
        self.is_over = False

    def receive(self, data: bytes) -> tuple[bytes, bytes]:
        """Take what came; return what to send, and what is left for the application.

        Raises:
            ConnectionRefusedError: the caller does not know the key: end the connection.
        """
        self._said += data
        answer = b""
        if not self._nonces:
            head = self._said[: len(GREETING)]
            if head != GREETING[: len(head)]:
                raise ConnectionRefusedError("no greeting")
            if len(self._said) < len(GREETING) + NONCE:
                return b"", b""
            theirs = self._said[len(GREETING) : len(GREETING) + NONCE]
            self._said = self._said[len(GREETING) + NONCE :]
            mine = secrets.token_bytes(NONCE)
            self._nonces = theirs + mine
            answer = mine + proof(self._key, DAEMON, self._nonces)
        if len(self._said) < DIGEST:
            return answer, b""
        if not hmac.compare_digest(self._said[:DIGEST], proof(self._key, CALLER, self._nonces)):
            raise ConnectionRefusedError("no proof")
        self.is_over = True
        return answer, self._said[DIGEST:]
