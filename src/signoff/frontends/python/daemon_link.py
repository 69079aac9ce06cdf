"""Requests to the daemon over kept connections, from threads.

A connection is used by one request at a time and kept for the next. The caller waits as long as it
says, while the daemon lives: silence is followed by a question on another connection. Whatever goes
wrong is a `LinkError`, never an empty answer.

    link = DaemonLink(UnixAddress("/home/dev/.local/state/signoff/daemon.sock"))
    body = link.post("/v1/calls", b"{}", within_s=620.0, call=OpenCall())
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from typing import Protocol
from urllib.parse import urlsplit

from msgspec import Struct

from signoff.errors import BadSettings, SignoffError
from signoff.system.links import connect

ANSWER_LIMIT = 4 << 20  # bytes
HEAD_LIMIT = 16_384  # bytes
CONNECT_WITHIN_S = 5.0
SILENCE_S = 5.0  # after which the daemon is asked whether it lives
ALIVE_S = 25.0  # in which it must answer that
KEPT_LIMIT = 16  # idle connections
KEPT_FOR_S = 30.0  # less than the daemon keeps them
BUSY_STATUS = 503
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class LinkError(SignoffError):
    """The daemon gave no usable answer."""


class NotListening(LinkError):
    """Nothing listens at the daemon's address."""


class LostConnection(LinkError):
    """The connection ended before an answer came; the question may be sent again."""


class DaemonAddress(Protocol):
    """Port: the address a daemon listens on."""

    @property
    def head(self) -> str:
        """The HTTP header lines that authenticate the caller."""

    def connect(self) -> socket.socket:
        """Return a new connection; raises OSError."""


class UnixAddress(Struct, frozen=True):
    """A Unix socket, which only its owner can use."""

    path: str
    head: str = "host: localhost\r\n"

    def connect(self) -> socket.socket:
        """Return a new connection."""
        return connect(self.path, within_s=CONNECT_WITHIN_S)


class TcpAddress(Struct, frozen=True):
    """A loopback port, and the token for it."""

    host: str
    port: int
    token: str

    @property
    def head(self) -> str:
        """The HTTP header lines with host and token."""
        shown = f"[{self.host}]" if ":" in self.host else self.host
        return f"host: {shown}:{self.port}\r\nauthorization: Bearer {self.token}\r\n"

    def connect(self) -> socket.socket:
        """Return a new connection."""
        return socket.create_connection((self.host, self.port), timeout=CONNECT_WITHIN_S)


def tcp_address(url: str, token: str) -> TcpAddress:
    """Parse a URL such as `http://127.0.0.1:4440`.

    Raises:
        BadSettings: it has another form, or is not on this machine, so that the token could be
            read.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise BadSettings(f"`{url}` is no address: {error}") from error
    if parts.scheme != "http" or host not in LOOPBACK or port is None:
        raise BadSettings(f"`{url}`: expected `http://127.0.0.1:PORT`; use a tunnel to go further")
    # It goes into a header, where a line end would begin another one (CWE-113).
    if not token.isalnum():
        raise BadSettings("the token must be that of the installation: letters and digits")
    return TcpAddress(host, port, token)


class OpenCall:
    """A running request that another thread can cancel."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._link: socket.socket | None = None
        self._is_over = False

    def uses(self, link: socket.socket) -> None:
        """Set the connection in use.

        Raises:
            LinkError: the call was cancelled.
        """
        with self._lock:
            if self._is_over:
                raise LinkError("the call was given up")
            self._link = link

    def give_up(self) -> None:
        """Cancel it by closing the connection, which the daemon notices."""
        with self._lock:
            self._is_over = True
            if self._link is not None:
                with contextlib.suppress(OSError):
                    # Not `close`: that wakes no thread that reads, and frees the number for
                    # another socket.
                    self._link.shutdown(socket.SHUT_RDWR)


