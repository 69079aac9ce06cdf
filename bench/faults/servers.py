"""Servers on loopback that answer badly, each caller by one function, over TCP or a Unix socket.

with Faulty(says(b"HTTP/1.1 200 OK\\r\\n..."), path=folder / "daemon.sock") as server:
    ...  # server.port, server.served
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

Answering = Callable[[socket.socket], None]
HOLD_S = 60.0


class Faulty:
    """A listening socket whose callers are served by a function, then cut off."""

    def __init__(self, answering: Answering, *, path: Path | None = None) -> None:
        self.served = 0
        self._answering, self._here = answering, threading.local()
        self._over = threading.Event()
        if path is None:
            self._server = socket.create_server(("127.0.0.1", 0))
            self.port = int(self._server.getsockname()[1])
        else:
            self._server = socket.socket(socket.AF_UNIX)
            self._server.bind(str(path))
            self._server.listen(200)
            self.port = 0

    def __enter__(self) -> Faulty:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        with contextlib.suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()

    def _accept(self) -> None:
        while not self._over.is_set():
            try:
                link, _ = self._server.accept()
            except OSError:
                return
            self.served += 1
            threading.Thread(target=self._serve, args=(link,), daemon=True).start()

    def _serve(self, link: socket.socket) -> None:
        with link, contextlib.suppress(OSError, ValueError):
            self._here.request = read_request(link)
            self._answering(link)

    @property
    def request(self) -> bytes:
        """What the caller that is answered in this thread asked; others may ask meanwhile."""
        found: bytes = self._here.request
        return found


def read_request(link: socket.socket) -> bytes:
    """Read a whole request."""
    got = b""
    while b"\r\n\r\n" not in got:
        piece = link.recv(65_536)
        if not piece:
            return got
        got += piece
    head, _, body = got.partition(b"\r\n\r\n")
    lengths = [
        int(line.partition(b":")[2])
        for line in head.lower().split(b"\r\n")
        if line.startswith(b"content-length:")
    ]
    while len(body) < sum(lengths[:1]):
        piece = link.recv(65_536)
        if not piece:
            break
        body += piece
    return head + b"\r\n\r\n" + body


def says(text: bytes) -> Answering:
    """Answer with these bytes."""
    return lambda link: link.sendall(text)


def hangs(link: socket.socket) -> None:
    """Take everything and say nothing."""
    link.settimeout(HOLD_S)
    while link.recv(65_536):
        pass


def slams(_: socket.socket) -> None:
    """Hang up without a word."""


def dribbles(text: bytes, *, pause_s: float = 0.2) -> Answering:
    """Answer one byte now and then."""

    def answering(link: socket.socket) -> None:
        for byte in text:
            link.sendall(bytes([byte]))
            time.sleep(pause_s)

    return answering


def floods(head: bytes) -> Answering:
    """Answer without an end."""

    def answering(link: socket.socket) -> None:
        link.sendall(head)
        deadline = time.monotonic() + HOLD_S
        while time.monotonic() < deadline:
            link.sendall(b" " * 65_536)

    return answering


def http(body: bytes, *, status: str = "200 OK", **headers: str) -> bytes:
    """Return a whole response."""
    named = {"content-type": "application/json", "content-length": str(len(body))}
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in named.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body
