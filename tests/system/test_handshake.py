"""A loopback port that stands for a Unix socket serves who knows its key, and nobody else."""

from __future__ import annotations

import asyncio
import http.client
import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from signoff.serving.connections import Connections
from signoff.serving.listening import build_server
from signoff.serving.local_socket import listening
from signoff.system import links
from signoff.system.handshake import DIGEST, GREETING, NONCE, connect_by_file, socket_file

WITHIN_S = 5.0


async def _hello(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("hello")(scope, receive, send)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Serve as on Windows; give the file that names port and key."""
    monkeypatch.setattr(links, "IS_FILE", True)
    file = tmp_path / "daemon.sock"
    with listening(str(file), is_shared=False) as local:
        server = build_server(_hello, connections=Connections(limit=8), key=local.key)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[local.socket])))
        thread.start()
        yield file
        server.should_exit = True
        thread.join()
    assert not file.exists()


def _said(link: socket.socket) -> bytes:
    """Ask over a connection; return the body of the answer."""
    http_link = http.client.HTTPConnection("localhost")
    http_link.sock = link
    http_link.request("GET", "/")
    said = http_link.getresponse().read()
    http_link.close()
    return said


def _until_the_end(link: socket.socket) -> bytes:
    """Return all that comes before the other end closes."""
    said = b""
    try:
        while piece := link.recv(4_096):
            said += piece
    except ConnectionError:
        return said
    return said


def test_who_knows_the_key_is_served(place: Path) -> None:
    """Also a second time, and with two requests on one connection."""
    for _ in range(2):
        assert b"hello" == _said(links.connect(str(place), within_s=WITHIN_S))


def test_another_key_is_refused_by_the_caller_first(place: Path) -> None:
    """The caller sends nothing to a daemon that cannot prove itself."""
    port = int(place.read_bytes().split()[0])
    place.write_bytes(socket_file(port, os.urandom(DIGEST)))
    with pytest.raises(ConnectionRefusedError, match="not this user's daemon"):
        connect_by_file(str(place), within_s=WITHIN_S)


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n",
        GREETING + bytes(NONCE) + bytes(DIGEST) + b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n",
    ],
    ids=["plain HTTP", "a guessed proof"],
)
def test_who_does_not_know_the_key_gets_no_answer(place: Path, sent: bytes) -> None:
    """Whatever is sent: the connection ends, and no request is read."""
    port = int(place.read_bytes().split()[0])
    with socket.create_connection(("127.0.0.1", port), timeout=WITHIN_S) as link:
        link.sendall(sent)
        assert b"HTTP" not in _until_the_end(link)


def test_a_port_that_somebody_else_took_gets_nothing_but_the_greeting(tmp_path: Path) -> None:
    """A stale file: what listens there now sees random bytes, and no request."""
    seen: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as tcp:
        file = tmp_path / "daemon.sock"
        file.write_bytes(socket_file(tcp.getsockname()[1], os.urandom(DIGEST)))

        def take() -> None:
            link, _ = tcp.accept()
            with link:
                seen.append(link.recv(4_096))
                link.sendall(bytes(NONCE + DIGEST))
                seen.append(link.recv(4_096))

        thread = threading.Thread(target=take)
        thread.start()
        with pytest.raises(ConnectionRefusedError):
            connect_by_file(str(file), within_s=WITHIN_S)
        thread.join()
    assert len(GREETING) + NONCE == len(seen[0])
    assert b"" == seen[1]


@pytest.mark.parametrize("text", [b"", b"x y\n", b"4440 zz\n", b"4440\n"])
def test_a_damaged_file_is_refused(tmp_path: Path, text: bytes) -> None:
    """It names no port, or no key."""
    file = tmp_path / "daemon.sock"
    file.write_bytes(text)
    with pytest.raises(ConnectionRefusedError):
        connect_by_file(str(file), within_s=WITHIN_S)