class DaemonLink:
    """An HTTP client for one daemon; thread-safe, and safe after a fork."""

    def __init__(self, place: DaemonAddress) -> None:
        self._address = place
        self._lock = threading.Lock()
        self._idle: list[tuple[socket.socket, float]] = []
        self._owner = os.getpid()

    def is_there(self) -> bool:
        """Return whether a daemon listens; the connection is kept for the next request."""
        link = self._kept()
        if link is None:
            try:
                link = self._address.connect()
            except OSError:
                return False
        self._keep(link)
        return True

    def post(self, path: str, body: bytes, *, within_s: float, call: OpenCall) -> bytes:
        """Send a POST request and return the body of the response.

        Raises:
            NotListening: nothing listens.
            LostConnection: the connection ended before the response.
            LinkError: the response is late, too large, invalid, or not of status 200.
        """
        until = time.monotonic() + within_s
        head = (
            f"POST {path} HTTP/1.1\r\n{self._address.head}"
            f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        ).encode()
        kept = self._kept()
        if kept is not None:
            # The daemon may have closed an idle connection just now; that is no lost question.
            with contextlib.suppress(LostConnection):
                return self._exchange(kept, head + body, until, call)
        return self._exchange(self._fresh(), head + body, until, call)

    def close(self) -> None:
        """Close the idle connections."""
        with self._lock:
            idle, self._idle = self._idle, []
        for link, _ in idle:
            link.close()

    def __del__(self) -> None:
        self.close()

    def _fresh(self) -> socket.socket:
        try:
            return self._address.connect()
        except OSError as error:
            raise NotListening(f"the daemon does not listen: {error}") from error

    def _kept(self) -> socket.socket | None:
        """Return an idle connection that is still good."""
        if self._owner != os.getpid():
            # Another process goes on with these connections: they are not ours.
            self._idle, self._owner = [], os.getpid()
        now = time.monotonic()
        with self._lock:
            while self._idle:
                link, since = self._idle.pop()
                if now - since < KEPT_FOR_S and _is_open(link):
                    return link
                link.close()
        return None

    def _keep(self, link: socket.socket) -> None:
        with self._lock:
            if len(self._idle) < KEPT_LIMIT:
                self._idle.append((link, time.monotonic()))
                return
        link.close()

    def _exchange(self, link: socket.socket, sent: bytes, until: float, call: OpenCall) -> bytes:
        """Send a request and return the answer's body; keep the connection if all went well."""
        is_good = False
        try:
            call.uses(link)
            link.settimeout(SILENCE_S)
            link.sendall(sent)
            body = _body(_AnswerReader(link, until, self._is_alive))
            is_good = True
            return body
        except (BrokenPipeError, ConnectionError) as error:
            raise LostConnection(f"the connection to the daemon ended: {error}") from error
        except OSError as error:
            raise LinkError(f"the daemon cannot be asked: {error}") from error
        finally:
            if is_good:
                self._keep(link)
            else:
                link.close()

    def _is_alive(self, within_s: float) -> bool:
        """Tell whether the daemon says anything at all."""
        try:
            with self._address.connect() as link:
                link.settimeout(max(0.01, within_s))
                head = f"{self._address.head}connection: close\r\n\r\n"
                link.sendall(f"GET /healthz HTTP/1.1\r\n{head}".encode())
                return bool(link.recv(1))
        except OSError:
            return False


def _is_open(link: socket.socket) -> bool:
    """Tell whether an idle connection still has its other end."""
    link.settimeout(0)
    try:
        # Its end reads as nothing at all; of an answer that nobody asked for, none is left.
        link.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


class _Aliveness(Protocol):
    def __call__(self, within_s: float, /) -> bool: ...


class _AnswerReader:
    """Reads one answer until a deadline, as long as the daemon lives."""

    def __init__(self, link: socket.socket, until: float, is_alive: _Aliveness) -> None:
        self._link, self._until, self._is_alive = link, until, is_alive
        self._is_ending = False

    def more(self) -> bytes:
        """Return the next bytes.

        Raises:
            LostConnection: there are none.
            LinkError: none came in time, or the daemon hangs.
        """
        while True:
            left_s = self._until - time.monotonic()
            if left_s <= 0:
                raise LinkError("no answer in time")
            self._link.settimeout(min(SILENCE_S, left_s))
            try:
                found = self._link.recv(65_536)
            except TimeoutError:
                self._look(self._until - time.monotonic())
                continue
            if not found:
                raise LostConnection("the daemon closed the connection")
            return found

    def _look(self, left_s: float) -> None:
        """Ask whether the daemon lives; one that ends still answers those who wait."""
        if self._is_ending:
            raise LostConnection("the daemon says nothing")
        self._is_ending = not self._is_alive(min(ALIVE_S, left_s))


def _body(reader: _AnswerReader) -> bytes:
    """Read a whole answer and return its body.

    Raises:
        LostConnection: the daemon is busy or ends, and may be asked again.
        LinkError: it is no answer of status 200.
    """
    found = reader.more()
    while (end := found.find(b"\r\n\r\n")) < 0:
        if len(found) > HEAD_LIMIT:
            raise LinkError("the daemon's answer has no end of its head")
        found += reader.more()
    status, length = _head(found[:end])
    body = found[end + 4 :]
    pieces, got = [body], len(body)
    while got < length:
        piece = reader.more()
        pieces.append(piece)
        got += len(piece)
    if got != length:
        raise LinkError("the daemon's answer is longer than it says")
    if status == BUSY_STATUS:
        raise LostConnection("the daemon is busy, or ends")
    if status != 200:
        raise LinkError(f"the daemon refused the question with status {status}")
    return b"".join(pieces)


def _head(head: bytes) -> tuple[int, int]:
    """Return the status and the length of the body.

    Raises:
        LinkError: they are not both there, once and plainly.
    """
    first, *lines = head.lower().split(b"\r\n")
    words = first.split(b" ")
    lengths = [line[15:].strip() for line in lines if line.startswith(b"content-length:")]
    is_plain = len(words) > 1 and words[0] == b"http/1.1" and words[1].isdigit()
    # With two lengths the body could end in two places (CWE-444).
    if not is_plain or len(lengths) != 1 or not lengths[0].isdigit() or len(lengths[0]) > 9:
        raise LinkError("the daemon's answer cannot be read")
    if int(lengths[0]) > ANSWER_LIMIT:
        raise LinkError(f"the daemon's answer is over {ANSWER_LIMIT} bytes")
    return int(words[1]), int(lengths[0])
